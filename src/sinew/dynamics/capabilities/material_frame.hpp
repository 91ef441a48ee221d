// SPDX-License-Identifier: Apache-2.0
// The shape a body came from and how it has turned since.
#pragma once

#include <vector>

#include <sinew/dynamics/state.hpp>

namespace sinew::dynamics {

struct Workspace;

/// How the rotation at a node is found.
enum class NodeRotations {
  neighbourhood,  ///< the one nearest to the mean deformation gradient of the elements around it
  edges,          ///< that of a frame made of three edges at the node
};

class MaterialFrame {
 public:
  virtual ~MaterialFrame() = default;

  /// Positions without elastic forces.
  virtual void rest_positions(VecOut q) const = 0;
  /// Rotations of the material at the nodes; node k owns dofs 3k .. 3k+2. False: all identity.
  virtual bool node_rotations(const State&, Workspace&, std::vector<Mat3>&,
                              NodeRotations = NodeRotations::neighbourhood) const {
    return false;
  }
  /// Velocities of the motions that cost no energy, one per column; none when held fast.
  virtual Mat rigid_modes(const State& state) const { return Mat(state.q.size(), 0); }
};

}  // namespace sinew::dynamics
