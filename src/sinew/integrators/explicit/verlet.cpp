// SPDX-License-Identifier: Apache-2.0
//   vh = v0 + h/2 M^-1 f(q0, v0, t0),   q1 = q0 + h vh,   v1 = vh + h/2 M^-1 f(q1, v1, t1)
// Order 2, symplectic and symmetric without damping, stable for h omega < 2. With damping the last
// formula is taken with v1 predicted from f(q1, vh, t1), which keeps the order.
#include <sinew/integrators/methods.hpp>

namespace sinew::integrators {
namespace {

class Verlet final : public Integrator {
 public:
  explicit Verlet(const Services& services) : Integrator(services) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    for (Vec* vector : {&f_, &a_, &vh_}) vector->resize(system.num_dofs());
    known_q_.resize(0);
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    const double half = 0.5 * step.dt;
    const dynamics::ForceTraits traits = step.system().traits();
    const bool is_damped = traits.damping != dynamics::DampingKind::none;
    const bool is_known = traits.keeps_force && !is_damped && now.t == known_t_ &&
                          now.q.size() == known_q_.size() && now.q == known_q_;
    if (!is_known) {
      step.force(now, f_);
      step.divide_by_mass(f_, a_);
    }
    vh_ = now.v + half * a_;
    next.q = now.q + step.dt * vh_;
    next.v = vh_;
    next.t = now.t + step.dt;
    for (int pass = 0; pass < (is_damped ? 2 : 1); ++pass) {
      step.force(next, f_);
      step.divide_by_mass(f_, a_);
      next.v = vh_ + half * a_;
    }
    known_q_ = next.q;
    known_t_ = next.t;
    return StepStatus::accepted;
  }

  Vec f_, a_, vh_;
  Vec known_q_;  // where a_ was evaluated
  double known_t_ = 0.0;
};

}  // namespace

IntegratorEntry verlet() {
  return {.traits = {.name = "verlet",
                     .title = "velocity Verlet",
                     .equation = "vh = v0 + h/2 M^-1 f0;  q1 = q0 + h vh;  v1 = vh + h/2 M^-1 f1",
                     .order = 2,
                     .symplectic = true,
                     .keeps_linear_momentum = true,
                     .keeps_angular_momentum = true,
                     .cost = "1 force, 3 with damping",
                     .reference = "hairer2006"},
          .options = {},
          .make = [](const Options&, const Services& services) -> std::unique_ptr<Integrator> {
            return std::make_unique<Verlet>(services);
          }};
}

}  // namespace sinew::integrators
