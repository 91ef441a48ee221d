// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/dynamics/oscillator.hpp>
#include <sinew/integrators/numerical_damping.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/dense/decompositions.hpp>

namespace sinew::integrators {
namespace {

// Long enough for what a start-up step stirred up to die away where it dies at all; a method's own
// second root is of the size of the first where it does not.
constexpr int warm_up = 40;
constexpr int window = 5;

/// States of a run, one per column, from `start` on; fewer where nothing is left or it overflows.
Mat states_of_run(const IntegratorEntry& entry, const Options& options, double h_omega,
                  const Vec& start) {
  const dynamics::Oscillator oscillator(1.0);
  const auto method = make_integrator(entry, options, default_services());
  const auto workspace = oscillator.make_workspace();
  dynamics::State state = dynamics::Oscillator::displaced(start[0], start[1]);
  Mat states(2, warm_up + window + 2);
  Index count = 0;
  for (; count < states.cols(); ++count) {
    states.col(count) << state.q, state.v;
    const double size = states.col(count).norm();
    if (!(size > 1e-250 && size < 1e250)) break;
    const StepReport report = method->step(oscillator, *workspace, h_omega, state);
    SINEW_ASSERT(report.status == StepStatus::accepted, "a step of an oscillator failed");
  }
  return states.leftCols(count);
}

}  // namespace

double Amplification::damping(double h_omega) const {
  return -2.0 * std::log(radius) / h_omega;
}

Amplification measure_amplification(const IntegratorEntry& entry, const Options& options,
                                    double h_omega) {
  // pairs of consecutive states, and the pairs one step later
  std::vector<Eigen::Vector4d> from, to;
  for (const Vec& start : {Vec{{1.0, 0.0}}, Vec{{0.0, 1.0}}}) {
    const Mat states = states_of_run(entry, options, h_omega, start);
    for (Index k = std::max<Index>(0, states.cols() - window - 2); k + 2 < states.cols(); ++k) {
      Eigen::Vector4d pair, next;
      pair << states.col(k + 1), states.col(k);
      next << states.col(k + 2), states.col(k + 1);
      from.push_back(pair / pair.norm());
      to.push_back(next / pair.norm());
    }
  }
  Mat X(4, static_cast<Index>(from.size())), Y = X;
  for (std::size_t k = 0; k < from.size(); ++k) {
    X.col(static_cast<Index>(k)) = from[k];
    Y.col(static_cast<Index>(k)) = to[k];
  }
  const la::ThinSvd svd = la::thin_svd(X);
  constexpr double rounding = 1e-11;  // directions below this were not really visited
  Index rank = 0;
  while (rank < 4 && svd.values[rank] > rounding * svd.values[0]) ++rank;
  const Mat U = svd.U.leftCols(rank);
  const Mat map =
      U.transpose() * Y * svd.V.leftCols(rank) * svd.values.head(rank).cwiseInverse().asDiagonal();
  Amplification result;
  for (const std::complex<double>& root : la::eigenvalues(map))
    if (std::abs(root) > result.radius) result = {std::abs(root), std::abs(std::arg(root))};
  return result;
}

}  // namespace sinew::integrators
