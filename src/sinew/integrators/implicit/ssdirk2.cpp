// SPDX-License-Identifier: Apache-2.0
// sdirk2 with the Jacobian J frozen at u0. With g = 2 - sqrt 2, c = g h/2, w = sqrt(2)/(2 g):
//   (I - c J)(um - u0) = g h F0,    (I - c J)(u1 - um) = (w - 1)(um - u0) + c Fm
// Time counts as an unknown of its own, which adds c f_t times the time each stage spans. Order 2,
// L-stable, one factorisation and two solves; the natural cheap second-order method.
#include <numbers>

#include <sinew/integrators/implicit/ssdirk2.hpp>
#include <sinew/integrators/methods.hpp>

namespace sinew::integrators {

void Ssdirk2Step::prepare(const dynamics::DynamicalSystem& system) {
  stage_->prepare(system);
  for (Vec* vector : {&f_, &h_rate_, &r_q_, &Mr_v_, &d_q_, &d_v_, &Md_v_})
    vector->setZero(system.num_dofs());
}

StepStatus Ssdirk2Step::run(StepContext& step, const dynamics::State& now, dynamics::State& next,
                            const StageObserver& observe) {
  constexpr double g = 2.0 - std::numbers::sqrt2;
  constexpr double w = 0.5 * std::numbers::sqrt2 / g;
  const double h = step.dt, c = 0.5 * g * h;
  stage_->linearize(step, now, f_);
  h_rate_.setZero();
  step.add_force_rate(now, h, h, h_rate_);
  StepStatus status = stage_->factorize(step, solver_, c);
  if (status == StepStatus::accepted && observe)
    status = observe({0, now, f_, h_rate_, *stage_, solver_});
  if (status != StepStatus::accepted) return status;

  r_q_ = g * h * now.v;
  Mr_v_ = g * (h * f_ + c * h_rate_);
  status = stage_->solve(step, solver_, r_q_, Mr_v_, d_q_, d_v_);
  if (status != StepStatus::accepted) return status;
  middle_ = now;
  middle_.q += d_q_;
  middle_.v += d_v_;
  middle_.t += g * h;

  step.force(middle_, f_);
  step.apply(step.system().mass(), d_v_, Md_v_);
  r_q_ = (w - 1.0) * d_q_ + c * middle_.v;
  Mr_v_ = (w - 1.0) * Md_v_ + c * (f_ + (1.0 - g) * h_rate_);
  status = stage_->solve(step, solver_, r_q_, Mr_v_, d_q_, d_v_);
  if (status != StepStatus::accepted) return status;
  next.q = middle_.q + d_q_;
  next.v = middle_.v + d_v_;
  return StepStatus::accepted;
}

std::unique_ptr<SemiImplicitStep> make_ssdirk2_step(
    const SemiImplicitMethod::AddSolver& add_solver) {
  return std::make_unique<Ssdirk2Step>(std::make_shared<LinearStage>(), add_solver());
}

IntegratorEntry ssdirk2() {
  return {.traits = {.name = "ssdirk2",
                     .title = "semi-implicit sdirk2",
                     .equation = "(I - c J)(um - u0) = g h F0;  (I - c J)(u1 - um) = (w - 1)(um - "
                                 "u0) + c Fm;  c = g h/2",
                     .order = 2,
                     .is_implicit = true,
                     .l_stable = true,
                     .keeps_linear_momentum = true,
                     .guarded = true,
                     .cost = "2 forces, 1 tangent, 1 factorisation, 2 solves",
                     .reference = "ascher2022"},
          .options = {},
          .make = [](const Options&, const Services& services) -> std::unique_ptr<Integrator> {
            return std::make_unique<SemiImplicitMethod>(make_ssdirk2_step, services);
          }};
}

}  // namespace sinew::integrators
