// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <sinew/la/eigen/modes.hpp>

namespace sinew::la {
namespace {

/// Has a share of every mode, and is the same each time.
Mat rough_block(Index rows, Index cols) {
  return Mat::NullaryExpr(rows, cols, [](Index i, Index j) {
    return std::sin(1.0 + 12.9898 * static_cast<double>(i) + 78.233 * static_cast<double>(j * j)) +
           0.3 * std::cos(static_cast<double>(j + 1) * static_cast<double>(i));
  });
}

/// Solves for the columns and lets the space grow by them.
SolveStatus expand(RitzSpace& space, const BlockSolve& solve, const Mat& B, ModesReport& report) {
  Mat X = Mat::Zero(B.rows(), B.cols());
  ++report.blocks;
  report.solves += B.cols();
  const SolveStatus status = solve(B, X);
  if (status == SolveStatus::ok) space.append(std::move(X));
  return status;
}

Mat columns(const Mat& matrix, const std::vector<Index>& chosen) {
  Mat result(matrix.rows(), static_cast<Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k)
    result.col(static_cast<Index>(k)) = matrix.col(chosen[k]);
  return result;
}

/// All but the `num_rigid` that lie most in what was given, in their order.
std::vector<Index> flexible_ones(const Modes& modes, Index num_rigid) {
  std::vector<Index> order(static_cast<std::size_t>(modes.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return modes.given_share[a] < modes.given_share[b]; });
  order.resize(static_cast<std::size_t>(std::max<Index>(0, modes.size() - num_rigid)));
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

ModesReport find_modes(const Pencil& pencil, const BlockSolve& solve, const Mat& rigid,
                       const ModesRequest& request, const Reducer& reducer, Modes& modes) {
  const Index n = pencil.K.size();
  ModesReport report;
  RitzSpace space(pencil, reducer);
  space.append(rigid);
  space.mark_given();
  const Index num_rigid = space.size();
  const Index wanted = std::min(num_rigid + request.count, n);
  const Index followed = std::min(wanted + request.guards, n);
  const Index block = followed - num_rigid;
  const Index capacity = std::min(n, followed + std::max<Index>(3 * block, 24));
  if (block == 0 || request.count == 0) {
    modes = space.lowest(wanted);
    report.products = space.products();
    return report;
  }
  const Mat start = rough_block(n, block);
  Mat M_start(n, block);
  pencil.M.apply_columns(start, M_start);
  report.status = expand(space, solve, M_start, report);
  while (report.status == SolveStatus::ok) {
    modes = space.lowest(followed);
    std::vector<Index> open;
    bool converged = modes.size() >= wanted;
    for (Index k = 0; k < modes.size(); ++k) {
      const double residual = request.relative_residual(modes, k);
      if (k < wanted && !(residual <= request.tolerance)) converged = false;
      constexpr double done = 1e-2;  // of the tolerance: nothing more to gain from this one
      if (residual > done * request.tolerance) open.push_back(k);
    }
    if (converged || space.size() >= n || open.empty()) break;
    if (report.blocks >= request.max_blocks) {
      report.status = SolveStatus::not_converged;
      break;
    }
    if (space.size() + block > capacity) space.restart(space.lowest(followed + block));
    report.status = expand(space, solve, columns(modes.R, open), report);
  }
  report.products = space.products();
  return report;
}

ModesReport follow_modes(const Pencil& pencil, const BlockSolve& solve, const Mat& rigid,
                         const Mat& shapes, int blocks, const Reducer& reducer, Modes& modes) {
  ModesReport report;
  RitzSpace space(pencil, reducer);
  space.append(rigid);
  space.mark_given();
  const Index num_rigid = space.size();
  space.append(shapes);
  const Index followed = space.size();
  modes = space.lowest(followed);
  for (int k = 0; k < blocks && followed > num_rigid; ++k) {
    const std::vector<Index> flexible = flexible_ones(modes, num_rigid);
    report.status = expand(space, solve, columns(modes.R, flexible), report);
    if (report.status != SolveStatus::ok) break;
    modes = space.lowest(followed);
  }
  report.products = space.products();
  return report;
}

Mat flexible_shapes(const Modes& modes, Index num_rigid) {
  return columns(modes.U, flexible_ones(modes, num_rigid));
}

}  // namespace sinew::la
