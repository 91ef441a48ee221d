// SPDX-License-Identifier: Apache-2.0
// All reductions over state-sized vectors are made here. A state vector holds the dofs owned by
// this process; a distributed reducer adds the contributions of the others, and nothing else in an
// integrator, Newton or Krylov method has to know.
//
// Decisions belong here as much as sums: processes that branch differently wait for each other
// forever. Whatever follows from the entries of a state-sized vector, or from how many there are,
// is asked of the reducer; numbers that are the same everywhere (options, results of reductions)
// are not.
//
// Vectors are worked on in pieces of fixed length, and what pieces give is added in their order: on
// any number of threads the same bits.
#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <span>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/core/types.hpp>

namespace sinew::la {

class Reducer {
 public:
  static constexpr Index usual_piece = 3072;  ///< entries; a multiple of three: nodes stay whole
  static constexpr int most_sums = 16;        ///< in one pass of sums()
  using Sums = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_sums, 1>;

  /// The executor must outlive it.
  explicit Reducer(const core::Executor& executor = core::serial_executor(),
                   Index piece = usual_piece)
      : executor_(&executor), piece_(piece) {}
  virtual ~Reducer() = default;

  // ---- of vectors; each is one reduction, whatever the number of columns ------------------------

  double dot(const VecIn& x, const VecIn& y) const {
    return sums(x.size(), 1, [&](Index begin, Index size, Sums& sum) {
      sum[0] = x.segment(begin, size).dot(y.segment(begin, size));
    })[0];
  }
  double norm(const VecIn& x) const { return std::sqrt(dot(x, x)); }
  /// X^T Y.
  Mat gram(const MatIn& X, const MatIn& Y) const {
    return summed(X.rows(), X.cols(), Y.cols(), [&](Index begin, Index size, Mat& sum) {
      sum.noalias() = X.middleRows(begin, size).transpose() * Y.middleRows(begin, size);
    });
  }
  /// X^T y, with every entry as dot() gives it.
  Vec dots(const MatIn& X, const VecIn& y) const {
    return column_products(X,
                           [&](Index begin, Index size, Index) { return y.segment(begin, size); });
  }
  /// The diagonal of X^T Y, likewise.
  Vec column_dots(const MatIn& X, const MatIn& Y) const {
    return column_products(
        X, [&](Index begin, Index size, Index c) { return Y.col(c).segment(begin, size); });
  }
  double max_abs(const VecIn& x) const {
    return largest(x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>());
  }
  bool all_finite(const VecIn& x) const { return !any(!is_finite_here(x)); }
  /// Of the entries of this process: no reduction.
  bool is_finite_here(const VecIn& x) const {
    std::atomic<bool> is_finite = true;
    for_each_piece(x.size(), [&](Index begin, Index size) {
      if (!x.segment(begin, size).allFinite()) is_finite = false;
    });
    return is_finite;
  }

  /// Several sums in one reduction and one pass: work(begin, size, sums) sets `count` of them to
  /// what entries begin to begin + size contribute, and may change these entries of vectors.
  template <class Work>
  Sums sums(Index entries, Index count, const Work& work) const {
    Sums result = Sums::Zero(count);
    if (entries <= piece_) {
      if (entries > 0) work(Index(0), entries, result);
    } else {
      std::vector<Sums> parts(num_pieces(entries), result);
      for_each_piece(entries, [&](Index begin, Index size) {
        work(begin, size, parts[static_cast<std::size_t>(begin / piece_)]);
      });
      for (const Sums& part : parts) result += part;
    }
    if (count > 0) global_sum({result.data(), static_cast<std::size_t>(count)});
    return result;
  }

  /// work(begin, size) for pieces of vectors that are independent of each other, on all threads.
  template <class Work>
  void for_each_piece(Index entries, const Work& work) const {
    constexpr Index worth_a_thread = 16384;
    const core::Executor& executor =
        entries < worth_a_thread ? core::serial_executor() : *executor_;
    executor.for_ranges(entries, piece_, [&](Index begin, Index end) { work(begin, end - begin); });
  }

  /// Y = X C and Y -= X C for a few columns.
  void multiply(const MatIn& X, const MatIn& C, MatOut Y) const {
    for_each_piece(X.rows(), [&](Index begin, Index size) {
      Y.middleRows(begin, size).noalias() = X.middleRows(begin, size) * C;
    });
  }
  void subtract_product(const MatIn& X, const MatIn& C, MatOut Y) const {
    for_each_piece(X.rows(), [&](Index begin, Index size) {
      Y.middleRows(begin, size).noalias() -= X.middleRows(begin, size) * C;
    });
  }
  Mat product(const MatIn& X, const MatIn& C) const {
    Mat Y(X.rows(), C.cols());
    multiply(X, C, Y);
    return Y;
  }

  // ---- of what this process found out by itself -------------------------------------------------

  double total(double local) const {
    global_sum({&local, 1});
    return local;
  }
  double largest(double local) const {
    global_max({&local, 1});
    return local;
  }
  /// Several numbers at once, in place.
  void add_up(std::span<double> local) const { global_sum(local); }
  void find_largest(std::span<double> local) const { global_max(local); }
  bool any(bool local) const { return largest(local ? 1.0 : 0.0) != 0.0; }
  /// How many there are, of which this process has `local`.
  Index count(Index local) const { return static_cast<Index>(total(static_cast<double>(local))); }
  Index num_processes() const { return count(1); }

 private:
  // over all processes, in place, entry by entry
  virtual void global_sum(std::span<double> /*values*/) const {}
  virtual void global_max(std::span<double> /*values*/) const {}

  std::size_t num_pieces(Index entries) const {
    return static_cast<std::size_t>((entries + piece_ - 1) / piece_);
  }

  /// The sum of the matrices that work(begin, size, matrix) makes of the pieces.
  template <class Work>
  Mat summed(Index entries, Index rows, Index cols, const Work& work) const {
    std::vector<Mat> parts(std::max<std::size_t>(1, num_pieces(entries)), Mat::Zero(rows, cols));
    for_each_piece(entries, [&](Index begin, Index size) {
      work(begin, size, parts[static_cast<std::size_t>(begin / piece_)]);
    });
    for (std::size_t p = 1; p < parts.size(); ++p) parts[0] += parts[p];
    Mat& sum = parts[0];
    if (sum.size() > 0) global_sum({sum.data(), static_cast<std::size_t>(sum.size())});
    return std::move(sum);
  }

  /// Of each column of X with other(begin, size, column).
  template <class Other>
  Vec column_products(const MatIn& X, const Other& other) const {
    return summed(X.rows(), X.cols(), 1, [&](Index begin, Index size, Mat& sum) {
      for (Index c = 0; c < X.cols(); ++c)
        sum(c, 0) = X.col(c).segment(begin, size).dot(other(begin, size, c));
    });
  }

  const core::Executor* executor_;
  Index piece_;
};

/// One process, one thread.
inline const Reducer& serial_reducer() {
  static const Reducer reducer;
  return reducer;
}

}  // namespace sinew::la
