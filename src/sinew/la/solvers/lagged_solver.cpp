// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <sinew/core/error.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/solvers/cg.hpp>
#include <sinew/la/solvers/lagged_solver.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {
namespace {

class LaggedSolver final : public LinearSolver {
 public:
  LaggedSolver(std::unique_ptr<LinearSolver> direct, const Reducer& reducer,
               const LagSettings& settings)
      : direct_(std::move(direct)), reducer_(reducer), settings_(settings) {}

  std::vector<Mat3>* frames() override { return &frames_; }

  FactorReport factorize(const LinearOperator& A) override {
    SINEW_ASSERT(A.assembled() != nullptr, "a lagged factor needs the entries of the matrix");
    matrix_ = &A;
    is_current_ = false;
    if (restored_.size() > 0) rebuild_factor();
    const bool usable =
        factored_ && factored_->pattern().version() == A.assembled()->pattern().version();
    if (usable && is_factored(*A.assembled())) {
      is_current_ = true;
      return {.factorized = false};
    }
    if (!usable || direct_left_ > 0 || iterations_ >= direct_->factor_cost()) {
      judge_cycle();
      return refresh();
    }
    ++matrices_;
    return {.factorized = false};
  }

  SolveReport do_solve(const MatIn& B, MatOut X, double enough) override {
    SolveReport total;
    solves_ += static_cast<int>(B.cols());
    if (!is_current_) {
      for (Index c = 0; c < B.cols(); ++c) {
        const SolveReport report = iterate(B.col(c), X.col(c), enough);
        total.iterations += report.iterations;
        total.relative_residual = std::max(total.relative_residual, report.relative_residual);
        iterations_ += report.iterations;
        if (report.status != SolveStatus::ok) {
          total.status = report.status;
          break;
        }
      }
      if (total.status == SolveStatus::ok || total.status == SolveStatus::not_finite) return total;
      const FactorReport factor = refresh();
      total.factorizations = 1;
      total.status = factor.status;
      if (factor.status != SolveStatus::ok) return total;
    }
    const SolveReport report = direct_->solve(B, X);
    for (Index c = 0; c < B.cols(); ++c) remember(X.col(c));
    total.status = report.status;
    total.relative_residual = report.relative_residual;
    return total;
  }

  SolveReport do_precondition(const MatIn& B, MatOut X) override {
    if (is_current_) return direct_->solve(B, X);
    apply_factor(B, X);
    return {};
  }

  Vec memory() const override {
    if (restored_.size() > 0) return restored_;
    if (!factored_) return {};
    const auto num_frames = static_cast<Index>(factor_frames_.size());
    const Index entries = num_entries(*factored_);
    Vec kept(header + past_.size() + 9 * num_frames + entries);
    kept.head<header>() << iterations_, static_cast<double>(num_frames),
        static_cast<double>(past_.cols()), static_cast<double>(newest_), matrices_, solves_,
        direct_left_;
    kept.segment(header, past_.size()) = past_.reshaped();
    Index at = header + past_.size();
    for (const Mat3& frame : factor_frames_) {
      kept.segment<9>(at) = frame.reshaped();
      at += 9;
    }
    kept.tail(entries) = Eigen::Map<const Vec>(factored_->values(), entries);
    return kept;
  }

  void restore(const Vec& memory) override { restored_ = memory; }

  void reset() override {
    factored_.reset();
    factor_frames_.clear();
    restored_.resize(0);
    past_.resize(0, 0);
    newest_ = most_remembered - 1;
    iterations_ = matrices_ = solves_ = direct_left_ = 0;
    is_current_ = false;
  }

 private:
  static constexpr Index most_remembered = 3;  // solutions, for the guess
  static constexpr Index header = 7;           // of memory(): numbers before the arrays

  static Index num_entries(const SymmetricMatrix& matrix) {
    const BlockPattern& pattern = matrix.pattern();
    return static_cast<Index>(pattern.num_entries()) * pattern.block_size() * pattern.block_size();
  }

  /// At the end of a factor's life: if using it again has cost more than factorising each matrix
  /// would have, do that for a while.
  void judge_cycle() {
    constexpr int a_while = 20;
    if (direct_left_ > 0) {
      --direct_left_;
    } else if (matrices_ > 0) {
      const double cost = direct_->factor_cost();
      if (cost + iterations_ > matrices_ * cost + solves_) direct_left_ = a_while;
    }
  }

  /// Whether the factor is of this very matrix.
  bool is_factored(const SymmetricMatrix& A) const {
    return !reducer_.any(!std::equal(A.values(), A.values() + num_entries(A), factored_->values()));
  }

  /// Factorises the present matrix and keeps what memory() needs.
  FactorReport refresh() {
    const SymmetricMatrix& A = *matrix_->assembled();
    const FactorReport report = direct_->factorize(A);
    is_current_ = report.status == SolveStatus::ok;
    iterations_ = 0;
    matrices_ = 1;
    solves_ = 0;
    if (is_current_) {
      factored_ = A;
      factor_frames_ = frames_;
    } else {
      factored_.reset();
    }
    return report;
  }

  /// The factor that an earlier process had, from the entries it was made of.
  void rebuild_factor() {
    const Vec kept = std::exchange(restored_, Vec());
    SymmetricMatrix matrix = *matrix_->assembled();
    const Index entries = num_entries(matrix), n = matrix.size();
    const auto num_frames = static_cast<Index>(kept[1]), num_past = static_cast<Index>(kept[2]);
    if (kept.size() != header + n * num_past + 9 * num_frames + entries) return;  // another system
    std::copy_n(kept.data() + kept.size() - entries, entries, matrix.values());
    if (direct_->factorize(matrix).status != SolveStatus::ok) return;
    factored_ = std::move(matrix);
    iterations_ = static_cast<int>(kept[0]);
    newest_ = static_cast<Index>(kept[3]);
    matrices_ = static_cast<int>(kept[4]);
    solves_ = static_cast<int>(kept[5]);
    direct_left_ = static_cast<int>(kept[6]);
    past_ = Eigen::Map<const Mat>(kept.data() + header, n, num_past);
    factor_frames_.clear();
    for (Index k = 0; k < num_frames; ++k)
      factor_frames_.emplace_back(
          Eigen::Map<const Mat3>(kept.data() + header + past_.size() + 9 * k));
  }

  SolveReport iterate(const VecIn& b, VecOut x, double enough) {
    const Preconditioner lagged = [&](const VecIn& r, VecOut z) { apply_factor(r, z); };
    guess(b, x);
    const SolveReport report = cg(*matrix_, lagged, b, x,
                                  {.tolerance = std::max(settings_.tolerance, enough),
                                   .test = CgTest::energy,
                                   .max_iterations = settings_.max_iterations},
                                  reducer_, work_);
    if (report.status == SolveStatus::ok) remember(x);
    return report;
  }

  /// With the factor of an earlier matrix, turned with the material since then.
  void apply_factor(const MatIn& B, MatOut X) {
    if (frames_.empty() || frames_.size() != factor_frames_.size()) {
      static_cast<void>(direct_->solve(B, X));
      return;
    }
    turned_.resize(B.rows(), B.cols());
    for (std::size_t k = 0; k < frames_.size(); ++k) {
      const Mat3 turn = factor_frames_[k] * frames_[k].transpose();
      const auto row = static_cast<Index>(3 * k);
      for (Index c = 0; c < B.cols(); ++c)
        turned_.col(c).segment<3>(row) = turn * B.col(c).segment<3>(row);
    }
    static_cast<void>(direct_->solve(turned_, X));
    for (std::size_t k = 0; k < frames_.size(); ++k) {
      const Mat3 turn = frames_[k] * factor_frames_[k].transpose();
      const auto row = static_cast<Index>(3 * k);
      for (Index c = 0; c < X.cols(); ++c)
        X.col(c).segment<3>(row) = (turn * X.col(c).segment<3>(row)).eval();
    }
  }

  /// x = P y with P^T A P y = P^T b, P the solutions remembered.
  void guess(const VecIn& b, VecOut x) {
    x.setZero();
    if (past_.rows() != b.size()) past_.resize(b.size(), 0);
    const Index m = past_.cols();
    if (m == 0) return;
    A_past_.resize(b.size(), m);
    for (Index k = 0; k < m; ++k) matrix_->apply(past_.col(k), A_past_.col(k));
    const Vec rhs = reducer_.dots(past_, b);
    Mat gram(m, m);
    for (Index j = 0; j < m; ++j) {
      const Vec products = reducer_.dots(A_past_.leftCols(j + 1), past_.col(j));
      gram.row(j).head(j + 1) = products.transpose();
      gram.col(j).head(j + 1) = products;
    }
    // solutions of nearly the same direction say nothing new: leave out small eigenvalues
    const Vec scale = gram.diagonal().cwiseAbs().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const SymmetricEigen eigen = symmetric_eigen(scale.asDiagonal() * gram * scale.asDiagonal());
    if (!(eigen.values[m - 1] > 0.0)) return;
    Vec y = eigen.vectors.transpose() * scale.cwiseProduct(rhs);
    for (Index k = 0; k < m; ++k) y[k] = eigen.values[k] > 1e-10 ? y[k] / eigen.values[k] : 0.0;
    y = scale.cwiseProduct(eigen.vectors * y);
    if (y.allFinite()) x = past_ * y;
  }

  void remember(const VecIn& x) {
    if (past_.rows() != x.size()) past_.resize(x.size(), 0);
    if (past_.cols() < most_remembered) {
      past_.conservativeResize(x.size(), past_.cols() + 1);
      past_.col(past_.cols() - 1) = x;
      return;
    }
    newest_ = (newest_ + 1) % most_remembered;
    past_.col(newest_) = x;
  }

  std::unique_ptr<LinearSolver> direct_;
  const Reducer& reducer_;
  LagSettings settings_;
  const LinearOperator* matrix_ = nullptr;
  bool is_current_ = false;                  // the factor is that of the present matrix
  std::optional<SymmetricMatrix> factored_;  // entries the factor was made of
  std::vector<Mat3> frames_, factor_frames_;
  int iterations_ = 0;   // since the factor was made
  int matrices_ = 0;     // it has served for, its own included
  int solves_ = 0;       // with it
  int direct_left_ = 0;  // matrices to factorise before lagging is tried again
  Vec restored_;
  Mat turned_;
  Mat past_, A_past_;                   // solutions, and their products
  Index newest_ = most_remembered - 1;  // column of past_ that was written last, once it is full
  CgWorkspace work_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_lagged_solver(std::unique_ptr<LinearSolver> direct,
                                                 const Reducer& reducer,
                                                 const LagSettings& settings) {
  return std::make_unique<LaggedSolver>(std::move(direct), reducer, settings);
}

}  // namespace sinew::la
