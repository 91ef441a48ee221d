// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <sinew/nonlinear/newton.hpp>

namespace sinew::nonlinear {
namespace {

// updates up to this many resolutions may be noise when nothing improves any more: rounding of
// stiff forces is larger than rounding of positions
constexpr double noise_resolutions = 1e3;

/// Moves z along d until the merit has decreased enough; false if no step length does.
bool backtrack(NewtonProblem& problem, Vec& z, double& merit, const NewtonSettings& settings,
               NewtonWorkspace& work, NewtonReport& report) {
  const double slope = problem.slope(work.g, work.d);
  double alpha = problem.max_step(z, work.d);
  for (int halving = 0; halving <= settings.max_halvings; ++halving, alpha *= 0.5) {
    work.trial = z + alpha * work.d;
    const double trial_merit = problem.merit(work.trial);
    const bool admissible = std::isfinite(trial_merit);
    bool accepted =
        admissible && trial_merit <= merit + settings.sufficient_decrease * alpha * slope;
    if (!accepted && admissible && alpha == 1.0) {
      problem.residual(work.trial, work.trial_g);
      accepted = problem.residual_size(work.trial_g) <= 0.5 * problem.residual_size(work.g);
    }
    if (accepted) {
      std::swap(z, work.trial);
      merit = trial_merit;
      return true;
    }
    if (report.last_update <= noise_resolutions * problem.resolution()) return false;
    ++report.halvings;
  }
  return false;
}

/// What the last update leaves open. Updates that fall like a geometric series leave its tail; one
/// alone tells nothing.
double missing(NewtonProblem& problem, const std::vector<double>& updates) {
  const double last = updates.back();
  if (!problem.is_changed()) return last;
  const double before = updates.size() > 1 ? updates[updates.size() - 2] : 0.0;
  return last < before ? last * std::max(1.0, last / (before - last))
                       : std::numeric_limits<double>::infinity();
}

}  // namespace

NewtonReport newton(NewtonProblem& problem, Vec& z, const NewtonSettings& settings,
                    NewtonWorkspace& work) {
  NewtonReport report;
  for (Vec* vector : {&work.g, &work.d, &work.trial, &work.trial_g}) vector->resize(z.size());
  work.updates.clear();
  work.updates.reserve(static_cast<std::size_t>(settings.max_iterations));
  double merit = problem.merit(z);
  if (!std::isfinite(merit)) {
    report.status = NewtonStatus::inadmissible_start;
    return report;
  }
  while (report.iterations < settings.max_iterations) {
    problem.residual(z, work.g);
    if (problem.is_solved(work.g)) return report;
    report.solve_status = problem.direction(z, work.g, work.d);
    if (report.solve_status != la::SolveStatus::ok) {
      report.status = NewtonStatus::solve_failed;
      return report;
    }
    ++report.iterations;
    report.last_update = problem.size(work.d);
    work.updates.push_back(report.last_update);
    if (!backtrack(problem, z, merit, settings, work, report)) {
      const bool is_noise = report.last_update <= noise_resolutions * problem.resolution();
      if (!is_noise) report.status = NewtonStatus::line_search_failed;
      return report;
    }
    if (report.last_update <= problem.resolution() ||
        missing(problem, work.updates) <= problem.tolerance(z))
      return report;
  }
  report.status = NewtonStatus::too_many_iterations;
  return report;
}

}  // namespace sinew::nonlinear
