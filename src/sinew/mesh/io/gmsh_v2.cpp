// SPDX-License-Identifier: Apache-2.0
// The sections of Gmsh 2.x files.
#include <fmt/format.h>

#include <sinew/mesh/io/gmsh_sections.hpp>

namespace sinew::mesh::io {
namespace {

/// Counts are text even in binary files, with the data on the next line.
std::uint64_t read_count_v2(GmshInput& input, std::string_view what, std::size_t least_bytes) {
  const auto count = input.cursor.number<std::uint64_t>(fmt::format("the number of {}", what));
  if (input.is_binary) input.cursor.finish_line(fmt::format("the number of {}", what));
  input.cursor.require_room(count, least_bytes, what);
  return count;
}

void read_element_body(GmshInput& input, const GmshElementType& type, std::uint64_t element,
                       int num_tags, GmshContent& content) {
  GmshElement kept{.element = element};
  for (int i = 0; i < num_tags; ++i) {
    const int tag = input.integer("an element tag");
    if (i == 0) kept.physical = tag;
    if (i == 1) kept.entity = tag;
  }
  std::vector<GmshElement>* list = content.list_of(type.number);
  for (int i = 0; i < type.num_nodes; ++i) {
    const int node = input.integer("a node of an element");
    // a negative number becomes one that no node has
    if (list) kept.nodes[i] = static_cast<std::uint64_t>(node);
  }
  if (list) list->push_back(kept);
}

void require_tag_count(const FileCursor& cursor, int num_tags) {
  // a handful is usual; partitioned meshes have one more per neighbour
  constexpr int most = 10000;
  if (num_tags < 0 || num_tags > most)
    cursor.fail(fmt::format("an element cannot have {} tags", num_tags),
                "the file is damaged; export the mesh again");
}

}  // namespace

void read_nodes_v2(GmshInput& input, GmshContent& content) {
  const std::uint64_t count = read_count_v2(input, "nodes", input.least_bytes(4, 28));
  content.nodes.reserve(count);
  content.node_tags.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    content.node_tags.push_back(static_cast<std::uint64_t>(input.integer("a node number")));
    Vec3 x;
    for (double& value : x) value = input.real("a node coordinate");
    content.nodes.push_back(x);
  }
}

void read_elements_v2(GmshInput& input, GmshContent& content) {
  const std::uint64_t count = read_count_v2(input, "elements", input.least_bytes(4, 8));
  std::uint64_t done = 0;
  while (done < count) {
    if (!input.is_binary) {
      const int element = input.integer("an element number");
      const GmshElementType& type =
          usable_element_type(input.integer("an element type"), input.cursor);
      const int num_tags = input.integer("the number of tags");
      require_tag_count(input.cursor, num_tags);
      read_element_body(input, type, static_cast<std::uint64_t>(element), num_tags, content);
      ++done;
      continue;
    }
    // binary elements come in runs of one type
    const GmshElementType& type =
        usable_element_type(input.integer("an element type"), input.cursor);
    const int run = input.integer("the number of elements in a block");
    const int num_tags = input.integer("the number of tags");
    require_tag_count(input.cursor, num_tags);
    if (run < 1 || static_cast<std::uint64_t>(run) > count - done)
      input.cursor.fail(fmt::format("a block of {} elements does not fit the total", run),
                        "the file is damaged; export the mesh again");
    for (int i = 0; i < run; ++i) {
      const int element = input.integer("an element number");
      read_element_body(input, type, static_cast<std::uint64_t>(element), num_tags, content);
    }
    done += static_cast<std::uint64_t>(run);
  }
}

}  // namespace sinew::mesh::io
