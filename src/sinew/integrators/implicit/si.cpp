// SPDX-License-Identifier: Apache-2.0
// Backward Euler linearised at (q0, v0):
//   (M + h D + h^2 K) dv = h (f + h f_t) - h^2 K v0
//   v1 = v0 + dv,  q1 = q0 + h v1
// f, K, D at (q0, v0, t0); f_t = df/dt where the force depends on time. Order 1; equals backward
// Euler for linear forces: energy falls by 1/(1 + (h omega)^2) per step. One factorisation and one
// solve; fails when the matrix is not positive definite.
//
// The variant "predicted" is one Newton step of backward Euler from v1 = v0: f, K, D at
// (q0 + h v0, v0, t0 + h) and (M + h D + h^2 K) dv = h f. Of the same order, less stable.
#include <sinew/integrators/implicit/si.hpp>
#include <sinew/integrators/methods.hpp>

namespace sinew::integrators {

void SiStep::prepare(const dynamics::DynamicalSystem& system) {
  stage_.prepare(system);
  for (Vec* vector : {&f_, &h_rate_, &r_q_, &Mr_v_, &d_q_, &d_v_})
    vector->setZero(system.num_dofs());
}

StepStatus SiStep::run(StepContext& step, const dynamics::State& now, dynamics::State& next,
                       const StageObserver& observe) {
  const double h = step.dt;
  at_ = now;
  if (predicts_) {
    at_.q += h * now.v;
    at_.t += h;
  }
  stage_.linearize(step, at_, f_);
  if (!predicts_) {
    h_rate_.setZero();
    step.add_force_rate(now, h, h, h_rate_);
    r_q_ = h * now.v;
  }
  StepStatus status = stage_.factorize(step, solver_, h);
  if (status == StepStatus::accepted && observe)
    status = observe({0, at_, f_, h_rate_, stage_, solver_});
  if (status != StepStatus::accepted) return status;
  Mr_v_ = h * (f_ + h_rate_);
  status = stage_.solve(step, solver_, r_q_, Mr_v_, d_q_, d_v_);
  if (status != StepStatus::accepted) return status;
  next.v = now.v + d_v_;
  next.q = now.q + h * next.v;
  return StepStatus::accepted;
}

IntegratorEntry si() {
  return {
      .traits =
          {.name = "si",
           .title = "semi-implicit backward Euler",
           .equation =
               "(M + h D + h^2 K) dv = h (f + h f_t) - h^2 K v0;  v1 = v0 + dv;  q1 = q0 + h v1",
           .order = 1,
           .is_implicit = true,
           .l_stable = true,
           .keeps_linear_momentum = true,
           .guarded = true,
           .serves_as = Rung::linear,
           .cost = "1 force, 1 tangent, 1 factorisation, 1 solve",
           .reference = "baraff1998"},
      .options = {{.name = "variant",
                   .summary = "where force and tangent are taken: at the beginning of the step "
                              "(current), or at q0 + h v0 (predicted)",
                   .default_value = std::string("current"),
                   .choices = {"current", "predicted"}}},
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        const bool predicts = options.text("variant") == "predicted";
        return std::make_unique<SemiImplicitMethod>(
            [predicts](const SemiImplicitMethod::AddSolver& add_solver) {
              return std::make_unique<SiStep>(add_solver(), predicts);
            },
            services);
      },
      .rungs = [](const Options& options) -> Rungs {
        // the linear rung is this method with the variant `current`
        if (options.text("variant") == "current") return {Rung::projected, Rung::nonlinear};
        return {Rung::projected, Rung::linear, Rung::nonlinear};
      }};
}

}  // namespace sinew::integrators
