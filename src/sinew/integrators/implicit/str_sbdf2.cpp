// SPDX-License-Identifier: Apache-2.0
// tr-bdf2 with each half linearised where it begins:
//   (I - h/4 J0)(uh - u0) = h/2 F0,    (I - h/3 Jh)(u1 - uh) = (uh - u0 + h Fh)/3
// Time counts as an unknown: + h^2/8 f_t and + h^2/6 f_t in the velocity. Order 2, L-stable on
// linear problems, one-step; two tangents, two factorisations, two solves.
#include <sinew/integrators/implicit/str_sbdf2.hpp>
#include <sinew/integrators/methods.hpp>

namespace sinew::integrators {

void StrSbdf2Step::prepare(const dynamics::DynamicalSystem& system) {
  stage_.prepare(system);
  for (Vec* vector : {&f_, &h_rate_, &r_q_, &Mr_v_, &d_q_, &d_v_})
    vector->setZero(system.num_dofs());
}

StepStatus StrSbdf2Step::run(StepContext& step, const dynamics::State& now, dynamics::State& next,
                             const StageObserver& observe) {
  const double h = step.dt;
  stage_.linearize(step, now, f_);
  h_rate_.setZero();
  step.add_force_rate(now, h / 2, h, h_rate_);
  StepStatus status = stage_.factorize(step, trapezoidal_solver_, h / 4);
  if (status == StepStatus::accepted && observe)
    status = observe({0, now, f_, h_rate_, stage_, trapezoidal_solver_});
  if (status != StepStatus::accepted) return status;
  r_q_ = h / 2 * now.v;
  Mr_v_ = h / 2 * (f_ + 0.25 * h_rate_);
  status = stage_.solve(step, trapezoidal_solver_, r_q_, Mr_v_, d_q_, d_v_);
  if (status != StepStatus::accepted) return status;
  half_ = now;
  half_.q += d_q_;
  half_.v += d_v_;
  half_.t += h / 2;

  step.apply(step.system().mass(), d_v_, Mr_v_);
  stage_.linearize(step, half_, f_);
  h_rate_.setZero();
  step.add_force_rate(half_, h / 2, h, h_rate_);
  status = stage_.factorize(step, bdf_solver_, h / 3);
  if (status == StepStatus::accepted && observe)
    status = observe({1, half_, f_, h_rate_, stage_, bdf_solver_});
  if (status != StepStatus::accepted) return status;
  r_q_ = (d_q_ + h * half_.v) / 3.0;
  Mr_v_ = (Mr_v_ + h * (f_ + 0.5 * h_rate_)) / 3.0;
  status = stage_.solve(step, bdf_solver_, r_q_, Mr_v_, d_q_, d_v_);
  if (status != StepStatus::accepted) return status;
  next.q = half_.q + d_q_;
  next.v = half_.v + d_v_;
  return StepStatus::accepted;
}

std::unique_ptr<SemiImplicitStep> make_str_sbdf2_step(
    const SemiImplicitMethod::AddSolver& add_solver) {
  la::LinearSolver& trapezoidal_solver = add_solver();
  return std::make_unique<StrSbdf2Step>(trapezoidal_solver, add_solver());
}

IntegratorEntry str_sbdf2() {
  return {
      .traits = {.name = "str-sbdf2",
                 .title = "semi-implicit tr-bdf2",
                 .equation =
                     "(I - h/4 J0)(uh - u0) = h/2 F0;  (I - h/3 Jh)(u1 - uh) = (uh - u0 + h Fh)/3",
                 .order = 2,
                 .is_implicit = true,
                 .l_stable = true,
                 .keeps_linear_momentum = true,
                 .guarded = true,
                 .cost = "2 forces, 2 tangents, 2 factorisations, 2 solves",
                 .reference = "ascher2022"},
      .options = {},
      .make = [](const Options&, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<SemiImplicitMethod>(make_str_sbdf2_step, services);
      }};
}

}  // namespace sinew::integrators
