// SPDX-License-Identifier: Apache-2.0
// Small undamped vibrations about a state: K u = lambda M u, lambda = omega^2.
#pragma once

#include <vector>

#include <sinew/core/profile.hpp>
#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/la/eigen/modes.hpp>

namespace sinew::dynamics {

struct NaturalModesRequest {
  Index count = 10;         ///< the lowest, beside the rigid ones
  double tolerance = 1e-8;  ///< of residual / |lambda|, as far as rounding lets it be seen
};

struct [[nodiscard]] NaturalModes {
  la::SolveStatus status = la::SolveStatus::ok;
  la::Modes modes;             ///< rigid ones included; none unless ok or not_converged
  std::vector<bool> is_rigid;  ///< mostly a rigid motion
  Vec damping;                 ///< u^T D u, which is 2 omega times the damping ratio [1/s]
  double rounding = 0.0;       ///< residuals below this say nothing [1/s^2]
  double shift = 0.0;          ///< K + shift M was factorised [1/s^2]
  core::Profile profile;

  bool is_found(Index mode, double tolerance) const {
    return modes.residual[mode] <= tolerance * std::abs(modes.lambda[mode]) + rounding;
  }
};

/// Makes its own factor, of K + shift M with a shift that is small unless K is indefinite.
NaturalModes find_natural_modes(const DynamicalSystem& system, const State& state,
                                const NaturalModesRequest& request, la::LinearSolver& solver,
                                const la::Reducer& reducer);

}  // namespace sinew::dynamics
