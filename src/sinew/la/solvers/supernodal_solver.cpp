// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/core/error.hpp>
#include <sinew/la/factor/fill_reducing_order.hpp>
#include <sinew/la/factor/supernodal_factor.hpp>
#include <sinew/la/solvers/openblas.hpp>
#include <sinew/la/solvers/supernodal_solver.hpp>

namespace sinew::la {
namespace {

/// Finding an order takes longer than anything else before the numbers. Blocks that come and go are
/// few, so the order of the pattern without them is used as long as it is not much worse there.
class OrderMemory {
 public:
  /// Depends on the pattern alone, not on what was asked before.
  Supernodes supernodes(const BlockPattern& pattern) {
    // an order takes as long as so many operations per node, on one thread
    constexpr double worse = 2.0, flops_per_node = 1.5e5;
    const int block = pattern.block_size();
    const BlockPattern& base = pattern.base() ? *pattern.base() : pattern;
    if (base.version() != version_) {
      const Graph graph = base.graph();
      order_ = fill_reducing_order(graph);
      flops_ = factor_flops(find_supernodes(graph, order_, block), block);
      version_ = base.version();
    }
    const Graph graph = pattern.graph();
    Supernodes nodes = find_supernodes(graph, order_, block);
    const double affordable = worse * flops_ + flops_per_node * graph.num_nodes();
    if (factor_flops(nodes, block) <= affordable) return nodes;
    return find_supernodes(graph, fill_reducing_order(graph), block);
  }

 private:
  std::uint64_t version_ = 0;  // of the base
  std::vector<int> order_;
  double flops_ = 0.0;
};

template <class Scalar>
class SupernodalSolver final : public LinearSolver {
 public:
  FactorReport factorize(const LinearOperator& A) override {
    const SymmetricMatrix* matrix = A.assembled();
    SINEW_ASSERT(matrix != nullptr, "a direct solver needs an assembled matrix");
    const BlockPattern& pattern = matrix->pattern();
    executor_ = &matrix->executor();
    FactorReport report;
    if (pattern.version() != analysed_version_) {
      factor_.analyze(pattern, order_.supernodes(pattern));
      analysed_version_ = pattern.version();
      report.analysed = true;
    }
    const Index area = static_cast<Index>(pattern.block_size()) * pattern.block_size();
    if (!Eigen::Map<const Vec>(matrix->values(), pattern.num_entries() * area).allFinite()) {
      report.status = SolveStatus::not_finite;
      return report;
    }
    const OneBlasThread blas;  // threads are ours to use, and sums have one order
    if (!factor_.factorize(*matrix, *executor_)) report.status = SolveStatus::not_positive_definite;
    return report;
  }

  double factor_cost() const override {
    // measured on bars of 5,000 to 190,000 tets, in both precisions; small factors are slower
    constexpr double flops_per_entry = 40.0, least = 12.0;
    return std::max(least, factor_.flops() / (flops_per_entry * factor_.entries()));
  }

 private:
  SolveReport do_solve(const MatIn& B, MatOut X, double /*enough*/) override {
    if constexpr (sizeof(Scalar) == sizeof(double)) {
      factor_.solve(B, X, *executor_);
    } else {
      scales_.resize(B.cols());
      for (Index c = 0; c < B.cols(); ++c) {  // so that nothing leaves the range of the precision
        const double size = B.col(c).template lpNorm<Eigen::Infinity>();
        scales_[c] = size > 0.0 && std::isfinite(size) ? size : 1.0;
        X.col(c) = B.col(c) / scales_[c];
      }
      factor_.solve(X, X, *executor_);
      for (Index c = 0; c < B.cols(); ++c) X.col(c) *= scales_[c];
    }
    return {};
  }
  SolveReport do_precondition(const MatIn& B, MatOut X) override { return do_solve(B, X, 0.0); }

  OrderMemory order_;
  SupernodalFactor<Scalar> factor_;
  Vec scales_;  // of right-hand sides
  const core::Executor* executor_ = nullptr;
  std::uint64_t analysed_version_ = 0;
};

}  // namespace

std::unique_ptr<LinearSolver> make_supernodal_solver(const Reducer& /*sums nothing*/) {
  return std::make_unique<SupernodalSolver<double>>();
}

std::unique_ptr<LinearSolver> make_rough_supernodal_solver(const Reducer& /*sums nothing*/) {
  return std::make_unique<SupernodalSolver<float>>();
}

}  // namespace sinew::la
