// SPDX-License-Identifier: Apache-2.0
#include <sinew/mesh/generators/hex_split.hpp>

namespace sinew::mesh {

std::span<const Tet, 5> hex_tets(bool first_is_black) {
  // the two ways to colour a cell
  static constexpr Tet black_first[5] = {
      {1, 0, 5, 3}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 3, 5, 6}, {0, 3, 6, 5}};
  static constexpr Tet white_first[5] = {
      {0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}, {1, 2, 4, 7}};
  return first_is_black ? black_first : white_first;
}

void split_hex(TetMesh& mesh, const std::array<int, 8>& corners, bool first_is_black, int region) {
  for (const Tet& local : hex_tets(first_is_black)) {
    mesh.tets.push_back(
        {corners[local[0]], corners[local[1]], corners[local[2]], corners[local[3]]});
    mesh.regions.push_back(region);
  }
}

}  // namespace sinew::mesh
