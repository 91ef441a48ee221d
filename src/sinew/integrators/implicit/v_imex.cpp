// SPDX-License-Identifier: Apache-2.0
// Leapfrog for all forces, with the mass enlarged by a stiffness K that stays the same:
//   (M + h^2/4 K) w = M v0 + h/2 f(q0, t0),   q1 = q0 + h w
//   M v1 = (M + h^2/4 K) w + h/2 f(q1, t1)
// The linear part -K q of the force is thereby treated by the implicit midpoint rule, what is left
// of it explicitly. K is the tangent where the run began. Order 2, symplectic and symmetric; stable
// as long as the true stiffness stays below K + 4 M/h^2, hence not for large rotations of stiff
// bodies. Damping acts with the velocity w of the step: h/2 D w is taken from both halves. The
// variant "current" takes K anew in each step: it follows rotations, and is not symplectic.
#include <sinew/integrators/methods.hpp>

namespace sinew::integrators {
namespace {

class VariationalImex final : public Integrator {
 public:
  VariationalImex(bool keeps_stiffness, const Services& services)
      : Integrator(services), keeps_stiffness_(keeps_stiffness), solver_(add_solver()) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    linearization_ = system.make_linearization();
    linearized_ = false;
    for (Vec* vector : {&f_, &Mv_, &Sw_, &w_}) vector->setZero(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    const double h = step.dt;
    // forces without damping: those of a body at rest
    at_ = now;
    at_.v.setZero();
    if (!keeps_stiffness_ || reference_.q.size() == 0) {
      origin_ = at_;
    } else {
      origin_ = reference_;
    }
    if (!keeps_stiffness_ || !linearized_) {
      step.linearize(origin_, *linearization_);
      linearized_ = true;
      factored_dt_ = 0.0;
    }
    if (factored_dt_ != h) {
      const la::LinearOperator& S = linearization_->combine(1.0, 0.5 * h, 0.25 * h * h);
      const la::SolveStatus status = step.factorize(solver_, S, origin_);
      if (status != la::SolveStatus::ok) return status_of(status);
      factored_dt_ = h;
    }
    step.force(at_, f_);
    step.apply(step.system().mass(), now.v, Mv_);
    Mv_ += 0.5 * h * f_;
    w_.setZero();
    const la::SolveStatus status = step.solve(solver_, Mv_, w_);
    if (status != la::SolveStatus::ok) return status_of(status);
    next.q = now.q + h * w_;
    at_.q = next.q;
    at_.t = now.t + h;
    step.force(at_, f_);
    // M v1 = M w + h^2/4 K w - h/2 D w + h/2 f(q1)
    step.apply(linearization_->stiffness(), w_, Sw_);
    Sw_ *= 0.25 * h * h;
    if (const la::LinearOperator* D = linearization_->damping()) {
      step.apply(*D, w_, Mv_);
      Sw_ -= 0.5 * h * Mv_;
    }
    Sw_ += 0.5 * h * f_;
    step.divide_by_mass(Sw_, next.v);
    next.v += w_;
    return StepStatus::accepted;
  }

  void commit(const dynamics::State&, const dynamics::State&) override { reference_ = origin_; }

  void save_history(Memory& memory) const override {
    if (!keeps_stiffness_ || reference_.q.size() == 0) return;
    memory["reference"] = reference_.q;
    memory["reference_time"] = Vec::Constant(1, reference_.t);
    memory["reference_internal"] = reference_.internal;
  }
  void restore_history(const Memory& memory) override {
    if (!memory.contains("reference")) return;
    reference_.q = memory.at("reference");
    reference_.v.setZero(reference_.q.size());
    reference_.t = memory.at("reference_time")[0];
    reference_.internal = memory.at("reference_internal");
    linearized_ = false;
  }
  void forget_history() override {
    reference_ = {};
    linearized_ = false;
  }

  bool keeps_stiffness_;
  la::LinearSolver& solver_;
  std::unique_ptr<dynamics::Linearization> linearization_;
  dynamics::State at_, origin_;
  dynamics::State reference_;  // where K is taken; empty: not chosen yet
  bool linearized_ = false;
  double factored_dt_ = 0.0;  // step size of the factor; 0: none
  Vec f_, Mv_, Sw_, w_;
};

}  // namespace

IntegratorEntry v_imex() {
  return {
      .traits = {.name = "v-imex",
                 .title = "variational implicit-explicit method",
                 .equation = "(M + h^2/4 K)(q1 - 2 q0 + q_-1) = h^2 f(q0), K fixed",
                 .order = 2,
                 .is_implicit = true,
                 .keeps_energy = true,
                 .multistep = true,
                 .symplectic = true,
                 .keeps_linear_momentum = true,
                 .cost = "2 forces, 1 solve; 1 tangent and 1 factorisation per run",
                 .reference = "stern2009"},
      .options = {{.name = "variant",
                   .summary = "K of the beginning of the run (initial), or of each step "
                              "(current)",
                   .default_value = std::string("initial"),
                   .choices = {"initial", "current"}}},
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<VariationalImex>(options.text("variant") == "initial", services);
      }};
}

}  // namespace sinew::integrators
