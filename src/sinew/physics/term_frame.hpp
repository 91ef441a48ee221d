// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/physics/term_sum.hpp>

namespace sinew::physics {

class TermFrame final : public dynamics::MaterialFrame {
 public:
  explicit TermFrame(const TermSum& sum) : sum_(sum) {}

  void rest_positions(VecOut q) const override;
  /// Nearest rotations of the mean deformation gradient around each free vertex.
  bool node_rotations(const dynamics::State&, dynamics::Workspace&,
                      std::vector<Mat3>& rotations) const override;
  Mat rigid_modes(const dynamics::State&) const override;

 private:
  const TermSum& sum_;
};

}  // namespace sinew::physics
