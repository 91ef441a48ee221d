// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/gmsh.hpp>
#include <sinew/mesh/io/gmsh_sections.hpp>
#include <sinew/mesh/io/middle_order.hpp>
#include <sinew/mesh/io/polygons.hpp>
#include <sinew/mesh/io/tag_index.hpp>

namespace sinew::mesh::io {
namespace {

constexpr GmshElementType element_types[] = {
    {1, "line", 2, 1},
    {2, "triangle", 3, 2},
    {3, "quadrangle", 4, 2},
    {4, "tetrahedron", 4, 3},
    {5, "hexahedron", 8, 3},
    {6, "prism", 6, 3},
    {7, "pyramid", 5, 3},
    {8, "second-order line", 3, 1},
    {9, "second-order triangle", 6, 2},
    {10, "second-order quadrangle", 9, 2},
    {11, "second-order tetrahedron", 10, 3},
    {12, "second-order hexahedron", 27, 3},
    {13, "second-order prism", 18, 3},
    {14, "second-order pyramid", 14, 3},
    {15, "point", 1, 0},
    {16, "8-node quadrangle", 8, 2},
    {17, "20-node hexahedron", 20, 3},
    {18, "15-node prism", 15, 3},
    {19, "13-node pyramid", 13, 3},
    {20, "9-node triangle", 9, 2},
    {21, "10-node triangle", 10, 2},
    {22, "12-node triangle", 12, 2},
    {23, "15-node triangle", 15, 2},
    {24, "incomplete fifth-order triangle", 15, 2},
    {25, "21-node triangle", 21, 2},
    {26, "third-order line", 4, 1},
    {27, "fourth-order line", 5, 1},
    {28, "fifth-order line", 6, 1},
    {29, "third-order tetrahedron", 20, 3},
    {30, "fourth-order tetrahedron", 35, 3},
    {31, "fifth-order tetrahedron", 56, 3},
    {92, "third-order hexahedron", 64, 3},
    {93, "fourth-order hexahedron", 125, 3},
};

enum class GmshVersion { v2, v4 };

/// Reads "$MeshFormat" and what it says about the rest of the file.
GmshVersion read_format(GmshInput& input) {
  FileCursor& cursor = input.cursor;
  if (cursor.peek() != "$MeshFormat")
    cursor.fail("this is not a Gmsh file: it does not begin with $MeshFormat",
                "save as Gmsh 2.2 or 4.1, or use the file extension of the actual format");
  cursor.token("$MeshFormat");
  const std::string_view version = cursor.token("the format version");
  const bool is_v2 = version == "2" || version.starts_with("2.");
  if (!is_v2 && version != "4.1")
    cursor.fail(fmt::format("Gmsh format version '{}' is not supported", version.substr(0, 20)),
                "save as version 2.2 or 4.1 (gmsh in.msh -save -format msh41 -o out.msh)");
  input.is_binary = cursor.number<int>("the file type") != 0;
  if (cursor.number<int>("the data size") != 8)
    cursor.fail("only a data size of 8 bytes is supported", "save the mesh on a 64-bit machine");
  if (input.is_binary) {
    cursor.finish_line("the data size");
    const std::string_view one = cursor.bytes(4, "the byte-order mark");
    if (load<std::int32_t>(one.data(), std::endian::little) == 1)
      input.order = std::endian::little;
    else if (load<std::int32_t>(one.data(), std::endian::big) == 1)
      input.order = std::endian::big;
    else
      cursor.fail("the byte-order mark of the binary file is not 1",
                  "the file was altered, perhaps by a text-mode copy; export the mesh again");
    cursor.set_binary(true);
  }
  return is_v2 ? GmshVersion::v2 : GmshVersion::v4;
}

void read_physical_names(FileCursor& cursor, GmshContent& content) {
  const auto count = cursor.number<std::uint64_t>("the number of physical names");
  cursor.require_room(count, 6, "physical names");
  for (std::uint64_t i = 0; i < count; ++i) {
    const int dimension = cursor.number<int>("a dimension");
    const int group = cursor.number<int>("a physical group");
    const std::string_view line = cursor.line();
    const std::size_t begin = line.find('"'), end = line.rfind('"');
    if (begin == line.npos || end == begin)
      cursor.fail("a physical name must stand in double quotes", "quote the name");
    if (dimension >= 0 && dimension <= 3)
      content.group_names[dimension][group] = line.substr(begin + 1, end - begin - 1);
  }
}

/// Moves past "$End<name>".
void finish_section(GmshInput& input, std::string_view name, bool is_known) {
  FileCursor& cursor = input.cursor;
  const std::string end = fmt::format("$End{}", name);
  if (!is_known) {
    const std::size_t found = cursor.rest().find(end);
    if (found == std::string_view::npos) cursor.fail_end(end);
    cursor.skip(found);
  }
  if (const std::string_view word = cursor.token(end); word != end)
    cursor.fail(fmt::format("${} goes on where {} should stand", name, end),
                "the section's count is too small or a line is too long; export the mesh again");
}

GmshContent read_sections(GmshInput& input) {
  const GmshVersion version = read_format(input);
  finish_section(input, "MeshFormat", true);
  FileCursor& cursor = input.cursor;
  GmshContent content;
  GmshGroups groups;
  std::set<std::string, std::less<>> seen;
  while (cursor.skip_blanks()) {
    const std::string_view header = cursor.token("a section");
    if (header.size() < 2 || header[0] != '$')
      cursor.fail("expected a section such as $Nodes", "the file is damaged; export it again");
    const std::string name(header.substr(1));
    const bool has_data = name == "Nodes" || name == "Elements" || name == "Entities";
    if (has_data && !seen.insert(name).second)
      cursor.fail(fmt::format("there is a second ${} section", name), "keep one of them");
    if (has_data && input.is_binary && version == GmshVersion::v4) cursor.finish_line(header);
    bool is_known = true;
    if (name == "PhysicalNames")
      read_physical_names(cursor, content);
    else if (name == "Nodes")
      version == GmshVersion::v2 ? read_nodes_v2(input, content) : read_nodes_v4(input, content);
    else if (name == "Elements")
      version == GmshVersion::v2 ? read_elements_v2(input, content)
                                 : read_elements_v4(input, groups, content);
    else if (name == "Entities" && version == GmshVersion::v4)
      groups = read_entities_v4(input);
    else
      is_known = false;
    finish_section(input, name, is_known);
  }
  for (const std::string_view name : {"Nodes", "Elements"})
    if (!seen.contains(name))
      cursor.fail(fmt::format("there is no ${} section", name),
                  "the file is cut off or holds no mesh; export it with nodes and elements");
  return content;
}

/// Gives the elements of one type as N vertices each.
template <std::size_t N>
std::vector<std::array<int, N>> resolve_nodes(const std::vector<GmshElement>& elements,
                                              const TagIndex& index, const std::string& file) {
  std::vector<std::array<int, N>> resolved;
  resolved.reserve(elements.size());
  for (const GmshElement& element : elements) {
    std::array<int, N> corners;
    for (std::size_t i = 0; i < N; ++i) {
      corners[i] = index.find(element.nodes[i]);
      if (corners[i] < 0)
        throw InputError({file, fmt::format("element {}", element.element),
                          fmt::format("refers to node {}, which the file does not have",
                                      static_cast<std::int64_t>(element.nodes[i])),
                          "save all nodes with the mesh"});
    }
    resolved.push_back(corners);
  }
  return resolved;
}

/// The physical group of each element; where no element of this dimension is in one, the entity.
std::vector<int> regions_of(const std::vector<GmshElement>& elements,
                            const std::map<int, std::string>& group_names) {
  const bool has_groups = !group_names.empty() || std::any_of(elements.begin(), elements.end(),
                                                              [](const GmshElement& element) {
                                                                return element.physical != 0;
                                                              });
  std::vector<int> regions;
  regions.reserve(elements.size());
  for (const GmshElement& element : elements)
    regions.push_back(has_groups ? element.physical : element.entity);
  return regions;
}

TetMesh assemble(GmshContent content, const std::string& file) {
  const TagIndex index(content.node_tags);
  if (index.duplicate())
    throw InputError({file, fmt::format("node {}", *index.duplicate()),
                      "this node number is given twice", "number the nodes uniquely"});
  TetMesh mesh;
  mesh.vertices = std::move(content.nodes);
  const std::vector<GmshElement>& linear = content.elements[gmsh_tet_type];
  const std::vector<GmshElement>& quadratic = content.elements[gmsh_quadratic_tet_type];
  if (!linear.empty() && !quadratic.empty()) fail_mixed_orders(file);
  mesh.tets = resolve_nodes<4>(linear, index, file);
  for (const auto& nodes : resolve_nodes<10>(quadratic, index, file))
    add_quadratic_tet(nodes, gmsh_middles, mesh);
  const std::vector<GmshElement>& tets = quadratic.empty() ? linear : quadratic;
  mesh.regions = regions_of(tets, content.group_names[3]);
  const std::vector<GmshElement>& lines = content.elements[gmsh_line_type];
  mesh.region_names = std::move(content.group_names[tets.empty() && !lines.empty() ? 1 : 3]);
  if (!mesh.tets.empty()) return mesh;  // whose surface the others are

  mesh.triangles = resolve_nodes<3>(content.elements[gmsh_triangle_type], index, file);
  for (const auto& corners : resolve_nodes<4>(content.elements[gmsh_quadrangle_type], index, file))
    add_polygon(corners, mesh);
  mesh.bars = resolve_nodes<2>(lines, index, file);
  mesh.bar_regions = regions_of(lines, mesh.region_names);
  return mesh;
}

}  // namespace

const GmshElementType& usable_element_type(int number, const FileCursor& cursor) {
  const auto* type = std::find_if(std::begin(element_types), std::end(element_types),
                                  [&](const auto& known) { return known.number == number; });
  if (type == std::end(element_types))
    cursor.fail(fmt::format("Gmsh element type {} is unknown", number),
                "keep only tetrahedra in the volume; export the mesh again");
  if (type->dimension == 3 && number != gmsh_tet_type && number != gmsh_quadratic_tet_type)
    cursor.fail(fmt::format("the mesh contains a {} (Gmsh element type {})", type->name, number),
                type->name.find("tetra") != type->name.npos
                    ? "save tetrahedra of first or second order (Gmsh: gmsh -3 -order 2)"
                    : "mesh the volume with tetrahedra only, without recombination or extrusion");
  return *type;
}

TetMesh read_gmsh(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  GmshInput input{FileCursor(content, path.string())};
  return assemble(read_sections(input), path.string());
}

void write_gmsh(const std::filesystem::path& path, const TetMesh& mesh) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
  const auto out = std::back_inserter(text);
  if (!mesh.region_names.empty()) {
    fmt::format_to(out, "$PhysicalNames\n{}\n", mesh.region_names.size());
    for (const auto& [region, name] : mesh.region_names)
      fmt::format_to(out, "3 {} \"{}\"\n", region, name);
    text += "$EndPhysicalNames\n";
  }
  fmt::format_to(out, "$Nodes\n{}\n", mesh.vertices.size());
  for (int i = 0; i < mesh.num_vertices(); ++i) {
    const Vec3& x = mesh.vertices[i];
    fmt::format_to(out, "{} {} {} {}\n", i + 1, x[0], x[1], x[2]);
  }
  fmt::format_to(out, "$EndNodes\n$Elements\n{}\n", mesh.tets.size());
  const int type = mesh.is_quadratic() ? gmsh_quadratic_tet_type : gmsh_tet_type;
  for (int i = 0; i < mesh.num_tets(); ++i) {
    const int region = mesh.regions[i];
    fmt::format_to(out, "{} {} 2 {} {}", i + 1, type, region, region);
    for (const int vertex : nodes_of(mesh, i, gmsh_middles)) fmt::format_to(out, " {}", vertex + 1);
    text += '\n';
  }
  text += "$EndElements\n";
  write_file(path, text);
}

}  // namespace sinew::mesh::io
