// SPDX-License-Identifier: Apache-2.0
// Where a solid cracks: at vertices around which the largest principal tension, the mean of the
// tets there, is above what the material bears; across the direction of that tension (obrien1999).
#pragma once

#include <span>
#include <vector>

#include <sinew/mesh/cut_mesh.hpp>

namespace sinew::physics {

struct Crack {
  int vertex = 0;
  Vec3 normal = Vec3::UnitX();  ///< of length 1
  double tension = 0.0;         ///< [Pa]
};

/// The strongest first. `stress`: xx, yy, zz, xy, yz, xz of every tet [Pa]. Vertices that `may_not`
/// names do not crack: what was opened has given way already.
std::vector<Crack> find_cracks(const mesh::TetMesh& mesh, std::span<const double> stress,
                               const std::vector<char>& may_not, double strength);

/// The plane of a crack through the tets around its vertex, and no further.
mesh::CutSurface surface_of(const Crack& crack, const mesh::TetMesh& mesh,
                            std::span<const Vec3> places, double snap);

}  // namespace sinew::physics
