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
// Order 2 (Hughes and Liu 1978): velocity Verlet in E around the trapezoidal rule in I, which is
// the midpoint rule where forces are linear,
//   v_Eh = v_E0 + h/2 M_E^-1 f_E(q0, v0, t0),   q_E1 = q_E0 + h v_Eh,
//   S d = h/2 (f_I(q0, v0, t0) + f_I) - h^2/2 K_II v_I0,   S = M_I + h/2 D_II + h^2/4 K_II,
//   v_I1 = v_I0 + d,   q_I1 = q_I0 + h v_I0 + h/2 d,   f_I, K, D at (q_E1, q_I0), t0 + h,
//   v_E1 = v_Eh + h/2 M_E^-1 f_E(q1, v1, t1).
//
// Only elements that touch a part are evaluated for it. Systems that cannot be taken apart are
// treated implicitly as a whole.
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/linear_stage.hpp>

namespace sinew::integrators {
namespace {

class Imex final : public Integrator {
 public:
  Imex(int order, double safety, long every, const Services& services)
      : Integrator(services),
        order_(order),
        safety_(safety),
        every_(every),
        solver_(add_solver()) {}

  bool remap(const dynamics::DofMap& map) override {
    if (!is_committed_) {
      reset();
      return false;
    }
    std::vector<signed char> before(split_.implicit_dofs.size() + split_.explicit_dofs.size(), 0);
    for (const Index dof : split_.implicit_dofs) before[static_cast<std::size_t>(dof)] = 1;
    std::vector<signed char> known;
    known.reserve(map.source.size());
    for (const Index source : map.source)
      known.push_back(source < 0 ? -1 : before[static_cast<std::size_t>(source)]);
    const double suits = parted_for_;
    reset();
    known_ = std::move(known);
    known_for_ = suits;
    return true;
  }

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    parts_.reset();
    f_.setZero(system.num_dofs());
    f_known_at_.resize(0);
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    take_apart(step, now);
    return order_ == 2 ? second_order(step, now, next) : first_order(step, now, next);
  }

  StepStatus first_order(StepContext& step, const dynamics::State& now, dynamics::State& next) {
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
    if (!parts_) return solve(step, around_, nullptr, next);
    parts_->around(around_);
    parts_->implicit_state(around_, at_);
    const dynamics::DynamicalSystem& system = parts_->implicit_system();
    system.begin_step(at_, h, parts_->implicit_workspace());
    StepContext part = step.of_part(system, parts_->implicit_workspace());
    const StepStatus status = solve(part, at_, nullptr, end_);
    if (status == StepStatus::accepted) take_implicit(next);
    return status;
  }

  StepStatus second_order(StepContext& step, const dynamics::State& now, dynamics::State& next) {
    const double h = step.dt;
    const bool has_explicit = !split_.explicit_dofs.empty();
    around_ = now;
    around_.t += h;
    if (has_explicit) {
      const dynamics::DynamicalSystem& system = parts_->explicit_system();
      parts_->explicit_state(now, at_);
      system.begin_step(at_, h, parts_->explicit_workspace());
      if (!knows_force(step, now)) {
        StepContext part = step.of_part(system, parts_->explicit_workspace());
        part.force(at_, f_);
      }
      const Vec& mass = *system.mass().diagonal_only();
      half_.resize(now.v.size());
      for (const Index i : split_.explicit_dofs) {
        half_[i] = now.v[i] + 0.5 * h * f_[i] / mass[i];
        around_.q[i] = next.q[i] = now.q[i] + h * half_[i];
        around_.v[i] = next.v[i] = 2.0 * half_[i] - now.v[i];  // to second order
      }
    }
    if (!split_.implicit_dofs.empty()) {
      const StepStatus status = solve_second_order(step, now, next);
      if (status != StepStatus::accepted) return status;
    }
    if (has_explicit) kick(step, next);
    return StepStatus::accepted;
  }

  StepStatus solve_second_order(StepContext& step, const dynamics::State& now,
                                dynamics::State& next) {
    if (!parts_) {
      f_begin_.resize(now.q.size());
      step.force(now, f_begin_);
      return solve(step, around_, &f_begin_, next);
    }
    parts_->around(now);
    parts_->implicit_state(now, at_);
    const dynamics::DynamicalSystem& system = parts_->implicit_system();
    system.begin_step(at_, step.dt, parts_->implicit_workspace());
    StepContext part = step.of_part(system, parts_->implicit_workspace());
    f_begin_.resize(at_.q.size());
    part.force(at_, f_begin_);
    parts_->around(around_);
    parts_->implicit_state(around_, at_);
    const StepStatus status = solve(part, at_, &f_begin_, end_);
    if (status == StepStatus::accepted) take_implicit(next);
    return status;
  }

  /// The second half of the explicit part; with damping, velocities are predicted once more.
  void kick(StepContext& step, dynamics::State& next) {
    const dynamics::DynamicalSystem& system = parts_->explicit_system();
    StepContext part = step.of_part(system, parts_->explicit_workspace());
    const Vec& mass = *system.mass().diagonal_only();
    next.t = around_.t;
    const bool is_damped = step.system().traits().damping != dynamics::DampingKind::none;
    for (int pass = 0; pass < (is_damped ? 2 : 1); ++pass) {
      parts_->explicit_state(next, at_);
      part.force(at_, f_);
      for (const Index i : split_.explicit_dofs)
        next.v[i] = half_[i] + 0.5 * step.dt * f_[i] / mass[i];
    }
    f_known_at_ = next.q;
    f_known_t_ = next.t;
  }

  /// Whether the force at the end of the last step is that at the beginning of this one.
  bool knows_force(const StepContext& step, const dynamics::State& now) const {
    const dynamics::ForceTraits traits = step.system().traits();
    return traits.keeps_force && traits.damping == dynamics::DampingKind::none &&
           now.t == f_known_t_ && now.q.size() == f_known_at_.size() && now.q == f_known_at_;
  }

  void take_implicit(dynamics::State& next) const {
    for (std::size_t k = 0; k < split_.implicit_dofs.size(); ++k) {
      next.q[split_.implicit_dofs[k]] = end_.q[static_cast<Index>(k)];
      next.v[split_.implicit_dofs[k]] = end_.v[static_cast<Index>(k)];
    }
  }

  /// Linearised where `at` is: backward Euler, or, with the force at the beginning of the step, the
  /// trapezoidal rule.
  StepStatus solve(StepContext& step, const dynamics::State& at, const Vec* f_begin,
                   dynamics::State& next) {
    const double h = step.dt;
    if (prepared_stage_ != step.system().id()) {
      stage_.prepare(step.system());
      prepared_stage_ = step.system().id();
      d_q_.resize(at.q.size());
      d_v_.resize(at.q.size());
    }
    stage_.linearize(step, at, f_part_);
    StepStatus status = stage_.factorize(step, solver_, f_begin ? 0.5 * h : h);
    if (status != StepStatus::accepted) return status;
    r_q_ = h * at.v;
    if (f_begin)
      Mr_v_ = 0.5 * h * (*f_begin + f_part_);
    else
      Mr_v_ = h * f_part_;
    status = stage_.solve(step, solver_, r_q_, Mr_v_, d_q_, d_v_);
    if (status != StepStatus::accepted) return status;
    next.v = at.v + d_v_;
    if (f_begin)
      next.q = at.q + d_q_;
    else
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
    dynamics::PartitionWish wish{.dt = step.dt, .safety = safety_};
    // what is explicit at longer steps is at shorter ones
    if (step.dt <= known_for_ * (1.0 + rounding)) wish.known = known_;
    step.partition(now, wish, split_);
    f_known_at_.resize(0);
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
    known_.clear();
    known_for_ = 0.0;
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
    known_.clear();
    known_for_ = 0.0;
    f_known_at_.resize(0);
  }

  int order_;
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
  std::vector<signed char> known_;  ///< of dofs, from before an edit
  double known_for_ = 0.0;          ///< step that it is known for [s]
  Vec f_, f_part_, f_begin_, half_, r_q_, Mr_v_, d_q_, d_v_;
  Vec f_known_at_;  ///< where f_ was evaluated, for order 2
  double f_known_t_ = 0.0;
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
      .options = {{.name = "order",
                   .summary =
                       "1: symplectic and backward Euler; 2: Verlet and the trapezoidal rule",
                   .default_value = 1L,
                   .minimum = 1.0,
                   .maximum = 2.0},
                  {.name = "safety",
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
        return std::make_unique<Imex>(static_cast<int>(options.integer("order")),
                                      options.number("safety"), options.integer("identify_every"),
                                      services);
      }};
}

}  // namespace sinew::integrators
