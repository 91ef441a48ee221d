// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <sinew/la/eigen/modes.hpp>

namespace sinew::la {
namespace {

/// Right-hand sides that ask for a share of every mode beyond the space.
Mat rough_block(const Pencil& pencil, const RitzSpace& space, Index cols, std::mt19937& random) {
  constexpr double range = std::mt19937::max();
  const Mat rough = Mat::NullaryExpr(
      pencil.K.size(), cols, [&] { return 2.0 * static_cast<double>(random()) / range - 1.0; });
  Mat B(rough.rows(), cols);
  pencil.M.apply_columns(rough, B);
  space.deflate(B);
  return B;
}

/// Solves for the columns and lets the space grow by them. Returns by how many dimensions.
Index expand(RitzSpace& space, const BlockSolve& solve, const Mat& B, ModesReport& report) {
  Mat X = Mat::Zero(B.rows(), B.cols());
  ++report.blocks;
  report.solves += B.cols();
  report.status = solve(B, X);
  return report.status == SolveStatus::ok ? space.append(std::move(X)) : 0;
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
  const Index n = reducer.count(pencil.K.size());
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
  std::mt19937 random(1);  // the same numbers each time
  Mat next = rough_block(pencil, space, block, random);
  for (;;) {
    const Index grown = expand(space, solve, next, report);
    if (report.status != SolveStatus::ok) break;
    modes = space.lowest(followed);
    std::vector<Index> open;
    for (Index k = 0; k < std::min(modes.size(), wanted); ++k)
      if (!(request.relative_residual(modes, k) <= request.tolerance)) open.push_back(k);
    if (open.empty() && modes.size() >= wanted) break;
    if (space.size() >= n) break;  // all there is; what is left is rounding
    if (!modes.residual.allFinite())
      report.status = SolveStatus::not_finite;
    else if (grown == 0 || report.blocks >= request.max_blocks)
      report.status = SolveStatus::not_converged;
    if (report.status != SolveStatus::ok) break;
    if (space.size() + static_cast<Index>(open.size()) > capacity) space.restart(followed + block);
    // soft modes that were there before may have drowned the others
    next = open.empty() ? rough_block(pencil, space, block, random) : columns(modes.R, open);
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
  if (blocks == 0 || followed == num_rigid) modes = space.lowest(followed);
  Mat next = space.residual_of_last(followed - num_rigid);
  for (int k = 0; k < blocks && next.cols() > 0; ++k) {
    expand(space, solve, next, report);
    if (report.status != SolveStatus::ok) break;
    modes = space.lowest(followed);
    if (k + 1 < blocks) next = columns(modes.R, flexible_ones(modes, num_rigid));
  }
  report.products = space.products();
  return report;
}

Mat flexible_shapes(const Modes& modes, Index num_rigid) {
  return columns(modes.U, flexible_ones(modes, num_rigid));
}

}  // namespace sinew::la
