// SPDX-License-Identifier: Apache-2.0
// The linearised motion, exactly:
//   u1 = u0 + h phi_1(h J) F(u0) + h^2 phi_2(h J) F_t,   u = (q, v), F = (v, M^-1 f), J = dF/du
// Without damping, with a = M^-1 f and A = M^-1 K:
//   q1 = q0 + h c_1(h^2 A) v0 + h^2 c_2(h^2 A) a,   v1 = c_0(h^2 A) v0 + h c_1(h^2 A) a
// Order 2; exact for linear forces at any step. It damps nothing, and fails on strongly nonlinear
// stiff motion at large steps. Products with K grow like h omega_max; nothing is factorised.
#include <array>

#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/phi_stage.hpp>

namespace sinew::integrators {
namespace {

class ExponentialRosenbrockEuler final : public RosenbrockMethod {
 public:
  using RosenbrockMethod::RosenbrockMethod;

 private:
  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    stage_.linearize(step, now);
    constexpr std::array<double, 1> end{1.0};
    const StepStatus status = stage_.linear_motion(step, end, {&motion_, 1});
    if (status != StepStatus::accepted) return status;
    next.q = now.q + motion_.q;
    next.v = now.v + motion_.v;
    return StepStatus::accepted;
  }

  la::Phase motion_;
};

}  // namespace

IntegratorEntry ere() {
  return {
      .traits = {.name = "ere",
                 .title = "exponential Rosenbrock-Euler",
                 .equation = "u1 = u0 + h phi_1(h J) F(u0) + h^2 phi_2(h J) F_t",
                 .order = 2,
                 .is_exponential = true,
                 .keeps_energy = true,
                 .exact_for_linear = true,
                 .keeps_linear_momentum = true,
                 .guarded = true,
                 .cost = "1 force, 1 tangent, about h omega_max products",
                 .reference = "hochbruck2010"},
      .options = with_phi_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<ExponentialRosenbrockEuler>(options, services);
      }};
}

}  // namespace sinew::integrators
