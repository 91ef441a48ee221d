// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <sinew/mesh/tet_mesh.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// A mesh that changes its shape.
struct MeshSequence {
  mesh::TetMesh first;
  std::vector<double> times;              ///< [s]
  std::vector<std::vector<Vec3>> places;  ///< of all vertices, at each of them [m]
};

/// Files are relative to `directory`. Throws InputError where there are none, or where their meshes
/// have different vertices.
MeshSequence read_sequence(const SequenceSpec& sequence, const std::string& directory);

}  // namespace sinew::scene
