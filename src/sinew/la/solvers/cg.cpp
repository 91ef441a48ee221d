// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <sinew/la/solvers/cg.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {
namespace {

/// By how much each iteration lowers the squared energy norm of the error. Gains fall like a
/// geometric series: what is still missing is its tail.
class Gains {
 public:
  /// After an iteration that gained so much and changed the residual by the factor `reduction`.
  double missing(int iteration, double gain, double reduction, const CgExperience& known,
                 CgExperience& seen) {
    double ratio = 1.0, caution = 1.0;
    if (iteration == 0) {
      seen.reduction = std::max(seen.reduction, reduction);
      // a residual that falls less than it did is none that the experience is about
      if (known.rate > 0.0 && reduction <= 2.0 * known.reduction) ratio = known.rate;
    } else {
      ratio = last_ > 0.0 ? gain / last_ : 1.0;
      seen.rate = std::max(seen.rate, ratio);
    }
    last_ = gain;
    double& oldest = window_[static_cast<std::size_t>(iteration) % window_.size()];
    if (iteration >= static_cast<int>(window_.size())) {
      // single gains of slow iterations say little: the mean fall of the last few as well
      ratio = std::max(ratio, std::pow(gain / oldest, 1.0 / static_cast<double>(window_.size())));
      caution = 4.0;
    }
    oldest = gain;
    return ratio < 0.9 ? caution * gain * ratio / (1.0 - ratio)
                       : std::numeric_limits<double>::infinity();
  }

 private:
  double last_ = 0.0;
  std::array<double, 4> window_{};
};

/// Several right-hand sides side by side. Columns that are done make room.
class Iteration {
 public:
  static constexpr Index most_columns = Reducer::most_sums / 2;

  /// For `count` columns of B and X from the first one on.
  Iteration(const LinearOperator& A, const Preconditioner& precondition, const MatIn& B, MatOut X,
            Index first, Index count, const CgSettings& settings, const Reducer& reducer,
            CgWorkspace& work)
      : A_(A),
        precondition_(precondition),
        first_(first),
        count_(count),
        B_(B.middleCols(first, count)),
        X_(X.middleCols(first, count)),
        settings_(settings),
        reducer_(reducer),
        work_(work) {}

  SolveReport run() {
    const int limit = settings_.max_iterations > 0
                          ? settings_.max_iterations
                          : 10 * static_cast<int>(reducer_.count(A_.size()));
    start();
    for (int iteration = 0;; ++iteration) {
      retire();
      if (count_ == 0 || report_.status != SolveStatus::ok) return report_;
      report_.status = iteration == limit ? SolveStatus::not_converged : advance(iteration);
      if (report_.status != SolveStatus::ok) {
        for (Index c = 0; c < count_; ++c) note_residual(columns_[c]);
        return report_;
      }
    }
  }

 private:
  struct Column {
    Index of = 0;  // B and X
    double b_norm = 0.0, r_norm = 0.0, r_first = 0.0, rz = 0.0;
    bool is_close = false;
    Gains gains;
  };

  void start() {
    for (Mat* block : {&work_.R, &work_.Z, &work_.P, &work_.AP}) block->resize(A_.size(), count_);
    if (!settings_.product) A_.apply_columns(X_, work_.AP);
    const Mat& AX = settings_.product ? *settings_.product : work_.AP;
    const Index first = settings_.product ? first_ : 0;
    const auto squares =
        reducer_.sums(A_.size(), 2 * count_, [&](Index begin, Index size, Reducer::Sums& sum) {
          for (Index c = 0; c < count_; ++c) {
            const auto b = B_.col(c).segment(begin, size);
            auto r = work_.R.col(c).segment(begin, size);
            r = b - AX.col(first + c).segment(begin, size);
            sum[2 * c] = b.squaredNorm();
            sum[2 * c + 1] = r.squaredNorm();
          }
        });
    for (Index c = 0; c < count_; ++c)
      columns_[c] = {.of = c,
                     .b_norm = std::sqrt(squares[2 * c]),
                     .r_norm = std::sqrt(squares[2 * c + 1]),
                     .r_first = std::sqrt(squares[2 * c + 1])};
  }

  /// Takes out the columns that are good enough.
  void retire() {
    constexpr double rounding = 1e-15;
    for (Index c = count_ - 1; c >= 0; --c) {
      const Column& column = columns_[c];
      if (!std::isfinite(column.b_norm) || !std::isfinite(column.r_norm)) {
        report_.status = SolveStatus::not_finite;
        return;
      }
      if (column.b_norm == 0.0) {
        X_.col(column.of).setZero();
        remove(c);
        continue;
      }
      const double residual = column.r_norm / column.b_norm;
      if (settings_.test == CgTest::energy ? column.is_close || residual < rounding
                                           : residual <= settings_.tolerance) {
        note_residual(column);
        if (column.r_norm > 0.0) work_.seen.decades += std::log10(column.r_first / column.r_norm);
        remove(c);
      }
    }
  }

  void remove(Index c) {
    const Index last = --count_;
    if (c == last) return;
    columns_[c] = columns_[last];
    work_.R.col(c) = work_.R.col(last);
    work_.P.col(c) = work_.P.col(last);
  }

  void note_residual(const Column& column) {
    report_.relative_residual = std::max(report_.relative_residual, column.r_norm / column.b_norm);
  }

  SolveStatus advance(int iteration) {
    auto R = work_.R.leftCols(count_), Z = work_.Z.leftCols(count_), P = work_.P.leftCols(count_),
         AP = work_.AP.leftCols(count_);
    precondition_(R, Z);
    const Reducer::Sums rz = dots(R, Z);
    if (!(rz.minCoeff() > 0.0)) return SolveStatus::not_converged;  // it is not definite
    reducer_.for_each_piece(A_.size(), [&](Index begin, Index size) {
      for (Index c = 0; c < count_; ++c) {
        auto p = P.col(c).segment(begin, size);
        const auto z = Z.col(c).segment(begin, size);
        if (iteration == 0)
          p = z;
        else
          p = z + (rz[c] / columns_[c].rz) * p;
      }
    });
    A_.apply_columns(P, AP);
    const Reducer::Sums curvature = dots(P, AP);
    if (!(curvature.minCoeff() > 0.0)) return SolveStatus::not_positive_definite;
    const Reducer::Sums alpha = rz.cwiseQuotient(curvature);
    const auto after =
        reducer_.sums(A_.size(), 2 * count_, [&](Index begin, Index size, Reducer::Sums& sum) {
          for (Index c = 0; c < count_; ++c) {
            const Index of = columns_[c].of;
            auto r = R.col(c).segment(begin, size);
            auto x = X_.col(of).segment(begin, size);
            x += alpha[c] * P.col(c).segment(begin, size);
            r -= alpha[c] * AP.col(c).segment(begin, size);
            sum[2 * c] = r.squaredNorm();
            sum[2 * c + 1] = B_.col(of).segment(begin, size).dot(x);
          }
        });
    for (Index c = 0; c < count_; ++c) {
      Column& column = columns_[c];
      const double before = std::exchange(column.r_norm, std::sqrt(after[2 * c]));
      column.rz = rz[c];
      if (settings_.test == CgTest::energy) {
        const double solution = after[2 * c + 1];  // its squared energy norm, nearly
        column.is_close = column.gains.missing(iteration, alpha[c] * rz[c], column.r_norm / before,
                                               settings_.experience, work_.seen) <=
                          settings_.tolerance * settings_.tolerance * solution;
      }
    }
    report_.iterations += static_cast<int>(count_);
    return SolveStatus::ok;
  }

  Reducer::Sums dots(const MatIn& X, const MatIn& Y) const {
    return reducer_.sums(X.rows(), X.cols(), [&](Index begin, Index size, Reducer::Sums& sum) {
      for (Index c = 0; c < X.cols(); ++c)
        sum[c] = X.col(c).segment(begin, size).dot(Y.col(c).segment(begin, size));
    });
  }

  const LinearOperator& A_;
  const Preconditioner& precondition_;
  const Index first_;
  Index count_;  // of columns that are not done
  const MatIn B_;
  MatOut X_;
  const CgSettings& settings_;
  const Reducer& reducer_;
  CgWorkspace& work_;
  std::array<Column, most_columns> columns_;
  SolveReport report_;
};

}  // namespace

SolveReport cg(const LinearOperator& A, const Preconditioner& precondition, const MatIn& B,
               MatOut X, const CgSettings& settings, const Reducer& reducer, CgWorkspace& work) {
  SolveReport total;
  work.seen = {};
  for (Index first = 0; first < B.cols() && total.status == SolveStatus::ok;
       first += Iteration::most_columns) {
    const Index count = std::min(Iteration::most_columns, B.cols() - first);
    const SolveReport report =
        Iteration(A, precondition, B, X, first, count, settings, reducer, work).run();
    total.iterations += report.iterations;
    total.relative_residual = std::max(total.relative_residual, report.relative_residual);
    total.status = report.status;
  }
  return total;
}

namespace {

class CgSolver final : public LinearSolver {
 public:
  explicit CgSolver(const Reducer& reducer) : reducer_(reducer) {}

  FactorReport factorize(const LinearOperator& A) override {
    matrix_ = &A;
    FactorReport report;
    inverse_diagonal_ = Vec::Ones(A.size());
    if (const SymmetricMatrix* entries = A.assembled()) {
      inverse_diagonal_ = entries->diagonal();
      if (!reducer_.all_finite(inverse_diagonal_)) {
        report.status = SolveStatus::not_finite;
      } else if (reducer_.any((inverse_diagonal_.array() <= 0.0).any())) {
        report.status = SolveStatus::not_positive_definite;
      }
      inverse_diagonal_ = inverse_diagonal_.cwiseInverse();
    }
    return report;
  }

  SolveReport do_solve(const MatIn& B, MatOut X, double /*enough*/) override {
    const Preconditioner jacobi = [this](const MatIn& R, MatOut Z) {
      Z = inverse_diagonal_.asDiagonal() * R;
    };
    return cg(*matrix_, jacobi, B, X, settings_, reducer_, work_);
  }

 private:
  const Reducer& reducer_;
  const LinearOperator* matrix_ = nullptr;
  Vec inverse_diagonal_;
  CgSettings settings_;
  CgWorkspace work_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_cg_solver(const Reducer& reducer) {
  return std::make_unique<CgSolver>(reducer);
}

}  // namespace sinew::la
