// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include <sinew/mesh/faces.hpp>

namespace sinew::mesh {

std::vector<TetFace> sorted_faces(const std::vector<Tet>& tets) {
  std::vector<TetFace> faces;
  faces.reserve(4 * tets.size());
  for (int tet = 0; tet < static_cast<int>(tets.size()); ++tet) {
    for (int side = 0; side < 4; ++side) {
      const auto& local = tet_faces[side];
      Triangle triangle{tets[tet][local[0]], tets[tet][local[1]], tets[tet][local[2]]};
      std::sort(triangle.begin(), triangle.end());
      faces.push_back({triangle, tet, side});
    }
  }
  std::sort(faces.begin(), faces.end(), [](const TetFace& a, const TetFace& b) {
    return std::tie(a.vertices, a.tet, a.side) < std::tie(b.vertices, b.tet, b.side);
  });
  return faces;
}

}  // namespace sinew::mesh
