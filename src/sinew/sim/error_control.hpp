// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sinew::sim {

struct ErrorControlSettings {
  double tolerance = 0.0;     ///< error of a step, root-mean-square over the body; 0: off [m]
  double dt_min = 0.0;        ///< give up below this [s]
  int order = 1;              ///< of the method
  bool is_estimated = false;  ///< the method estimates its error; otherwise steps are taken twice
};

/// Chooses step sizes by the error of the steps before: as large as the tolerance allows, at most
/// the nominal step.
class ErrorControl {
 public:
  ErrorControl(const ErrorControlSettings& settings, double dt_max)
      : settings_(settings), dt_max_(dt_max), dt_(dt_max) {}

  bool is_on() const { return settings_.tolerance > 0.0; }
  const ErrorControlSettings& settings() const { return settings_; }

  /// The step to try when this much time is left.
  double propose(double remaining) const;
  /// Whether a step with this error is good enough; the next proposal takes it into account.
  bool accepts(double dt, double error);
  /// A step was not accepted. False: it was the smallest one already.
  bool shrink_after_failure(double dt);

  double step_size() const { return dt_; }  ///< what would be tried with time to spare [s]
  void set_step_size(double dt) { dt_ = dt; }

 private:
  ErrorControlSettings settings_;
  double dt_max_, dt_;
};

}  // namespace sinew::sim
