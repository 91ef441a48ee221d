// SPDX-License-Identifier: Apache-2.0
// What eti, neti and ceti share. The force is split into a linear part and a constant load, solved
// exactly, and the rest, which acts in kicks. With y = R^T q - r in the axes of the linear part
// (R = I but for ceti),
//
//   M y'' + D y' + K y = M (a + g),     a + g = M^-1 (R^T f + K y + D y')
//
// one-step form, E(h) the exact flow of the linear part with the load a:
//   w = y' + h/2 kick g(phi y),   (y1, w1) = E(h) (y, w),   y1' = w1 + h/2 kick g(phi y1)
// two-step form, for positions:
//   y1 = 2 cos(h Omega) y - y_-1 + h^2 (sinc^2(h Omega/2) a + psi g(phi y))     (undamped)
// phi, psi and kick = psi/sinc are functions of h Omega: filters.hpp. Both forms give the same
// positions for a linear part that stays the same. Order 2 for any linear part.
#pragma once

#include <optional>

#include <sinew/integrators/integrator.hpp>
#include <sinew/integrators/parts/filters.hpp>
#include <sinew/integrators/parts/shifted_matrix.hpp>
#include <sinew/la/phi/oscillator_flow.hpp>

namespace sinew::integrators {

/// `filter`, `form`, `damping`, `load`, `tolerance` and `kernel`, after those of the method itself.
std::vector<OptionInfo> with_trigonometric_options(std::vector<OptionInfo> own = {});

/// Whether these options lead to the two-step form, which keeps a history.
bool is_two_step(const Options& options);

class TrigonometricMethod : public Integrator {
 protected:
  TrigonometricMethod(const Options& options, const Services& services);

  /// Chooses K, r and R for a step from `now`: by set_linear_part and `rotations`. Called before
  /// every step.
  virtual StepStatus choose_linear_part(StepContext& step, const dynamics::State& now) = 0;
  /// K and D as linearised at `at`, tangent or secant; functions of the old ones are forgotten.
  void set_linear_part(StepContext& step, const dynamics::State& at, dynamics::Stiffness stiffness);
  /// A linear part that stays the same, taken at the rest shape.
  void set_linear_part_at_rest(StepContext& step, const dynamics::State& now);
  bool has_linear_part() const { return has_linear_part_; }
  /// phi(h Omega) y.
  [[nodiscard]] StepStatus filtered(StepContext& step, const Vec& y, Vec& out);
  const Vec& centre() const { return centre_; }
  const dynamics::Linearization& linear_part() const { return *linearization_; }

  std::vector<Mat3> rotations_;     ///< of the axes at each node; none: all identity
  bool keeps_linear_part_ = false;  ///< then small systems are decomposed once

 private:
  void prepare(const dynamics::DynamicalSystem& system) final;
  StepStatus do_step(StepContext& step, const dynamics::State& now, dynamics::State& next) final;
  void commit(const dynamics::State& before, const dynamics::State& after) final;
  /// Starts again from the velocity: the positions of another method's step do not tell it as those
  /// of the two-step form do.
  void on_skipped(const dynamics::State&, const dynamics::State&, double) final;
  void save_history(Memory& memory) const final;
  void restore_history(const Memory& memory) final;
  void forget_history() final;

  StepStatus one_step(StepContext& step, const dynamics::State& now, dynamics::State& next);
  StepStatus two_step(StepContext& step, const dynamics::State& now, dynamics::State& next);
  /// h/2 kick g(phi y), at velocity v and time t.
  [[nodiscard]] StepStatus half_kick(StepContext& step, const Vec& y, const Vec& v, double t,
                                     Vec& kick);
  /// The second kick of one step is the first of the next, if all is as it was.
  bool kick_is_known(const StepContext& step, const dynamics::State& now) const;
  /// g at displacement y and velocity v (own axes) and time t.
  void acceleration(StepContext& step, const Vec& y, const Vec& v, double t, Vec& g);
  /// M^-1 (K y + D v), without D v unless asked for.
  void linear_acceleration(StepContext& step, const Vec& y, const Vec& v, bool takes_velocity,
                           Vec& out);
  /// g -= M^-1 D v for the lagged velocity.
  void lag_damping(StepContext& step, const Vec& velocity, Vec& g);
  template <class Symbols>
  [[nodiscard]] StepStatus functions(StepContext& step, const Symbols& symbols, const MatIn& B,
                                     Mat& Y);
  /// R x, or R^T x.
  void turn(const VecIn& x, bool back, Vec& out) const;

  const FilterPair& filter_;
  bool two_step_form_ = false, lagged_damping_, solves_load_;
  bool lags_damping_ = false;  // asked for, or nothing else is possible
  la::PhiEvaluator evaluator_;
  ShiftedMatrix shifted_;
  std::unique_ptr<dynamics::Linearization> linearization_;
  std::unique_ptr<la::LinearOperator> turned_damping_;
  la::FlowDamping damping_;
  bool has_linear_part_ = false, knows_rest_ = false;
  Vec centre_;
  Vec load_;       // a in the axes of the world; empty: not known yet
  Vec reference_;  // where the run began, if the system knows no rest
  Vec previous_;   // q before the last step, for the two-step form; empty: none
  double previous_dt_ = 0.0, last_dt_ = 0.0;
  std::optional<la::SpectralBounds> restored_bounds_;
  struct {
    Vec q;
    double t = 0.0, dt = 0.0;
  } kicked_at_;  // where kick_ belongs to

  dynamics::State at_;
  Vec y_, v_, g_, f_, product_, stretched_, kick_, predicted_, filtered_, constant_;
  Mat starts_, results_, forced_;
  la::Phase flow_;
};

}  // namespace sinew::integrators
