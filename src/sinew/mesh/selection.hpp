// SPDX-License-Identifier: Apache-2.0
// Picks vertices or tets of a mesh by where they are or what they belong to.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// What is picked satisfies every condition that is given; none given picks everything.
struct Selection {
  struct Plane {
    Vec3 point = Vec3::Zero();    ///< [m]
    Vec3 normal = Vec3::UnitX();  ///< any length but zero
    double within = 1e-6;         ///< distance to either side [m]
  };
  struct Sphere {
    Vec3 center = Vec3::Zero();  ///< [m]
    double radius = 0.0;         ///< [m]
  };

  std::optional<std::array<Vec3, 2>> box;  ///< two opposite corners [m]
  std::optional<Plane> plane;
  std::optional<Sphere> sphere;
  std::optional<std::vector<int>> vertices;  ///< vertex numbers, from 0
  std::optional<std::string> region;         ///< name or number
};

/// Sorted vertex numbers. A vertex belongs to the regions of all tets and bars around it. Throws
/// InputError for a region or a vertex that the mesh does not have.
std::vector<int> select_vertices(const TetMesh& mesh, const Selection& selection);

/// Sorted tet numbers; a tet is where its centroid is. With `vertices`, all four corners must be
/// among them.
std::vector<int> select_tets(const TetMesh& mesh, const Selection& selection);

/// Numbers of those `bars`, the first of which are the mesh's own, that lie there: a bar is where
/// its middle is. With `vertices`, both ends must be among them.
std::vector<int> select_bars(const TetMesh& mesh, std::span<const Edge> bars,
                             const Selection& selection);

}  // namespace sinew::mesh
