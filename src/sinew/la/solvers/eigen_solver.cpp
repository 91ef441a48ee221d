// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <Eigen/SparseCholesky>

#include <sinew/la/scalar_csc.hpp>
#include <sinew/la/solvers/eigen_solver.hpp>

namespace sinew::la {
namespace {

class EigenSolver final : public LinearSolver {
 public:
  FactorReport factorize(const LinearOperator& A) override {
    const SymmetricMatrix* matrix = A.assembled();
    SINEW_ASSERT(matrix != nullptr, "a direct solver needs an assembled matrix");
    FactorReport report;
    if (matrix->pattern().version() != analysed_version_) {
      std::vector<int> order(static_cast<std::size_t>(matrix->pattern().num_blocks()));
      std::iota(order.begin(), order.end(), 0);  // Eigen finds its own AMD order
      csc_.analyze(matrix->pattern(), order);
      cholesky_.analyzePattern(view());
      analysed_version_ = matrix->pattern().version();
      report.analysed = true;
    }
    if (!csc_.fill(*matrix)) {
      report.status = SolveStatus::not_finite;
      return report;
    }
    cholesky_.factorize(view());
    if (cholesky_.info() != Eigen::Success) report.status = SolveStatus::not_positive_definite;
    return report;
  }

  SolveReport do_solve(const MatIn& B, MatOut X, double /*enough*/) override {
    X = cholesky_.solve(B);
    return {};
  }

 private:
  using Sparse = Eigen::SparseMatrix<double>;

  Eigen::Map<const Sparse> view() const {
    const Index n = static_cast<Index>(csc_.col_start.size()) - 1;
    return {n,
            n,
            static_cast<Index>(csc_.rows.size()),
            csc_.col_start.data(),
            csc_.rows.data(),
            csc_.values.data()};
  }

  Eigen::SimplicialLLT<Sparse, Eigen::Lower> cholesky_;
  std::uint64_t analysed_version_ = 0;
  ScalarCsc csc_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_eigen_solver(const Reducer& /*sums nothing*/) {
  return std::make_unique<EigenSolver>();
}

}  // namespace sinew::la
