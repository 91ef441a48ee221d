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

/// Moves z along d until the merit has decreased enough; returns the part of d, 0 if none does.
double backtrack(NewtonProblem& problem, Vec& z, double& merit, const NewtonSettings& settings,
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
      return alpha;
    }
    if (report.last_update <= noise_resolutions * problem.resolution()) return 0.0;
    ++report.halvings;
  }
  return 0.0;
}

constexpr double roughest = 1e-2, finest = 1e-6;  // relative errors of directions

/// The relative error that the next direction may have: it shall leave a tenth of the tolerance.
double enough_for(NewtonProblem& problem, const Vec& z, const NewtonWorkspace& work,
                  double residual_before, double residual) {
  if (work.updates.empty() || !(residual_before > 0.0)) return roughest;
  const double expected = work.updates.back() * std::min(1.0, residual / residual_before);
  return std::clamp(0.1 * problem.tolerance(z) / expected, finest, roughest);
}

/// What an update leaves open. `before`: the one before it, if that was of the same kind, else 0;
/// `solve_error`: of the linear system, relative to the update.
double missing(Tangent tangent, double last, double before, double solve_error) {
  // a matrix that size() cannot make good: as a series with this ratio, and no less than itself
  if (tangent == Tangent::changed)
    return last < before ? last * std::max(1.0, last / (before - last))
                         : std::numeric_limits<double>::infinity();
  if (tangent == Tangent::stiffer || !(last < before)) return last;
  constexpr double caution = 10.0;  // forces that change much within an update slow the next one
  return last * std::min(1.0, std::max(caution * last / (before - last), solve_error));
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
  double residual_before = 0.0, update_before = 0.0;
  while (report.iterations < settings.max_iterations) {
    problem.residual(z, work.g);
    if (problem.is_solved(work.g)) return report;
    const double residual = problem.residual_size(work.g);
    const double enough = enough_for(problem, z, work, residual_before, residual);
    residual_before = residual;
    report.solve_status = problem.direction(z, work.g, enough, work.d);
    if (report.solve_status != la::SolveStatus::ok) {
      report.status = NewtonStatus::solve_failed;
      return report;
    }
    ++report.iterations;
    report.last_update = problem.size(work.d);
    work.updates.push_back(report.last_update);
    const double part = backtrack(problem, z, merit, settings, work, report);
    if (part == 0.0) {
      const bool is_noise = report.last_update <= noise_resolutions * problem.resolution();
      if (!is_noise) report.status = NewtonStatus::line_search_failed;
      return report;
    }
    if (report.last_update <= problem.resolution()) return report;
    const Tangent tangent = problem.tangent();
    if (missing(tangent, report.last_update, update_before, enough) <= problem.tolerance(z))
      return report;
    // sizes of shortened updates, or of such with another matrix, say nothing about the rate
    const bool is_comparable = part == 1.0 && tangent != Tangent::stiffer;
    update_before = is_comparable ? report.last_update : 0.0;
  }
  report.status = NewtonStatus::too_many_iterations;
  return report;
}

}  // namespace sinew::nonlinear
