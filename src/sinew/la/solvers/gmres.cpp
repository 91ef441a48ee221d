// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <Eigen/Jacobi>

#include <sinew/la/solvers/gmres.hpp>

namespace sinew::la {

SolveReport gmres(const Product& product, const Approximation& precondition, const Vec& b, Vec& x,
                  const GmresSettings& settings, const Reducer& reducer) {
  SolveReport report;
  x.setZero(b.size());
  const double size = reducer.norm(b);
  if (size == 0.0) return report;
  if (!std::isfinite(size)) {
    report.status = SolveStatus::not_finite;
    return report;
  }
  const Index most = settings.max_iterations;
  std::vector<Vec> basis{b / size}, directions;  // v_k, and P v_k
  Mat R = Mat::Zero(most + 1, most);  // of the Hessenberg matrix, turned column by column
  Vec g = Vec::Zero(most + 1);
  g[0] = size;
  std::vector<Eigen::JacobiRotation<double>> rotations;
  Index k = 0;
  report.status = SolveStatus::not_converged;
  for (; k < most; ++k) {
    Vec z(b.size()), w(b.size());
    const SolveStatus status = precondition(basis.back(), z);
    if (status != SolveStatus::ok) {
      report.status = status;
      return report;
    }
    product(z, w);
    const double whole = reducer.norm(w);
    // twice: what is left of a vector that nearly lies in the space is rounding after one pass
    for (int pass = 0; pass < 2; ++pass)
      for (Index i = 0; i <= k; ++i) {
        const Vec& v = basis[static_cast<std::size_t>(i)];
        const double part = reducer.dot(v, w);
        R(i, k) += part;
        w -= part * v;
      }
    double rest = reducer.norm(w);
    if (!std::isfinite(rest)) {
      report.status = SolveStatus::not_finite;
      return report;
    }
    constexpr double rounding = 1e-14;
    if (rest <= rounding * whole) rest = 0.0;  // nothing new
    R(k + 1, k) = rest;
    for (Index i = 0; i < k; ++i)
      R.col(k).applyOnTheLeft(i, i + 1, rotations[static_cast<std::size_t>(i)].adjoint());
    // nothing new that could be used either: the operator is singular
    if (rest == 0.0 && std::abs(R(k, k)) <= rounding * whole) break;
    directions.push_back(std::move(z));
    Eigen::JacobiRotation<double> turn;
    turn.makeGivens(R(k, k), R(k + 1, k));
    R.col(k).applyOnTheLeft(k, k + 1, turn.adjoint());
    g.applyOnTheLeft(k, k + 1, turn.adjoint());
    rotations.push_back(turn);
    report.iterations = static_cast<int>(k) + 1;
    report.relative_residual = std::abs(g[k + 1]) / size;
    if (report.relative_residual <= settings.tolerance || rest == 0.0) {
      ++k;
      break;
    }
    basis.push_back(w / rest);
  }
  const Vec y = R.topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(g.head(k));
  for (Index i = 0; i < k; ++i) x += y[i] * directions[static_cast<std::size_t>(i)];
  // what the recurrence says is not taken for granted
  Vec r(b.size());
  product(x, r);
  r -= b;
  report.relative_residual = reducer.norm(r) / size;
  constexpr double fair = 2.0;
  if (report.relative_residual <= fair * settings.tolerance) report.status = SolveStatus::ok;
  return report;
}

}  // namespace sinew::la
