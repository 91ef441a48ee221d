// SPDX-License-Identifier: Apache-2.0
// Exponential Rosenbrock method of order 4 with two stages:
//   U  = u0 + 3/4 h phi_1(3/4 h J) F(u0)
//   u1 = u0 + h phi_1(h J) F(u0) + 32/9 h phi_3(h J) (g(U) - g(u0)),   g(u) = F(u) - J u
// with J = dF/du at u0, and phi_2 terms for forces that depend on time. The first line and the
// linear part of the second come from one evaluation at two times. Order 4, also for stiff linear
// parts; exact for linear forces. No damping of its own.
#include <array>

#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/phi_stage.hpp>

namespace sinew::integrators {
namespace {

class Exprb42 final : public RosenbrockMethod {
 public:
  using RosenbrockMethod::RosenbrockMethod;

 private:
  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    constexpr double c = 0.75, b = 32.0 / 9.0;  // b c^2 = 2
    stage_.linearize(step, now);
    constexpr std::array<double, 2> times{c, 1.0};
    StepStatus status = stage_.linear_motion(step, times, motion_);
    if (status != StepStatus::accepted) return status;
    stage_.remainder(step, motion_[0], c, remainder_);
    remainder_ *= b;
    status = stage_.correction(step, remainder_, nullptr, correction_);
    if (status != StepStatus::accepted) return status;
    next.q = now.q + motion_[1].q + correction_.q;
    next.v = now.v + motion_[1].v + correction_.v;
    return StepStatus::accepted;
  }

  std::array<la::Phase, 2> motion_;
  la::Phase correction_;
  Vec remainder_;
};

}  // namespace

IntegratorEntry exprb42() {
  return {
      .traits = {.name = "exprb42",
                 .title = "exponential Rosenbrock method of order 4, two stages",
                 .equation = "U = u0 + 3/4 h phi_1(3/4 h J) F;  u1 = u0 + h phi_1(h J) F + 32/9 h "
                             "phi_3(h J) (g(U) - g(u0))",
                 .order = 4,
                 .is_exponential = true,
                 .keeps_energy = true,
                 .exact_for_linear = true,
                 .keeps_linear_momentum = true,
                 .guarded = true,
                 .cost = "2 forces, 1 tangent, about 1.5 h omega_max products",
                 .reference = "luan2020"},
      .options = with_phi_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<Exprb42>(options, services);
      }};
}

}  // namespace sinew::integrators
