// SPDX-License-Identifier: Apache-2.0
// A space that grows, and what K x = lambda M x looks like from inside it.
#pragma once

#include <sinew/la/pencil.hpp>
#include <sinew/la/reducer.hpp>

namespace sinew::la {

/// Approximate pairs of K x = lambda M x.
struct Modes {
  Vec lambda;       ///< ascending [1/s^2]
  Mat U;            ///< shapes, one per column, M-orthonormal
  Mat MU;           ///< M U
  Mat R;            ///< K U - M U diag(lambda), orthogonal to U
  Vec residual;     ///< |R_i| in the norm of M^-1: an eigenvalue lies that close to lambda_i
  Vec given_share;  ///< how much of each shape lies in what was given first, 0 to 1

  Index size() const { return lambda.size(); }
  /// The `count` lowest of them.
  Modes first(Index count) const;
};

class RitzSpace {
 public:
  RitzSpace(const Pencil& pencil, const Reducer& reducer)
      : pencil_(pencil), reducer_(reducer), V_(pencil.K.size(), 0), MV_(V_), KV_(V_) {}

  Index size() const { return size_; }
  /// Products of K with a vector so far.
  long products() const { return products_; }

  /// Adds what the columns of X have beyond the space; what is not finite or depends on the rest is
  /// left out. Returns by how many dimensions the space has grown.
  Index append(Mat X);
  /// Takes out of right-hand sides what would bring back the space: B becomes orthogonal to it.
  void deflate(Mat& B) const {
    reducer_.subtract_product(MV_.leftCols(size_), reducer_.gram(V_.leftCols(size_), B), B);
  }
  /// What is in the space now counts as given.
  void mark_given() { M_given_ = MV_.leftCols(size_); }
  /// M-orthonormal; columns stay when others are appended.
  auto basis() const { return V_.leftCols(size_); }
  /// All eigenvalues within the space, ascending, and the coefficients of their vectors in the
  /// basis.
  struct Pairs {
    Vec lambda;
    Mat C;
  };
  Pairs pairs() const;
  /// K X - M V (V^T K X) of the `count` columns X that were appended last: what they lack to span
  /// an invariant space.
  Mat residual_of_last(Index count) const;
  /// The same for combinations of the basis, whose coefficients are the columns of C.
  Mat residual_of(const Mat& C) const;
  /// The `count` lowest pairs (all, if there are fewer) with shapes in the space.
  Modes lowest(Index count) const;
  /// Goes on with the space of the `count` lowest pairs alone.
  void restart(Index count);

 private:
  /// Room for so many columns.
  void reserve(Index rows, Index columns);
  /// Brings projected_ up to date with the last columns of the basis.
  void project(Index added);

  Pencil pencil_;
  const Reducer& reducer_;
  Mat V_, MV_, KV_;  // V^T M V = I; with room for more columns
  Index size_ = 0;
  Mat projected_;  // V^T K V
  Mat M_given_;
  long products_ = 0;
};

}  // namespace sinew::la
