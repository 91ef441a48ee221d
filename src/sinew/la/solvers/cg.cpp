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
      seen.reduction = reduction;
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

}  // namespace

SolveReport cg(const LinearOperator& A, const Preconditioner& precondition, const VecIn& b,
               VecOut x, const CgSettings& settings, const Reducer& reducer, CgWorkspace& work) {
  auto& [r, z, p, Ap, seen] = work;
  seen = {};
  for (Vec* vector : {&r, &z, &p, &Ap}) vector->resize(A.size());
  SolveReport report;
  const double b_norm = reducer.norm(b);
  if (!std::isfinite(b_norm)) {
    report.status = SolveStatus::not_finite;
    return report;
  }
  if (b_norm == 0.0) {
    x.setZero();
    return report;
  }
  A.apply(x, Ap);
  r = b - Ap;
  const int limit = settings.max_iterations > 0 ? settings.max_iterations
                                                : 10 * static_cast<int>(reducer.count(A.size()));
  double r_norm = reducer.norm(r), rz = 0.0;
  Gains gains;
  constexpr double rounding = 1e-15;
  bool is_close = false;
  for (;; ++report.iterations) {
    report.relative_residual = r_norm / b_norm;
    if (!std::isfinite(report.relative_residual)) {
      report.status = SolveStatus::not_finite;
      return report;
    }
    if (settings.test == CgTest::energy ? is_close || report.relative_residual < rounding
                                        : report.relative_residual <= settings.tolerance)
      return report;
    if (report.iterations == limit) {
      report.status = SolveStatus::not_converged;
      return report;
    }
    precondition(r, z);
    const double rz_new = reducer.dot(r, z);
    if (!(rz_new > 0.0)) {  // the preconditioner is not definite
      report.status = SolveStatus::not_converged;
      return report;
    }
    if (report.iterations == 0) {
      p = z;
    } else {
      p = z + (rz_new / rz) * p;
    }
    rz = rz_new;
    A.apply(p, Ap);
    const double curvature = reducer.dot(p, Ap);
    if (!(curvature > 0.0)) {
      report.status = SolveStatus::not_positive_definite;
      return report;
    }
    const double alpha = rz / curvature;
    x += alpha * p;
    r -= alpha * Ap;
    const double r_before = std::exchange(r_norm, reducer.norm(r));
    if (settings.test == CgTest::energy) {
      const double solution = reducer.dot(b, x);  // its squared energy norm, nearly
      is_close =
          gains.missing(report.iterations, alpha * rz, r_norm / r_before, settings.experience,
                        seen) <= settings.tolerance * settings.tolerance * solution;
    }
  }
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
    SolveReport worst;
    const Preconditioner jacobi = [this](const VecIn& r, VecOut z) {
      z = inverse_diagonal_.cwiseProduct(r);
    };
    for (Index c = 0; c < B.cols(); ++c) {
      const SolveReport report =
          cg(*matrix_, jacobi, B.col(c), X.col(c), settings_, reducer_, work_);
      worst.iterations += report.iterations;
      worst.relative_residual = std::max(worst.relative_residual, report.relative_residual);
      if (report.status != SolveStatus::ok) worst.status = report.status;
    }
    return worst;
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
