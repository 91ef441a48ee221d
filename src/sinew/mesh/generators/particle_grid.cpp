// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <sinew/mesh/generators/particle_grid.hpp>

namespace sinew::mesh {

void ParticleGrid::add_triangles(int axis, int index, bool faces_onward) {
  const auto a = static_cast<std::size_t>(axis);
  const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
  const auto add = [&](int first, int second, int third) {
    if (!faces_onward) std::swap(second, third);
    mesh_.triangles.push_back({first, second, third});
  };
  Point point;
  point[a] = index;
  for (point[c] = 0; point[c] + 1 < counts_[c]; ++point[c])
    for (point[b] = 0; point[b] + 1 < counts_[b]; ++point[b]) {
      const auto corner = [&](int onward, int upward) {
        Point other = point;
        other[b] += onward;
        other[c] += upward;
        return at(other);
      };
      const int p00 = corner(0, 0), p10 = corner(1, 0), p11 = corner(1, 1), p01 = corner(0, 1);
      if (at_even_points(point, point)) {
        add(p00, p10, p11);
        add(p00, p11, p01);
      } else {
        add(p00, p10, p01);
        add(p10, p11, p01);
      }
    }
}

}  // namespace sinew::mesh
