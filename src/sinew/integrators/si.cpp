// SPDX-License-Identifier: Apache-2.0
// Backward Euler linearised at (q0, v0):
//   (M + h D + h^2 K) dv = h (f + h f_t) - h^2 K v0
//   v1 = v0 + dv,  q1 = q0 + h v1
// f, K, D at (q0, v0, t0); f_t = df/dt where the force depends on time. Order 1; equals backward
// Euler for linear forces: energy falls by 1/(1 + (h omega)^2) per step. One factorisation and one
// solve; fails when the matrix is not positive definite.
#include <sinew/integrators/si.hpp>

namespace sinew::integrators {
namespace {

class SemiImplicit final : public Integrator {
 public:
  explicit SemiImplicit(const Services& services)
      : Integrator(services), solver_(services.make_linear_solver()) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    linearization_ = system.make_linearization();
    for (Vec* vector : {&f_, &Kv_, &rhs_, &dv_}) vector->resize(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    const double h = step.dt;
    step.linearize(now, *linearization_, &f_);
    step.advance_in_time(now, f_, rhs_);
    step.apply(linearization_->stiffness(), now.v, Kv_);
    rhs_ = h * f_ - (h * h) * Kv_;
    la::SolveStatus status = step.factorize(*solver_, linearization_->combine(1.0, h, h * h));
    if (status == la::SolveStatus::ok) {
      dv_.setZero();
      status = step.solve(*solver_, rhs_, dv_);
    }
    if (status != la::SolveStatus::ok) return status_of(status);
    next.v = now.v + dv_;
    next.q = now.q + h * next.v;
    return StepStatus::accepted;
  }

  std::unique_ptr<la::LinearSolver> solver_;
  std::unique_ptr<dynamics::Linearization> linearization_;
  Vec f_, Kv_, rhs_, dv_;
};

}  // namespace

IntegratorEntry si() {
  return {.traits = {.name = "si",
                     .title = "semi-implicit backward Euler",
                     .equation = "(M + h D + h^2 K) dv = h (f + h f_t) - h^2 K v0;  v1 = v0 + dv;  "
                                 "q1 = q0 + h v1",
                     .order = 1,
                     .is_implicit = true,
                     .keeps_linear_momentum = true,
                     .cost = "1 force, 1 tangent, 1 factorisation, 1 solve",
                     .reference = "baraff1998"},
          .options = {},
          .make = [](const Options&, const Services& services) -> std::unique_ptr<Integrator> {
            return std::make_unique<SemiImplicit>(services);
          }};
}

}  // namespace sinew::integrators
