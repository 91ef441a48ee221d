// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include <sinew/la/solvers/cg.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {

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
  double gain = 0.0;  // of squared energy norm in the last step
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
      // gains fall like a geometric series: what is still missing is its tail
      const double before = std::exchange(gain, alpha * rz);
      const CgExperience& known = settings.experience;
      double ratio = 1.0;
      if (report.iterations == 0) {
        seen.reduction = r_norm / r_before;
        // a residual that falls less than it did is none that the experience is about
        if (known.rate > 0.0 && seen.reduction <= 2.0 * known.reduction) ratio = known.rate;
      } else {
        ratio = before > 0.0 ? gain / before : 1.0;
        seen.rate = std::max(seen.rate, ratio);
      }
      const double solution = reducer.dot(b, x);  // its squared energy norm, nearly
      is_close = ratio < 0.9 &&
                 gain * ratio / (1.0 - ratio) <= settings.tolerance * settings.tolerance * solution;
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
