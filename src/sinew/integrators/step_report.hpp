// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <sinew/core/profile.hpp>
#include <sinew/core/types.hpp>
#include <sinew/integrators/rung.hpp>
#include <sinew/la/phi/phi_action.hpp>

namespace sinew::integrators {

enum class StepStatus {
  accepted,
  newton_not_converged,
  linear_solve_failed,
  linear_solve_not_converged,
  phi_not_converged,
  no_square_root,
  not_finite,
  not_admissible,
  energy_not_finite,
  energy_rose,
  energy_absurd,
  elements_inverted,
  error_too_large,
};

/// The status as a word for tables: "accepted", "newton-not-converged", ...
std::string_view to_string(StepStatus status);
/// What happened and which parameter to change.
std::string_view explanation(StepStatus status);

/// The modes that a hybrid method treated by themselves.
struct ModalReport {
  int used = 0;           ///< rigid ones included
  int refused = 0;        ///< too poor to be trusted; left to the other method
  double residual = 0.0;  ///< the worst of those used: h^2 |K u - lambda M u| / (1 + h^2 |lambda|)
};

/// What one attempted step did.
struct [[nodiscard]] StepReport {
  StepStatus status = StepStatus::accepted;
  core::Profile profile;  ///< counts and seconds of this step
  Index projected = 0;    ///< elements changed by the definiteness policy
  int regularised = 0;    ///< matrices that needed a shift to become positive definite
  /// How far down a guard's ladder the step went: 0 the method as asked for, 1 with the projected
  /// tangent, 2 by si, 3 by be, 4 refused by all.
  Rung rung = Rung::as_asked;
  double error_estimate = 0.0;  ///< 0 when the method has none
  /// The most expensive evaluation of matrix functions.
  std::optional<la::PhiReport> phi{};
  std::optional<ModalReport> modes{};
};

}  // namespace sinew::integrators
