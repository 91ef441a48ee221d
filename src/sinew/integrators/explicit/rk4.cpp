// SPDX-License-Identifier: Apache-2.0
// The classical four-stage method on u' = F(u) = (v, M^-1 f):
//   k1 = F(u0), k2 = F(u0 + h/2 k1), k3 = F(u0 + h/2 k2), k4 = F(u0 + h k3)
//   u1 = u0 + h/6 (k1 + 2 k2 + 2 k3 + k4)
// Order 4; stable for h omega < 2 sqrt 2; |R(i x)|^2 = 1 - x^6/72 + x^8/576.
#include <array>

#include <sinew/integrators/methods.hpp>

namespace sinew::integrators {
namespace {

class Rk4 final : public Integrator {
 public:
  explicit Rk4(const Services& services) : Integrator(services) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    f_.resize(system.num_dofs());
    a_.resize(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    struct Stage {
      double node, weight;
    };
    static constexpr std::array stages{Stage{0.0, 1.0 / 6}, Stage{0.5, 1.0 / 3},
                                       Stage{0.5, 1.0 / 3}, Stage{1.0, 1.0 / 6}};
    const double h = step.dt;
    stage_ = now;
    for (const auto& [node, weight] : stages) {
      // (stage_.v, a_) of the stage before is its slope; the first stage has node 0
      if (node > 0.0) {
        stage_.q = now.q + node * h * stage_.v;
        stage_.v = now.v + node * h * a_;
        stage_.t = now.t + node * h;
      }
      step.force(stage_, f_);
      step.divide_by_mass(f_, a_);
      next.q += h * weight * stage_.v;
      next.v += h * weight * a_;
    }
    return StepStatus::accepted;
  }

  dynamics::State stage_;
  Vec f_, a_;
};

}  // namespace

IntegratorEntry rk4() {
  return {.traits = {.name = "rk4",
                     .title = "classical Runge-Kutta",
                     .equation = "u1 = u0 + h/6 (k1 + 2 k2 + 2 k3 + k4)",
                     .order = 4,
                     .keeps_linear_momentum = true,
                     .cost = "4 forces",
                     .reference = "hairer1993"},
          .options = {},
          .make = [](const Options&, const Services& services) -> std::unique_ptr<Integrator> {
            return std::make_unique<Rk4>(services);
          }};
}

}  // namespace sinew::integrators
