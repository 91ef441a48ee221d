// SPDX-License-Identifier: Apache-2.0
// The best combination of the last few solutions, in the norm of the present matrix, as the start
// of an iteration: motion is smooth in time, and that saves an iteration or two.
#pragma once

#include <sinew/la/linear_operator.hpp>
#include <sinew/la/reducer.hpp>

namespace sinew::la {

class SolutionGuess {
 public:
  static constexpr Index most = 3;  ///< solutions that are kept

  /// X = P Y with P^T A P Y = P^T B, P the solutions remembered; AX comes with it.
  void guess(const LinearOperator& A, const MatIn& B, const Reducer& reducer, MatOut X, Mat& AX);
  void remember(const MatIn& X);
  void forget();

  /// For checkpoints: the solutions by columns and which of them is the newest.
  const Mat& solutions() const { return past_; }
  Index newest() const { return newest_; }
  void restore(Mat solutions, Index newest);

 private:
  Mat past_, products_;
  Index newest_ = most - 1;  // column of past_ that was written last, once it is full
};

}  // namespace sinew::la
