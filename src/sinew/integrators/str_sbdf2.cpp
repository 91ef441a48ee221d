// SPDX-License-Identifier: Apache-2.0
// tr-bdf2 with each half linearised where it begins:
//   (I - h/4 J0)(uh - u0) = h/2 F0,    (I - h/3 Jh)(u1 - uh) = (uh - u0 + h Fh)/3
// Time counts as an unknown: + h^2/8 f_t and + h^2/6 f_t in the velocity. Order 2, L-stable on
// linear problems, one-step; two tangents, two factorisations, two solves.
#include <sinew/integrators/linear_stage.hpp>
#include <sinew/integrators/str_sbdf2.hpp>

namespace sinew::integrators {
namespace {

class StrSbdf2 final : public Integrator {
 public:
  explicit StrSbdf2(const Services& services)
      : Integrator(services), trapezoidal_solver_(add_solver()), bdf_solver_(add_solver()) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    stage_.prepare(system);
    for (Vec* vector : {&f_, &r_q_, &Mr_v_, &d_q_, &d_v_}) vector->setZero(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    const double h = step.dt;
    stage_.linearize(step, now, f_);
    StepStatus status = stage_.factorize(step, trapezoidal_solver_, h / 4);
    if (status != StepStatus::accepted) return status;
    r_q_ = h / 2 * now.v;
    Mr_v_ = h / 2 * f_;
    step.add_force_rate(now, h / 2, h * h / 8, Mr_v_);
    status = stage_.solve(step, trapezoidal_solver_, r_q_, Mr_v_, d_q_, d_v_);
    if (status != StepStatus::accepted) return status;
    half_ = now;
    half_.q += d_q_;
    half_.v += d_v_;
    half_.t += h / 2;

    step.apply(step.system().mass(), d_v_, Mr_v_);
    stage_.linearize(step, half_, f_);
    status = stage_.factorize(step, bdf_solver_, h / 3);
    if (status != StepStatus::accepted) return status;
    r_q_ = (d_q_ + h * half_.v) / 3.0;
    Mr_v_ = (Mr_v_ + h * f_) / 3.0;
    step.add_force_rate(half_, h / 2, h * h / 6, Mr_v_);
    status = stage_.solve(step, bdf_solver_, r_q_, Mr_v_, d_q_, d_v_);
    if (status != StepStatus::accepted) return status;
    next.q = half_.q + d_q_;
    next.v = half_.v + d_v_;
    return StepStatus::accepted;
  }

  la::LinearSolver& trapezoidal_solver_;
  la::LinearSolver& bdf_solver_;
  LinearStage stage_;
  dynamics::State half_;
  Vec f_, r_q_, Mr_v_, d_q_, d_v_;
};

}  // namespace

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
        return std::make_unique<StrSbdf2>(services);
      }};
}

}  // namespace sinew::integrators
