// SPDX-License-Identifier: Apache-2.0
// What four tets side by side show of their stress.
#pragma once

#include <array>
#include <cstddef>

#include <sinew/mesh/quadratic.hpp>
#include <sinew/physics/elements/decompose.hpp>
#include <sinew/physics/elements/pack.hpp>

namespace sinew::physics::tet_loops {

using Batch3 = Vector3<Pack>;
using Batch33 = Matrix3<Pack>;

/// xx, yy, zz, xy, yz, xz
using StressEntries = std::array<Pack, 6>;

inline Pack determinant(const Batch33& F) {
  return dot(F.c[0], cross(F.c[1], F.c[2]));
}

inline Batch33 cauchy_of(const Batch33& P, const Batch33& F) {
  return broadcast(1.0) / determinant(F) *
         (outer(P.c[0], F.c[0]) + outer(P.c[1], F.c[1]) + outer(P.c[2], F.c[2]));
}

inline StressEntries entries(const Batch33& stress) {
  return {stress.c[0].x, stress.c[1].y, stress.c[2].z, stress.c[1].x, stress.c[2].y, stress.c[2].x};
}

inline Pack von_mises_of(const Batch33& stress) {
  const auto [xx, yy, zz, xy, yz, xz] = entries(stress);
  return root(Pack(0.5 * ((xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx)) +
                   3.0 * (xy * xy + yz * yz + xz * xz)));
}

inline StressEntries at_corner(const std::array<StressEntries, 1>& at_points, std::size_t) {
  return at_points[0];
}

/// Outwards from the points, linearly; point k is the one next to corner k.
inline StressEntries at_corner(const std::array<StressEntries, 4>& at_points, std::size_t corner) {
  using mesh::tet_rule_far, mesh::tet_rule_near;
  StressEntries result;
  for (std::size_t c = 0; c < result.size(); ++c) {
    const Pack sum = at_points[0][c] + at_points[1][c] + at_points[2][c] + at_points[3][c];
    result[c] = (at_points[corner][c] - broadcast(tet_rule_far) * sum) /
                broadcast(tet_rule_near - tet_rule_far);
  }
  return result;
}

}  // namespace sinew::physics::tet_loops
