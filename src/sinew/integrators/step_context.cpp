// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/integrators/step_context.hpp>
#include <sinew/la/solvers/gmres.hpp>

namespace sinew::integrators {

using core::ScopedTimer;

namespace {

struct StatusText {
  StepStatus status;
  std::string_view word, explanation;
};

constexpr std::array status_texts{
    StatusText{StepStatus::accepted, "accepted", "the step was accepted"},
    StatusText{StepStatus::newton_not_converged, "newton-not-converged",
               "Newton's method did not converge; reduce dt or raise max_newton"},
    StatusText{StepStatus::linear_solve_failed, "linear-solve-failed",
               "the step matrix is not positive definite: the body is strongly compressed or "
               "twisted for this step; reduce dt, set integrator.tangent to psd-clamp, or use be"},
    StatusText{StepStatus::linear_solve_not_converged, "linear-solve-not-converged",
               "the linear solver did not converge; use a direct solver or reduce dt"},
    StatusText{StepStatus::phi_not_converged, "phi-not-converged",
               "the matrix function did not converge; reduce dt or loosen the tolerance"},
    StatusText{StepStatus::no_square_root, "no-square-root",
               "the stiffness has no square root, because the body can move freely or is strongly "
               "compressed; use another kernel than skew"},
    StatusText{
        StepStatus::not_finite, "not-finite",
        "the state is no longer finite: the method is unstable at this step, or an element of a "
        "material with a barrier was turned inside out; reduce dt, or use be"},
    StatusText{StepStatus::not_admissible, "not-admissible",
               "the step would pass through what the system does not let it pass, such as a wall; "
               "reduce dt, raise contact.stiffness or contact.distance, or let obstacles move "
               "without jumps"},
    StatusText{StepStatus::energy_not_finite, "energy-not-finite",
               "the energy is not finite: the method is unstable at this step, or an element of a "
               "material with a barrier was turned inside out; reduce dt, or use be"},
    StatusText{StepStatus::energy_rose, "energy-rose",
               "the energy rose by more than came in from outside, also with the methods the guard "
               "fell back to; reduce dt, or set integrator.guard to off if loads or moved vertices "
               "are meant to change so much within a step"},
    StatusText{StepStatus::energy_absurd, "energy-absurd",
               "the motion has ten times the energy that the run began with and that came in: the "
               "method is unstable at this step; reduce dt, use be, or set integrator.guard to "
               "ladder (redo such steps) or off (go on all the same)"},
    StatusText{StepStatus::elements_inverted, "elements-inverted",
               "elements were turned inside out, also with the methods the guard fell back to; "
               "reduce dt, refine the mesh where it is crushed, or set integrator.guard to off"},
    StatusText{StepStatus::error_too_large, "error-too-large",
               "the error of the step is above time.tolerance; it is tried again with a smaller "
               "one. If no step is small enough, raise time.tolerance or lower time.dt_min"},
};

const StatusText& text_of(StepStatus status) {
  return status_texts.at(static_cast<std::size_t>(status));
}

}  // namespace

std::string_view to_string(StepStatus status) {
  return text_of(status).word;
}
std::string_view explanation(StepStatus status) {
  return text_of(status).explanation;
}

StepStatus status_of(la::SolveStatus status) {
  switch (status) {
    case la::SolveStatus::ok:
      return StepStatus::accepted;
    case la::SolveStatus::not_converged:
      return StepStatus::linear_solve_not_converged;
    case la::SolveStatus::not_positive_definite:
      return StepStatus::linear_solve_failed;
    case la::SolveStatus::not_finite:
      return StepStatus::not_finite;
  }
  return StepStatus::linear_solve_failed;
}

StepStatus status_of(la::PhiStatus status) {
  switch (status) {
    case la::PhiStatus::ok:
      return StepStatus::accepted;
    case la::PhiStatus::not_converged:
      return StepStatus::phi_not_converged;
    case la::PhiStatus::not_positive_definite:
      return StepStatus::no_square_root;
    case la::PhiStatus::not_finite:
      return StepStatus::not_finite;
  }
  return StepStatus::phi_not_converged;
}

Services default_services() {
  return {.make_linear_solver = la::solvers().front().make,
          .make_direct_solver = la::solvers().front().make};
}

void StepContext::force(const dynamics::State& state, VecOut f) {
  const ScopedTimer timer(report_.profile.seconds.assemble);
  ++report_.profile.counts.force;
  system_.force(state, workspace_, f);
}

void StepContext::add_force_rate(const dynamics::State& state, double span, double factor,
                                 Vec& target) {
  if (!system_.traits().depends_on_time) return;
  const ScopedTimer timer(report_.profile.seconds.assemble);
  report_.profile.counts.force += 2;
  rate_.resize(target.size());
  system_.force_rate(state, span, workspace_, rate_);
  target += factor * rate_;
}

double StepContext::potential(const dynamics::State& state) {
  const ScopedTimer timer(report_.profile.seconds.assemble);
  return system_.potential(state, workspace_);
}

double StepContext::dissipation(const dynamics::State& state) {
  const ScopedTimer timer(report_.profile.seconds.assemble);
  return system_.dissipation(state, workspace_);
}

double StepContext::max_step(const dynamics::State& from, const dynamics::State& to) {
  const ScopedTimer timer(report_.profile.seconds.contact);
  return system_.max_step(from, to, workspace_);
}

bool StepContext::is_admissible(const dynamics::State& now, const dynamics::State& state) {
  if (!reached_) return max_step(now, state) == 1.0;
  const bool is_there = reached_->t == state.t && !reducer.any(reached_->q != state.q);
  return is_there || max_step(*reached_, state) == 1.0;
}

bool StepContext::partition(const dynamics::State& state, const dynamics::PartitionWish& wish,
                            dynamics::Partition& split) {
  const ScopedTimer timer(report_.profile.seconds.assemble);
  const dynamics::Split* knows = system_.capabilities().split;
  if (knows) knows->partition(state, wish, workspace_, split);
  return knows != nullptr;
}

bool StepContext::rest_positions(VecOut q) const {
  const dynamics::MaterialFrame* frame = system_.capabilities().frame;
  if (frame) frame->rest_positions(q);
  return frame != nullptr;
}

Mat StepContext::rigid_modes(const dynamics::State& state) const {
  const dynamics::MaterialFrame* frame = system_.capabilities().frame;
  return frame ? frame->rigid_modes(state) : Mat(system_.num_dofs(), 0);
}

bool StepContext::node_rotations(const dynamics::State& state, std::vector<Mat3>& rotations,
                                 dynamics::NodeRotations kind) {
  const ScopedTimer timer(report_.profile.seconds.assemble);
  const dynamics::MaterialFrame* frame = system_.capabilities().frame;
  return frame && frame->node_rotations(state, workspace_, rotations, kind);
}

dynamics::Definiteness StepContext::definiteness(bool clamps_contacts) const {
  using enum dynamics::Definiteness;
  return clamps_contacts && definiteness_ == exact && system_.traits().has_contacts ? contact_clamp
                                                                                    : definiteness_;
}

void StepContext::linearize(const dynamics::State& state, dynamics::Linearization& out, Vec* f,
                            dynamics::Stiffness stiffness) {
  linearize(state,
            {.definiteness = definiteness(true),
             .stiffness = stiffness,
             .damping = dynamics::Damping::secant},
            out, f);
}

void StepContext::linearize_iterate(const dynamics::State& state, bool clamps_contacts,
                                    dynamics::Linearization& out) {
  linearize(state, {.definiteness = definiteness(clamps_contacts)}, out, nullptr);
}

void StepContext::linearize(const dynamics::State& state, const dynamics::LinearizeOptions& options,
                            dynamics::Linearization& out, Vec* f) {
  const ScopedTimer timer(report_.profile.seconds.assemble);
  ++report_.profile.counts.tangent;
  if (f) ++report_.profile.counts.force;
  system_.linearize(state, options, workspace_, out, f);
  SINEW_ASSERT(out.report.definiteness == options.definiteness,
               "this system cannot make its tangent definite as it is asked to");
  report_.projected += out.report.projected;
}

void StepContext::apply(const la::LinearOperator& A, const VecIn& x, VecOut y) {
  ++report_.profile.counts.matvecs;
  A.apply(x, y);
}

void StepContext::divide_by_mass(const VecIn& x, VecOut y) {
  const ScopedTimer timer(report_.profile.seconds.solve);
  system_.mass_inverse().apply(x, y);
}

la::SolveStatus StepContext::factorize(la::LinearSolver& solver, const la::LinearOperator& A,
                                       const dynamics::State& at) {
  if (std::vector<Mat3>* frames = solver.frames())
    if (!node_rotations(at, *frames)) frames->clear();
  if (Vec* positions = solver.positions()) *positions = system_.capabilities().frame ? at.q : Vec();
  const ScopedTimer timer(report_.profile.seconds.factorize);
  const la::FactorReport result = solver.factorize(A);
  if (result.factorized) ++report_.profile.counts.factorizations;
  if (result.analysed) ++report_.profile.counts.analyses;
  return result.status;
}

la::SolveStatus StepContext::solve(la::LinearSolver& solver, const MatIn& B, MatOut X,
                                   double enough) {
  const ScopedTimer timer(report_.profile.seconds.solve);
  report_.profile.counts.solves += B.cols();
  const la::SolveReport result = solver.solve(B, X, enough);
  report_.profile.counts.krylov += result.iterations;
  report_.profile.counts.factorizations += result.factorizations;
  return result.status;
}

la::SolveStatus StepContext::solve_unsymmetric(la::LinearSolver& solver,
                                               const la::LinearOperator& A, double factor,
                                               const dynamics::State& state, const Vec& b, Vec& x,
                                               double enough) {
  Vec U(b.size());
  const la::Product product = [&](const Vec& z, Vec& y) {
    apply(A, z, y);
    U.setZero();
    {
      const ScopedTimer timer(report_.profile.seconds.assemble);
      system_.add_unsymmetric(state, z, workspace_, U);
    }
    y += factor * U;
  };
  const la::Approximation inverse = [&](const Vec& r, Vec& z) {
    z.setZero(r.size());
    return solve(solver, r, z, 0.1 * enough);
  };
  const la::SolveReport report = la::gmres(product, inverse, b, x, {.tolerance = enough}, reducer);
  report_.profile.counts.krylov += report.iterations;
  return report.status;
}

la::SolveStatus StepContext::precondition(la::LinearSolver& solver, const MatIn& B, MatOut X) {
  const ScopedTimer timer(report_.profile.seconds.solve);
  report_.profile.counts.solves += B.cols();
  return solver.precondition(B, X).status;
}

StepStatus StepContext::take(const la::PhiReport& report) {
  report_.profile.counts.matvecs += report.products;
  report_.profile.counts.solves += report.solves;
  report_.profile.counts.factorizations += report.factorizations;
  report_.profile.counts.krylov += report.dimension;
  if (!report_.phi || report_.phi->products <= report.products) report_.phi = report;
  return status_of(report.status);
}

}  // namespace sinew::integrators
