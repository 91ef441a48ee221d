// SPDX-License-Identifier: Apache-2.0
// What the readers of the two Gmsh versions share.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sinew/mesh/io/file_cursor.hpp>
#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

/// The file's numbers, written as text or as bytes.
struct GmshInput {
  FileCursor cursor;
  bool is_binary = false;
  std::endian order = std::endian::native;

  int integer(std::string_view what) {
    return is_binary ? cursor.raw<std::int32_t>(order, what) : cursor.number<int>(what);
  }
  std::uint64_t size(std::string_view what) {
    return is_binary ? cursor.raw<std::uint64_t>(order, what) : cursor.number<std::uint64_t>(what);
  }
  double real(std::string_view what) {
    return is_binary ? cursor.raw<double>(order, what) : cursor.number<double>(what);
  }
  /// The fewest bytes n numbers can take.
  std::size_t least_bytes(std::size_t n, std::size_t binary_bytes) const {
    return is_binary ? binary_bytes : 2 * n;
  }
};

/// A tet of either order, quadrangle, triangle or line as the file has it.
struct GmshElement {
  std::array<std::uint64_t, 10> nodes{};
  std::uint64_t element = 0;  ///< its number in the file
  int physical = 0;           ///< 0 for none
  int entity = 0;
};

inline constexpr int gmsh_line_type = 1;
inline constexpr int gmsh_triangle_type = 2;
inline constexpr int gmsh_quadrangle_type = 3;
inline constexpr int gmsh_tet_type = 4;
inline constexpr int gmsh_quadratic_tet_type = 11;

/// What is kept of a file.
struct GmshContent {
  std::vector<std::uint64_t> node_tags;
  std::vector<Vec3> nodes;
  std::map<int, std::vector<GmshElement>> elements;       ///< by type; of those above only
  std::array<std::map<int, std::string>, 4> group_names;  ///< of physical groups, by dimension

  /// Where to keep elements of a type; null for those that are skipped.
  std::vector<GmshElement>* list_of(int type) {
    return type <= gmsh_tet_type || type == gmsh_quadratic_tet_type ? &elements[type] : nullptr;
  }
};

struct GmshElementType {
  int number = 0;
  std::string_view name;
  int num_nodes = 0;
  int dimension = 0;
};

/// The type of that number; fails for unknown types and for volume elements other than tets.
const GmshElementType& usable_element_type(int number, const FileCursor& cursor);

/// Each reads the content of one section, after "$Name".
void read_nodes_v2(GmshInput& input, GmshContent& content);
void read_elements_v2(GmshInput& input, GmshContent& content);
/// First physical group of each entity, by dimension and number.
using GmshGroups = std::map<std::pair<int, int>, int>;
GmshGroups read_entities_v4(GmshInput& input);
void read_nodes_v4(GmshInput& input, GmshContent& content);
void read_elements_v4(GmshInput& input, const GmshGroups& groups, GmshContent& content);

}  // namespace sinew::mesh::io
