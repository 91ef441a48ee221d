// SPDX-License-Identifier: Apache-2.0
// Element-wise implicit-explicit Euler. Nodes E that the step suits are advanced first,
//   v_E1 = v_E0 + h M_E^-1 f_E(q0, v0, t0),   q_E1 = q_E0 + h v_E1,
// and then the others, I, with the new positions around them (q = (q_E1, q_I0), at t0 + h):
//   (M_I + h D_II + h^2 K_II) v_I1 = M_I v_I0 + h (f_I + D_II v_I0),   q_I1 = q_I0 + h v_I1.
// Order 1. For linear forces it is stable where symplectic Euler of E alone is (Belytschko and
// Mullen 1978). With everything explicit it is symplectic Euler, with everything implicit `si`.
// Forces between E and I are not those of one configuration, so the momentum of a free body is kept
// to first order only.
//
// Only elements that touch a part are evaluated for it. Systems that cannot be taken apart are
// treated implicitly as a whole.
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/linear_stage.hpp>

namespace sinew::integrators {
namespace {

class Imex final : public Integrator {
 public:
  Imex(double safety, long every, const Services& services)
      : Integrator(services), safety_(safety), every_(every), solver_(add_solver()) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    parts_.reset();
    f_.setZero(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    take_apart(step, now);
    const double h = step.dt;
    // where the implicit part begins: everything else is at the end of the step
    around_ = now;
    around_.t += h;
    if (!split_.explicit_dofs.empty()) {
      const dynamics::DynamicalSystem& system = parts_->explicit_system();
      dynamics::Workspace& workspace = parts_->explicit_workspace();
      parts_->explicit_state(now, at_);
      system.begin_step(at_, h, workspace);
      StepContext part = step.of_part(system, workspace);
      part.force(at_, f_);
      const Vec& mass = *system.mass().diagonal_only();
      for (const Index i : split_.explicit_dofs) {
        next.v[i] = now.v[i] + h * f_[i] / mass[i];
        next.q[i] = now.q[i] + h * next.v[i];
        around_.q[i] = next.q[i];
        around_.v[i] = next.v[i];
      }
    }
    if (split_.implicit_dofs.empty()) return StepStatus::accepted;
    if (!parts_) return solve(step, around_, next);
    parts_->around(around_);
    parts_->implicit_state(around_, at_);
    const dynamics::DynamicalSystem& system = parts_->implicit_system();
    system.begin_step(at_, h, parts_->implicit_workspace());
    StepContext part = step.of_part(system, parts_->implicit_workspace());
    const StepStatus status = solve(part, at_, end_);
    if (status != StepStatus::accepted) return status;
    for (std::size_t k = 0; k < split_.implicit_dofs.size(); ++k) {
      next.q[split_.implicit_dofs[k]] = end_.q[static_cast<Index>(k)];
      next.v[split_.implicit_dofs[k]] = end_.v[static_cast<Index>(k)];
    }
    return StepStatus::accepted;
  }

  /// Backward Euler, linearised where `at` is.
  StepStatus solve(StepContext& step, const dynamics::State& at, dynamics::State& next) {
    const double h = step.dt;
    if (prepared_stage_ != step.system().id()) {
      stage_.prepare(step.system());
      prepared_stage_ = step.system().id();
      d_q_.resize(at.q.size());
      d_v_.resize(at.q.size());
    }
    stage_.linearize(step, at, f_part_);
    StepStatus status = stage_.factorize(step, solver_, h);
    if (status != StepStatus::accepted) return status;
    r_q_ = h * at.v;
    Mr_v_ = h * f_part_;
    status = stage_.solve(step, solver_, r_q_, Mr_v_, d_q_, d_v_);
    if (status != StepStatus::accepted) return status;
    next.v = at.v + d_v_;
    next.q = at.q + h * next.v;
    return StepStatus::accepted;
  }

  void take_apart(StepContext& step, const dynamics::State& now) {
    constexpr double rounding = 1e-9;
    const bool is_due = every_ > 0 && steps_ >= every_;
    const bool is_known = parted_for_ > 0.0 && step.dt <= parted_for_ * (1.0 + rounding);
    if (is_known && !is_due && (is_committed_ || has_restored_)) {
      if (has_restored_) make_parts(step);
      has_restored_ = false;
      return;
    }
    split_ = {};
    step.partition(now, safety_, split_);
    parted_for_ = step.dt;
    is_committed_ = false;
    solver_.reset();
    make_parts(step);
  }

  void make_parts(StepContext& step) {
    const dynamics::Split* split = step.system().capabilities().split;
    parts_ = split ? split->make_parts(split_) : nullptr;
    prepared_stage_ = 0;
    if (parts_) return;
    split_ = {};
    for (Index i = 0; i < step.system().num_dofs(); ++i) split_.implicit_dofs.push_back(i);
  }

  void commit(const dynamics::State&, const dynamics::State&) override {
    steps_ = is_committed_ ? steps_ + 1 : 1;
    is_committed_ = true;
  }

  // who is where is a matter of the state at which it was found
  void save_history(Memory& memory) const override {
    if (!is_committed_ && !has_restored_) return;
    memory["implicit_dofs"] = Vec(std::ssize(split_.implicit_dofs));
    for (std::size_t k = 0; k < split_.implicit_dofs.size(); ++k)
      memory["implicit_dofs"][static_cast<Index>(k)] = static_cast<double>(split_.implicit_dofs[k]);
    memory["parted_for"] = Vec::Constant(1, parted_for_);
    memory["parted_ago"] = Vec::Constant(1, static_cast<double>(steps_));
    memory["num_dofs"] = Vec::Constant(
        1, static_cast<double>(split_.implicit_dofs.size() + split_.explicit_dofs.size()));
  }
  void restore_history(const Memory& memory) override {
    const auto found = memory.find("implicit_dofs");
    if (found == memory.end()) return;
    split_ = {};
    std::vector<char> is_implicit(static_cast<std::size_t>(memory.at("num_dofs")[0]), 0);
    for (const double dof : found->second) is_implicit[static_cast<std::size_t>(dof)] = 1;
    for (std::size_t i = 0; i < is_implicit.size(); ++i)
      (is_implicit[i] ? split_.implicit_dofs : split_.explicit_dofs)
          .push_back(static_cast<Index>(i));
    parted_for_ = memory.at("parted_for")[0];
    steps_ = static_cast<long>(memory.at("parted_ago")[0]);
    has_restored_ = is_committed_ = true;
  }
  void forget_history() override {
    split_ = {};
    parts_.reset();
    parted_for_ = 0.0;
    steps_ = 0;
    is_committed_ = has_restored_ = false;
  }

  double safety_;
  long every_;
  la::LinearSolver& solver_;
  dynamics::Partition split_;
  std::unique_ptr<dynamics::SplitParts> parts_;
  double parted_for_ = 0.0;  ///< length of the step that the parts suit; 0: there are none
  long steps_ = 0;           ///< since they were found
  bool is_committed_ = false, has_restored_ = false;
  LinearStage stage_;
  std::uint64_t prepared_stage_ = 0;
  dynamics::State around_, at_, end_;
  Vec f_, f_part_, r_q_, Mr_v_, d_q_, d_v_;
};

}  // namespace

IntegratorEntry imex() {
  return {
      .traits = {.name = "imex",
                 .title = "element-wise implicit-explicit Euler",
                 .equation =
                     "E: v1 = v0 + h M^-1 f(q0), q1 = q0 + h v1;  then I: (M + h D + h^2 K) "
                     "dv = h f(q_E1, q_I0) - h^2 K v0",
                 .order = 1,
                 .is_implicit = true,
                 .takes_apart = true,
                 .l_stable = true,
                 .cost = "1 force on explicit nodes; 1 force, tangent, factorisation and solve on "
                         "implicit ones",
                 .reference = "fierz2011"},
      .options = {{.name = "safety",
                   .summary = "share of the explicit limit of step that explicit nodes may reach",
                   .default_value = 0.95,
                   .minimum = 0.01,
                   .maximum = 1.0},
                  {.name = "identify_every",
                   .summary =
                       "steps after which nodes are sorted anew, for materials that stiffen; "
                       "0: once",
                   .default_value = 0L}},
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<Imex>(options.number("safety"), options.integer("identify_every"),
                                      services);
      }};
}

}  // namespace sinew::integrators
