// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <limits>

#include <sinew/core/error.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/phi/phi_evaluator.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {

std::string_view to_string(PhiKernel kernel) {
  constexpr std::array<std::string_view, 8> names{"auto",    "dense", "lanczos", "chebyshev",
                                                  "arnoldi", "skew",  "faber",   "shift-invert"};
  return names.at(static_cast<std::size_t>(kernel));
}

Mat dense_matrix(const LinearOperator& A) {
  Mat result(A.size(), A.size());
  A.apply_columns(Mat::Identity(A.size(), A.size()), result);
  return result;
}

double largest_eigenvalue_bound(const Pencil& pencil, const Reducer& reducer) {
  const SymmetricMatrix* K = pencil.K.assembled();
  const Vec* mass = pencil.M.diagonal_only();
  if (K == nullptr || mass == nullptr) return std::numeric_limits<double>::infinity();
  const Vec sums = K->absolute_row_sums();
  return reducer.largest(sums.size() == 0 ? 0.0 : (sums.array() / mass->array()).maxCoeff());
}

void PhiEvaluator::bind(const Pencil& pencil, const Reducer& reducer) {
  pencil_.emplace(pencil);
  reducer_ = &reducer;
  bounds_.reset();
  decomposition_.reset();
  unreported_products_ = 0;
  rows_are_current_ = false;
}

const BlockRows* PhiEvaluator::rows() {
  const SymmetricMatrix* K = pencil_->K.assembled();
  if (K == nullptr || K->pattern().block_size() != 3) return nullptr;
  if (!rows_are_current_) rows_.assign(*K);
  rows_are_current_ = true;
  return &rows_;
}

const SpectralBounds& PhiEvaluator::bounds() {
  if (!bounds_) {
    bounds_ = estimate_spectrum(*pencil_, *reducer_);
    unreported_products_ += bounds_->products;
  }
  return *bounds_;
}

PhiKernel PhiEvaluator::choose(double s) {
  // Chebyshev needs fewer products and nothing beside them, but 16 more for its interval
  constexpr double lanczos_range = 20.0;
  if (settings_.kernel == PhiKernel::dense || settings_.kernel == PhiKernel::lanczos ||
      settings_.kernel == PhiKernel::chebyshev)
    return settings_.kernel;
  // a process that has a part of the dofs only cannot decompose
  if (settings_.kernel == PhiKernel::automatic && dense_below_ > 0 &&
      reducer_->num_processes() == 1 && pencil_->K.size() <= dense_below_)
    return PhiKernel::dense;
  if (std::sqrt(s * largest_eigenvalue_bound(*pencil_, *reducer_)) <= lanczos_range)
    return PhiKernel::lanczos;
  return std::sqrt(s * bounds().high) <= lanczos_range ? PhiKernel::lanczos : PhiKernel::chebyshev;
}

PhiReport PhiEvaluator::apply(double s, const SymbolMatrix& symbols, const MatIn& B, MatOut Y) {
  SINEW_ASSERT(pencil_.has_value(), "a pencil must be bound first");
  PhiReport report;
  const PhiKernel kernel = choose(s);
  if (kernel == PhiKernel::dense) {
    report = apply_dense(s, symbols, B, Y);
  } else if (kernel == PhiKernel::chebyshev) {
    report = apply_chebyshev(s, symbols, B, Y);
  } else {
    report = phi_lanczos(*pencil_, s, symbols, B, Y, settings_, *reducer_);
    // rough data at a tight tolerance can fill the space; a series needs none
    if (report.status == PhiStatus::not_converged && settings_.kernel != PhiKernel::lanczos) {
      const long wasted = report.products;
      report = apply_chebyshev(s, symbols, B, Y);
      report.products += wasted;
    }
  }
  report.products += take_unreported_products();
  return report;
}

PhiReport PhiEvaluator::apply_chebyshev(double s, const SymbolMatrix& symbols, const MatIn& B,
                                        MatOut Y) {
  PhiReport report =
      phi_chebyshev(*pencil_, s, bounds(), symbols, B, Y, settings_, *reducer_, rows());
  const auto is_doubtful = [&] {
    return report.status != PhiStatus::ok || report.error_estimate > settings_.tolerance;
  };
  for (int steps = 48; is_doubtful() && steps <= 144; steps *= 3) {
    // The interval may have been too small: look more closely. Not kept, so that every request has
    // the same answer whatever came before it.
    const SpectralBounds closer = estimate_spectrum(*pencil_, *reducer_, steps);
    const long wasted = report.products + closer.products;
    report = phi_chebyshev(*pencil_, s, closer, symbols, B, Y, settings_, *reducer_, rows());
    report.products += wasted;
  }
  return report;
}

PhiReport PhiEvaluator::apply_dense(double s, const SymbolMatrix& symbols, const MatIn& B,
                                    MatOut Y) {
  PhiReport report{.kernel = PhiKernel::dense};
  if (!decomposition_) {
    SINEW_ASSERT(reducer_->num_processes() == 1, "a dense decomposition needs all of the system");
    SINEW_ASSERT(B.rows() <= max_dense_size, "this system is too large for a dense decomposition");
    const Mat K = dense_matrix(pencil_->K), M = dense_matrix(pencil_->M);
    if (!K.allFinite()) {
      report.status = PhiStatus::not_finite;
      return report;
    }
    SymmetricEigen eigen = generalized_symmetric_eigen(K, M);
    Mat MU = M * eigen.vectors;
    decomposition_ =
        Decomposition{std::move(eigen.values), std::move(eigen.vectors), std::move(MU)};
  }
  const Mat modal = decomposition_->MU.transpose() * B;
  Mat values(modal.rows(), Y.cols()), f(Y.cols(), B.cols());
  for (Index k = 0; k < modal.rows(); ++k) {
    symbols(s * decomposition_->lambda[k], f);
    values.row(k).noalias() = modal.row(k) * f.transpose();
  }
  Y.noalias() = decomposition_->U * values;
  if (!Y.allFinite()) report.status = PhiStatus::not_finite;
  return report;
}

}  // namespace sinew::la
