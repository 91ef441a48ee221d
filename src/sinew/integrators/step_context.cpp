// SPDX-License-Identifier: Apache-2.0
#include <sinew/integrators/step_context.hpp>

namespace sinew::integrators {

using core::ScopedTimer;

std::string_view to_string(StepStatus status) {
  switch (status) {
    case StepStatus::accepted:
      return "accepted";
    case StepStatus::newton_not_converged:
      return "newton-not-converged";
    case StepStatus::linear_solve_failed:
      return "linear-solve-failed";
    case StepStatus::phi_not_converged:
      return "phi-not-converged";
    case StepStatus::not_finite:
      return "not-finite";
  }
  return "unknown";
}

std::string_view explanation(StepStatus status) {
  switch (status) {
    case StepStatus::accepted:
      return "the step was accepted";
    case StepStatus::newton_not_converged:
      return "Newton's method did not converge; reduce dt or raise max_newton";
    case StepStatus::linear_solve_failed:
      return "the step matrix is not positive definite: the body is strongly compressed or twisted "
             "for this step; reduce dt or use be";
    case StepStatus::phi_not_converged:
      return "the matrix function did not converge; reduce dt or loosen the tolerance";
    case StepStatus::not_finite:
      return "the state grew beyond all numbers: the method is unstable at this step; reduce dt or "
             "use an implicit method";
  }
  return "";
}

Services default_services() {
  return {.make_linear_solver = [] { return la::solvers().front().make(); }};
}

void StepContext::force(const dynamics::State& state, VecOut f) {
  const ScopedTimer timer(report_.profile.seconds.assemble);
  ++report_.profile.counts.force;
  system_.force(state, workspace_, f);
}

void StepContext::advance_in_time(const dynamics::State& state, Vec& f, Vec& scratch) {
  if (!system_.is_time_dependent()) return;
  const ScopedTimer timer(report_.profile.seconds.assemble);
  report_.profile.counts.force += 2;
  scratch.resize(f.size());
  system_.force_rate(state, dt, workspace_, scratch);
  f += dt * scratch;
}

double StepContext::potential(const dynamics::State& state) {
  const ScopedTimer timer(report_.profile.seconds.assemble);
  return system_.potential(state, workspace_);
}

double StepContext::dissipation(const dynamics::State& state) {
  const ScopedTimer timer(report_.profile.seconds.assemble);
  return system_.dissipation(state, workspace_);
}

double StepContext::max_step(const Vec& q0, const Vec& q1) {
  const ScopedTimer timer(report_.profile.seconds.contact);
  return system_.max_step(q0, q1, workspace_);
}

void StepContext::linearize(const dynamics::State& state, const dynamics::LinearizeOptions& options,
                            dynamics::Linearization& out, Vec* f) {
  const ScopedTimer timer(report_.profile.seconds.assemble);
  ++report_.profile.counts.tangent;
  if (f) ++report_.profile.counts.force;
  system_.linearize(state, options, workspace_, out, f);
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

la::SolveStatus StepContext::factorize(la::LinearSolver& solver, const la::LinearOperator& A) {
  const ScopedTimer timer(report_.profile.seconds.factorize);
  ++report_.profile.counts.factorizations;
  const la::FactorReport result = solver.factorize(A);
  if (result.analysed) ++report_.profile.counts.analyses;
  return result.status;
}

la::SolveStatus StepContext::solve(la::LinearSolver& solver, const MatIn& B, MatOut X) {
  const ScopedTimer timer(report_.profile.seconds.solve);
  report_.profile.counts.solves += B.cols();
  const la::SolveReport result = solver.solve(B, X);
  report_.profile.counts.krylov += result.iterations;
  return result.status;
}

}  // namespace sinew::integrators
