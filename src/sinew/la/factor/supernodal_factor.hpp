// SPDX-License-Identifier: Apache-2.0
// The Cholesky factor of a sparse symmetric positive definite block matrix, in single or double
// precision, made of dense pieces: each supernode takes the entries of the matrix and the updates
// of its children and hands its own update on (multifrontal method). Subtrees do not depend on each
// other, and the large supernodes above them are cut into tiles, so that all threads have work.
// Cuts and orders of sums come from the pattern alone: bits do not depend on the number of threads.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/la/factor/supernodes.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {

template <class Scalar>
class SupernodalFactor {
 public:
  void analyze(const BlockPattern& pattern, Supernodes nodes);

  /// False: the matrix is not positive definite, as far as this precision can tell.
  bool factorize(const SymmetricMatrix& matrix, const core::Executor& executor);

  /// X = A^-1 B; X may be B.
  void solve(const MatIn& B, MatOut X, const core::Executor& executor);

  double flops() const { return flops_; }      ///< of a factorisation
  double entries() const { return entries_; }  ///< stored, of the factor
  /// Pieces of work that may run at once: subtrees, or parts of the supernodes above them.
  int num_subtrees() const { return static_cast<int>(subtrees_.size()); }

 private:
  /// A block of the matrix and where it goes in the columns of its supernode.
  struct Source {
    int slot;
    int row, col;  ///< scalars
    bool is_transposed;
  };
  /// Block rows that follow each other both in a child's update and in its parent's front.
  struct Run {
    int from, to, length;
  };
  /// Supernodes [begin, end) with the root end - 1, which one thread works on.
  struct Subtree {
    int begin, end;
    Index stack = 0;        ///< scalars that its updates need at most
    Index outer_begin = 0;  ///< of the rows of its root among those of all roots
    int widest = 0;         ///< front
    double work = 0.0;
  };

  int width(int s) const { return block_ * nodes_.num_cols(s); }
  int height(int s) const { return block_ * nodes_.num_rows(s); }
  int front(int s) const { return width(s) + height(s); }
  Index update_size(int s) const { return static_cast<Index>(height(s)) * height(s); }
  Scalar* columns(int s) { return values_.data() + offset_[s]; }
  const Scalar* columns(int s) const { return values_.data() + offset_[s]; }
  std::span<const int> children(int s) const {
    return {children_.data() + child_begin_[s], children_.data() + child_begin_[s + 1]};
  }

  void place_entries(const BlockPattern& pattern);
  void place_updates();
  void plan_subtrees();
  /// False: too few for many threads.
  bool cut_tree(std::span<const double> work, std::span<const int> first, double largest);
  void place_outer_rows();
  int local_row(int s, int row) const;

  void load_entries(int s, const double* entries);
  void add_update(int child, const Scalar* update, Scalar* U, int from, int to);
  bool factor_columns(int s);
  bool factor_subtree(const Subtree& subtree, const double* entries);
  bool factor_large(int s, const core::Executor& executor);

  /// K right-hand sides at once, stored side by side; `count` of them are there.
  template <int K>
  void solve_columns(const MatIn& B, MatOut X, Index first, Index count,
                     const core::Executor& executor);
  template <int K>
  void forward_subtree(const Subtree& subtree, Scalar* x, Scalar* outer);
  template <int K>
  void backward_subtree(const Subtree& subtree, Scalar* x);
  template <int K>
  void forward_large(int s, Scalar* x, const core::Executor& executor);
  template <int K>
  void backward_large(int s, Scalar* x, const core::Executor& executor);

  /// Of a thread that works on a subtree.
  class Scratch {
   public:
    Scratch(SupernodalFactor& owner, Index size);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    Scalar* data() { return memory_.data(); }

   private:
    SupernodalFactor& owner_;
    std::vector<Scalar> memory_;
  };

  Supernodes nodes_;
  int block_ = 1;
  std::vector<Scalar> values_;  // per supernode its columns, the rows below included
  std::vector<Index> offset_;
  double entries_ = 0.0, flops_ = 0.0;
  std::vector<int> source_begin_, run_begin_, child_begin_, children_;
  std::vector<Source> sources_;
  std::vector<Run> runs_;          // of the rows of each supernode in the front of its parent
  std::vector<Subtree> subtrees_;  // the most work first
  // supernodes above all subtrees; those of one level do not depend on each other
  std::vector<std::vector<int>> large_;
  std::vector<std::vector<Scalar>> update_;  // of large supernodes and roots of subtrees
  // rows of a supernode that lie outside its subtree: the first one, and for each where it is among
  // the rows of the root
  std::vector<int> outer_begin_, outer_row_;
  Index outer_size_ = 0;
  std::vector<Index> below_begin_;  // of the rows of a large supernode among those of all
  Index below_size_ = 0;

  std::mutex scratch_mutex_;
  std::vector<std::vector<Scalar>> free_scratch_;
  std::vector<Scalar> x_, outer_, below_;
};

extern template class SupernodalFactor<float>;
extern template class SupernodalFactor<double>;

}  // namespace sinew::la
