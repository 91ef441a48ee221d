// SPDX-License-Identifier: Apache-2.0
// bdf2 linearised at u0 = (q0, v0): with w = h / (the step before), c = h (1 + w)/(1 + 2w),
//   (I - c J)(u1 - u0) = w^2/(1 + 2w) (u0 - u_-1) + c F0   (+ c h f_t in the velocity),
// for equal steps (I - 2h/3 J)(u1 - u0) = (u0 - u_-1 + 2 h F0)/3. Order 2, L-stable on linear
// problems; one factorisation and one solve. The first step is one of ssdirk2.
#include <sinew/integrators/history.hpp>
#include <sinew/integrators/sbdf2.hpp>
#include <sinew/integrators/ssdirk2.hpp>

namespace sinew::integrators {
namespace {

class Sbdf2 final : public TwoStepIntegrator {
 public:
  explicit Sbdf2(const Services& services) : TwoStepIntegrator(services), solver_(add_solver()) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    stage_.prepare(system);
    start_.prepare(system);
    for (Vec* vector : {&f_, &r_q_, &Mr_v_, &d_q_, &d_v_}) vector->setZero(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    const double h = step.dt;
    history_.begin(h);
    if (history_.is_empty()) return start_.run(step, stage_, solver_, now, next);
    const double w = h / history_.dt(), old = w * w / (1.0 + 2.0 * w);
    const double c = h * (1.0 + w) / (1.0 + 2.0 * w);
    stage_.linearize(step, now, f_);
    step.add_force_rate(now, h, h, f_);
    StepStatus status = stage_.factorize(step, solver_, c);
    if (status != StepStatus::accepted) return status;
    d_v_ = now.v - history_.v();
    step.apply(step.system().mass(), d_v_, Mr_v_);
    Mr_v_ = old * Mr_v_ + c * f_;
    r_q_ = old * (now.q - history_.q()) + c * now.v;
    status = stage_.solve(step, solver_, r_q_, Mr_v_, d_q_, d_v_);
    if (status != StepStatus::accepted) return status;
    next.q = now.q + d_q_;
    next.v = now.v + d_v_;
    return StepStatus::accepted;
  }

  la::LinearSolver& solver_;
  LinearStage stage_;
  Ssdirk2Step start_;
  Vec f_, r_q_, Mr_v_, d_q_, d_v_;
};

}  // namespace

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
            return std::make_unique<Sbdf2>(services);
          }};
}

}  // namespace sinew::integrators
