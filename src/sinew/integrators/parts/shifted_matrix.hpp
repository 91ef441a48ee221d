// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <sinew/dynamics/linearization.hpp>
#include <sinew/integrators/step_context.hpp>
#include <sinew/la/phi/oscillator_flow.hpp>

namespace sinew::integrators {

/// M + c D + c^2 K of a linearisation, for matrix functions that want to solve with it. The solver
/// is made when it is first asked for.
class ShiftedMatrix final : public la::ShiftedSolver {
 public:
  explicit ShiftedMatrix(const Services& services) : services_(services) {}

  /// It must live until the next call.
  void bind(dynamics::Linearization& linearization) { linearization_ = &linearization; }

  la::SolveStatus factorize(double c) override;
  la::SolveStatus solve(const VecIn& b, VecOut x) override;

 private:
  Services services_;
  dynamics::Linearization* linearization_ = nullptr;
  std::unique_ptr<la::LinearSolver> solver_;
};

}  // namespace sinew::integrators
