// SPDX-License-Identifier: Apache-2.0
// The sections of Gmsh 4.1 files. Text and bytes hold the same numbers in the same order.
#include <fmt/format.h>

#include <sinew/mesh/io/gmsh_sections.hpp>

namespace sinew::mesh::io {
namespace {

std::uint64_t read_count_v4(GmshInput& input, std::string_view what, std::size_t least_bytes) {
  const std::uint64_t count = input.size(fmt::format("the number of {}", what));
  input.cursor.require_room(count, least_bytes, what);
  return count;
}

/// One entity's list of numbers; returns the first, or 0 for an empty list.
int read_tag_list(GmshInput& input, std::string_view what) {
  const std::uint64_t count = read_count_v4(input, what, input.least_bytes(1, 4));
  int first = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const int tag = input.integer(what);
    if (i == 0) first = tag;
  }
  return first;
}

}  // namespace

GmshGroups read_entities_v4(GmshInput& input) {
  GmshGroups groups;
  std::array<std::uint64_t, 4> counts{};
  for (std::uint64_t& count : counts)
    count = read_count_v4(input, "entities", input.least_bytes(5, 36));
  for (int dimension = 0; dimension < 4; ++dimension) {
    for (std::uint64_t i = 0; i < counts[dimension]; ++i) {
      const int tag = input.integer("an entity number");
      const int num_bounds = dimension == 0 ? 3 : 6;
      for (int k = 0; k < num_bounds; ++k) input.real("an entity's extent");
      const int group = read_tag_list(input, "physical groups");
      if (dimension > 0) read_tag_list(input, "bounding entities");
      if (group != 0) groups[{dimension, tag}] = group;
    }
  }
  return groups;
}

void read_nodes_v4(GmshInput& input, GmshContent& content) {
  const std::uint64_t num_blocks = read_count_v4(input, "node blocks", input.least_bytes(4, 20));
  const std::uint64_t num_nodes = read_count_v4(input, "nodes", input.least_bytes(4, 32));
  input.size("the smallest node number");
  input.size("the largest node number");
  content.nodes.reserve(num_nodes);
  content.node_tags.reserve(num_nodes);
  for (std::uint64_t block = 0; block < num_blocks; ++block) {
    const int dimension = input.integer("an entity dimension");
    input.integer("an entity number");
    const bool is_parametric = input.integer("the parametric flag") != 0;
    if (dimension < 0 || dimension > 3)
      input.cursor.fail(fmt::format("entity dimension {} is not in 0..3", dimension),
                        "the file is damaged; export the mesh again");
    const std::uint64_t count = read_count_v4(input, "nodes", input.least_bytes(4, 32));
    for (std::uint64_t i = 0; i < count; ++i)
      content.node_tags.push_back(input.size("a node number"));
    for (std::uint64_t i = 0; i < count; ++i) {
      Vec3 x;
      for (double& value : x) value = input.real("a node coordinate");
      for (int k = 0; is_parametric && k < dimension; ++k) input.real("a parametric coordinate");
      content.nodes.push_back(x);
    }
  }
  if (content.nodes.size() != num_nodes)
    input.cursor.fail(fmt::format("{} nodes are announced, but the blocks hold {}", num_nodes,
                                  content.nodes.size()),
                      "the file is damaged; export the mesh again");
}

void read_elements_v4(GmshInput& input, const GmshGroups& groups, GmshContent& content) {
  const std::uint64_t num_blocks = read_count_v4(input, "element blocks", input.least_bytes(4, 20));
  const std::uint64_t num_elements = read_count_v4(input, "elements", input.least_bytes(2, 16));
  input.size("the smallest element number");
  input.size("the largest element number");
  std::uint64_t done = 0;
  for (std::uint64_t block = 0; block < num_blocks; ++block) {
    const int dimension = input.integer("an entity dimension");
    const int entity = input.integer("an entity number");
    const GmshElementType& type =
        usable_element_type(input.integer("an element type"), input.cursor);
    const std::uint64_t count = read_count_v4(input, "elements", input.least_bytes(2, 16));
    const auto group = groups.find({dimension, entity});
    std::vector<GmshElement>* list = content.list_of(type.number);
    for (std::uint64_t i = 0; i < count; ++i) {
      GmshElement kept{.element = input.size("an element number"),
                       .physical = group == groups.end() ? 0 : group->second,
                       .entity = entity};
      for (int k = 0; k < type.num_nodes; ++k) {
        const std::uint64_t node = input.size("a node of an element");
        if (list) kept.nodes[k] = node;
      }
      if (list) list->push_back(kept);
    }
    done += count;
  }
  if (done != num_elements)
    input.cursor.fail(
        fmt::format("{} elements are announced, but the blocks hold {}", num_elements, done),
        "the file is damaged; export the mesh again");
}

}  // namespace sinew::mesh::io
