// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/physics/term_sum.hpp>

namespace sinew::physics {

class TermFrame final : public dynamics::MaterialFrame {
 public:
  explicit TermFrame(const TermSum& sum) : sum_(sum) {}

  void rest_positions(VecOut q) const override;
  bool node_rotations(
      const dynamics::State&, dynamics::Workspace&, std::vector<Mat3>& rotations,
      dynamics::NodeRotations kind = dynamics::NodeRotations::neighbourhood) const override;
  Mat rigid_modes(const dynamics::State&) const override;

 private:
  /// Nearest to the mean deformation gradient around each free vertex.
  void rotations_of_gradients(const dynamics::State&, TermWorkspace&,
                              std::vector<Mat3>& rotations) const;
  /// Where three edges make no frame, nothing is changed.
  void replace_by_frames(TermWorkspace&, std::vector<Mat3>& rotations) const;
  /// Of each vertex, the ends of up to three of its edges that make the best frame at rest.
  std::vector<std::array<int, 3>> choose_edges() const;

  const TermSum& sum_;
};

}  // namespace sinew::physics
