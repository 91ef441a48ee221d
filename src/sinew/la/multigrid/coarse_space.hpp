// SPDX-License-Identifier: Apache-2.0
// Rigid motions of aggregates: what a smoother cannot reduce is nearly a sum of them.
//
//   x = R P c,      per node i of aggregate a:  x_i = R_a P_i c_a,   c_a: six numbers
//
// P holds an orthonormal basis of the rigid motions of each aggregate as it was placed when the
// space was made, and R_a is how the aggregate has turned since. So the space follows a body that
// turns, and the coarse matrix P^T R^T A R P stays what it was, up to strain.
#pragma once

#include <vector>

#include <sinew/la/factor/supernodal_factor.hpp>
#include <sinew/la/multigrid/aggregates.hpp>
#include <sinew/la/row_blocks.hpp>

namespace sinew::la {

class CoarseSpace {
 public:
  static constexpr int modes = 6;

  /// Which nodes and couplings there are; call for each new pattern.
  void analyze(const BlockPattern& pattern, int nodes_per_aggregate);

  /// The basis for these positions, three numbers per node; without them translations alone.
  void place(const Vec& positions);

  /// Factorises the coarse matrix; false: not positive definite, and so neither is A.
  bool factorize(const RowBlocks<double>& A);

  /// How aggregates have turned since place(): the means over their nodes, which had the rotations
  /// `then` and have `now`. Empty: they have not.
  void turn(std::span<const Mat3> then, std::span<const Mat3> now, const core::Executor& executor);

  /// x += R P (P^T R^T A R P)^-1 P^T R^T r; vectors as those of RowBlocks::multiply_row.
  template <int Columns>
  void correct(const std::vector<float>& r, std::vector<float>& x, const core::Executor& executor);

  int size() const { return modes * aggregates_.size(); }

 private:
  using Basis = Eigen::Matrix<float, 3, modes>;

  template <class Work>
  void for_aggregates(const core::Executor& executor, const Work& work) const;

  Aggregates aggregates_;
  std::vector<Basis> basis_;                      // of each node
  std::vector<std::array<bool, modes>> is_used_;  // by aggregate: others are no motion of it
  std::vector<Eigen::Matrix3f> turns_;            // of aggregates
  std::shared_ptr<const BlockPattern> pattern_;
  SupernodalFactor<double> factor_;
  Mat coarse_;
};

}  // namespace sinew::la
