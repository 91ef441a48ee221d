// SPDX-License-Identifier: Apache-2.0
// bdf2 linearised at u0 = (q0, v0): with w = h / (the step before), c = h (1 + w)/(1 + 2w),
//   (I - c J)(u1 - u0) = w^2/(1 + 2w) (u0 - u_-1) + c F0   (+ c h f_t in the velocity),
// for equal steps (I - 2h/3 J)(u1 - u0) = (u0 - u_-1 + 2 h F0)/3. Order 2, L-stable on linear
// problems; one factorisation and one solve. The first step is one of ssdirk2.
#include <sinew/integrators/implicit/sbdf2.hpp>
#include <sinew/integrators/methods.hpp>

namespace sinew::integrators {

void Sbdf2Step::prepare(const dynamics::DynamicalSystem& system) {
  start_.prepare(system);  // and the stage
  for (Vec* vector : {&f_, &h_rate_, &r_q_, &Mr_v_, &d_q_, &d_v_})
    vector->setZero(system.num_dofs());
}

StepStatus Sbdf2Step::run(StepContext& step, const dynamics::State& now, dynamics::State& next,
                          const StageObserver& observe) {
  const double h = step.dt;
  history_.begin(h);
  if (history_.is_empty()) return start_.run(step, now, next, observe);
  const auto [old, c] = bdf2_weights(h, history_.dt());
  stage_->linearize(step, now, f_);
  h_rate_.setZero();
  step.add_force_rate(now, h, h, h_rate_);
  StepStatus status = stage_->factorize(step, solver_, c);
  if (status == StepStatus::accepted && observe)
    status = observe({0, now, f_, h_rate_, *stage_, solver_});
  if (status != StepStatus::accepted) return status;
  d_v_ = now.v - history_.v();
  step.apply(step.system().mass(), d_v_, Mr_v_);
  Mr_v_ = old * Mr_v_ + c * (f_ + h_rate_);
  r_q_ = old * (now.q - history_.q()) + c * now.v;
  status = stage_->solve(step, solver_, r_q_, Mr_v_, d_q_, d_v_);
  if (status != StepStatus::accepted) return status;
  next.q = now.q + d_q_;
  next.v = now.v + d_v_;
  return StepStatus::accepted;
}

IntegratorEntry sbdf2() {
  return {.traits = {.name = "sbdf2",
                     .title = "semi-implicit BDF2",
                     .equation = "(I - 2h/3 J)(u1 - u0) = (u0 - u_-1 + 2 h F0)/3",
                     .order = 2,
                     .is_implicit = true,
                     .l_stable = true,
                     .multistep = true,
                     .keeps_linear_momentum = true,
                     .guarded = true,
                     .cost = "1 force, 1 tangent, 1 factorisation, 1 solve",
                     .reference = "ascher2022"},
          .options = {},
          .make = [](const Options&, const Services& services) -> std::unique_ptr<Integrator> {
            return std::make_unique<SemiImplicitMethod>(
                [](const SemiImplicitMethod::AddSolver& add_solver) {
                  return std::make_unique<Sbdf2Step>(add_solver());
                },
                services);
          }};
}

}  // namespace sinew::integrators
