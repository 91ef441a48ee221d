// SPDX-License-Identifier: Apache-2.0
// Exponential Rosenbrock method of order 4 with three stages, two of them independent:
//   U2 = u0 + 1/2 h phi_1(1/2 h J) F(u0),   U3 = u0 + h phi_1(h J) F(u0)
//   u1 = U3 + h phi_3(h J) (16 D2 - 2 D3) + h phi_4(h J) (-48 D2 + 12 D3),   Di = g(Ui) - g(u0)
// with g(u) = F(u) - J u and J = dF/du at u0, and phi_2 terms for forces that depend on time. Both
// stages come from one evaluation at two times. Order 4, exact for linear forces.
#include <array>

#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/phi_stage.hpp>

namespace sinew::integrators {
namespace {

class Pexprb43 final : public RosenbrockMethod {
 public:
  using RosenbrockMethod::RosenbrockMethod;

 private:
  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    stage_.linearize(step, now);
    constexpr std::array<double, 2> times{0.5, 1.0};
    StepStatus status = stage_.linear_motion(step, times, motion_);
    if (status != StepStatus::accepted) return status;
    stage_.remainder(step, motion_[0], times[0], D2_);
    stage_.remainder(step, motion_[1], times[1], D3_);
    b3_ = 16.0 * D2_ - 2.0 * D3_;
    b4_ = -48.0 * D2_ + 12.0 * D3_;
    status = stage_.correction(step, b3_, &b4_, correction_);
    if (status != StepStatus::accepted) return status;
    next.q = now.q + motion_[1].q + correction_.q;
    next.v = now.v + motion_[1].v + correction_.v;
    return StepStatus::accepted;
  }

  std::array<la::Phase, 2> motion_;
  la::Phase correction_;
  Vec D2_, D3_, b3_, b4_;
};

}  // namespace

IntegratorEntry pexprb43() {
  return {
      .traits = {.name = "pexprb43",
                 .title = "exponential Rosenbrock method of order 4, three stages",
                 .equation = "U2 = u0 + h/2 phi_1(h/2 J) F;  U3 = u0 + h phi_1(h J) F;  u1 = U3 + "
                             "h phi_3(h J) (16 D2 - 2 D3) + h phi_4(h J) (-48 D2 + 12 D3)",
                 .order = 4,
                 .is_exponential = true,
                 .keeps_energy = true,
                 .exact_for_linear = true,
                 .keeps_linear_momentum = true,
                 .guarded = true,
                 .cost = "3 forces, 1 tangent, about 2 h omega_max products",
                 .reference = "luan2020"},
      .options = with_phi_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<Pexprb43>(options, services);
      }};
}

}  // namespace sinew::integrators
