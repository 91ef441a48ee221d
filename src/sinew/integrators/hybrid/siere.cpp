// SPDX-License-Identifier: Apache-2.0
// The lowest modes by ere, everything else by si. With P = U U^T M the paper's step is
//   u1 = u0 + (I - h J_H)^-1 (h H + h phi_1(h J_G) G),   G = P F, H = (I - P) F,
// and because P commutes with J it collapses to one step of si and a correction in the modes,
//   u1 = u_si + U (e - s),   e = h phi_1(h J_i) z_i',   s = h (I - h J_i)^-1 z_i',
// e and s of single oscillators. No solve beyond that of si and those that follow the modes. Forms
// that are the same for exact modes differ for others; this one suffers least from poor shapes.
//
// The variant "reference" does what the paper describes: modes found anew in every step, and the
// low-rank update of I - h J by the formula of Sherman, Morrison and Woodbury.
#include <sinew/integrators/implicit/si.hpp>
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/hybrid_method.hpp>
#include <sinew/la/dense/decompositions.hpp>

namespace sinew::integrators {
namespace {

class Siere final : public HybridMethod {
 public:
  Siere(const ModalSettings& settings, const Services& services)
      : HybridMethod(
            [](const AddSolver& add_solver) {
              return std::make_unique<SiStep>(add_solver(), false);
            },
            settings, services) {}

 private:
  void finish(StepContext& /*step*/, const dynamics::State& /*now*/,
              dynamics::State& next) override {
    modal_.add(modal_.exact_increment(1.0, false) - modal_.implicit_increment(), next);
  }
};

/// h H + h phi_1 G and the columns of h J_G, each divided by I - h J: 2s + 1 solves.
class WoodburyStep final : public SemiImplicitStep {
 public:
  WoodburyStep(la::LinearSolver& solver, const ModalSettings& settings)
      : solver_(solver), modal_(settings) {}

  void prepare(const dynamics::DynamicalSystem& system) override {
    stage_.prepare(system);
    modal_.prepare(system);
    for (Vec* vector : {&f_, &h_rate_, &r_q_, &Mr_v_, &d_q_, &d_v_})
      vector->setZero(system.num_dofs());
  }

  StepStatus run(StepContext& step, const dynamics::State& now, dynamics::State& next,
                 const StageObserver& /*observe*/) override {
    const double h = step.dt;
    stage_.linearize(step, now, f_);
    h_rate_.setZero();
    step.add_force_rate(now, h, h, h_rate_);
    StepStatus status = stage_.factorize(step, solver_, h);
    if (status != StepStatus::accepted) return status;
    status = modal_.update(step, stage_, solver_);
    if (status != StepStatus::accepted) return status;
    modal_.load(step, now, f_, h_rate_);

    const la::Modes& modes = modal_.modes();
    const Index s = modes.size();
    const Mat e = modal_.exact_increment(1.0, false);
    f_ += h_rate_;
    r_q_ = h * now.v + modes.U * (e.col(0) - h * modal_.coordinates(step, now.v));
    Mr_v_ = h * f_ + modes.MU * (e.col(1) - h * step.reducer.gram(modes.U, f_).col(0));
    status = stage_.solve(step, solver_, r_q_, Mr_v_, d_q_, d_v_);
    if (status != StepStatus::accepted) return status;
    next.q = now.q + d_q_;
    next.v = now.v + d_v_;
    if (s == 0) return status;
    Vec right(2 * s);
    right << modal_.coordinates(step, d_q_), modal_.coordinates(step, d_v_);

    // column k: the modal coordinate of position; column s + k: that of velocity
    Mat X_q(d_q_.size(), 2 * s), X_v(d_q_.size(), 2 * s), small = Mat::Identity(2 * s, 2 * s);
    for (Index k = 0; k < 2 * s; ++k) {
      const bool is_velocity = k >= s;
      const Index mode = is_velocity ? k - s : k;
      const double rate = is_velocity ? modal_.damping(mode) : modes.lambda[mode];
      r_q_.setZero();
      if (is_velocity) r_q_ = h * modes.U.col(mode);
      Mr_v_ = -h * rate * modes.MU.col(mode);
      status = stage_.solve(step, solver_, r_q_, Mr_v_, d_q_, d_v_);
      if (status != StepStatus::accepted) return status;
      X_q.col(k) = d_q_;
      X_v.col(k) = d_v_;
      small.col(k).head(s) += modal_.coordinates(step, d_q_);
      small.col(k).tail(s) += modal_.coordinates(step, d_v_);
    }
    const Vec weights = la::solve(small, right);
    next.q -= X_q * weights;
    next.v -= X_v * weights;
    return StepStatus::accepted;
  }

  void commit(const dynamics::State& /*before*/) override { modal_.commit(); }
  void save(Memory& memory) const override { modal_.save(memory); }
  void restore(const Memory& memory) override { modal_.restore(memory); }
  void forget() override { modal_.forget(); }

 private:
  la::LinearSolver& solver_;
  LinearStage stage_;
  ModalPart modal_;
  Vec f_, h_rate_, r_q_, Mr_v_, d_q_, d_v_;
};

}  // namespace

IntegratorEntry siere() {
  IntegratorEntry entry = hybrid_entry(
      {.name = "siere",
       .title = "semi-implicit Euler, lowest modes by ere",
       .equation = "u1 = u_si + U (e - s);  e = h phi_1(h J_i) z_i';  s = h (I - h J_i)^-1 z_i'",
       .order = 1,
       .keeps_linear_momentum = true,
       .cost = "1 force, 1 tangent, 1 factorisation, modes + guard vectors + 1 solves",
       .reference = "chen2020"},
      {{.name = "variant",
        .summary = "collapsed: one step of si and a correction; reference: the paper's low-rank "
                   "update, with modes found anew in every step",
        .default_value = std::string("collapsed"),
        .choices = {"collapsed", "reference"}}});
  entry.make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
    ModalSettings settings = modal_settings(options);
    if (options.text("variant") == "collapsed") return std::make_unique<Siere>(settings, services);
    settings.always_cold = true;
    return std::make_unique<SemiImplicitMethod>(
        [settings](const SemiImplicitMethod::AddSolver& add_solver) {
          return std::make_unique<WoodburyStep>(add_solver(), settings);
        },
        services);
  };
  return entry;
}

}  // namespace sinew::integrators
