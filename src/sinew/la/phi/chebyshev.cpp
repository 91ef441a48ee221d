// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <sinew/la/phi/phi_action.hpp>

#include <unsupported/Eigen/FFT>

namespace sinew::la {
namespace {

/// Chebyshev coefficients of every f_ij on [low, high]: entry k of column i + j * outputs.
struct Expansion {
  Mat coefficients;
  Vec size;  ///< largest value of each function on the interval
};

/// From the values at n + 1 points, by a cosine transform.
Expansion expand(const SymbolMatrix& symbols, double low, double high, Index outputs, Index starts,
                 int n) {
  Mat values(n + 1, outputs * starts), f(outputs, starts);
  for (int k = 0; k <= n; ++k) {
    const double x = std::cos(std::numbers::pi * k / n);
    symbols(0.5 * (low + high) + 0.5 * (high - low) * x, f);
    values.row(k) = f.reshaped().transpose();
  }
  Expansion result;
  result.size = values.cwiseAbs().colwise().maxCoeff().transpose();
  result.coefficients.resize(n + 1, outputs * starts);
  Eigen::FFT<double> fft;
  std::vector<std::complex<double>> even(static_cast<std::size_t>(2 * n)), spectrum;
  for (Index c = 0; c < values.cols(); ++c) {
    for (int k = 0; k <= n; ++k) even[static_cast<std::size_t>(k)] = values(k, c);
    for (int k = 1; k < n; ++k) even[static_cast<std::size_t>(2 * n - k)] = values(k, c);
    fft.fwd(spectrum, even);
    for (int k = 0; k <= n; ++k)
      result.coefficients(k, c) =
          spectrum[static_cast<std::size_t>(k)].real() / (k == 0 || k == n ? 2.0 * n : n);
  }
  return result;
}

/// The smallest degree beyond which every coefficient is far below its bound (one per column): they
/// fall faster than any geometric series there, so the first one left out is as large as the rest.
int degree_for(const Expansion& expansion, const Vec& bounds) {
  constexpr double far_below = 0.1;
  for (Index k = expansion.coefficients.rows() - 1; k >= 0; --k)
    if ((expansion.coefficients.row(k).cwiseAbs().transpose().array() > far_below * bounds.array())
            .any())
      return static_cast<int>(k);
  return 0;
}

/// T_k(C) b for k = 0, 1, ..., where C is A moved and scaled so that its spectrum lies in [-1, 1].
class ChebyshevRecurrence {
 public:
  ChebyshevRecurrence(const Pencil& pencil, double s, double low, double high, const MatIn& B)
      : pencil_(pencil),
        scale_(2.0 * s / (high - low)),
        shift_((high + low) / (high - low)),
        previous_(B.rows(), B.cols()),
        current_(B),
        product_(B.rows(), B.cols()),
        accelerated_(B.rows(), B.cols()) {}

  const Mat& current() const { return current_; }
  int degree() const { return degree_; }

  void advance() {
    pencil_.K.apply_columns(current_, product_);
    const double factor = degree_ == 0 ? 1.0 : 2.0;
    const double a = factor * scale_, b = factor * shift_, keep = degree_ == 0 ? 0.0 : 1.0;
    if (degree_ == 0) previous_.setZero();
    if (const Vec* inverse = pencil_.M_inverse.diagonal_only()) {
      for (Index j = 0; j < current_.cols(); ++j)
        previous_.col(j) = a * inverse->cwiseProduct(product_.col(j)) - b * current_.col(j) -
                           keep * previous_.col(j);
    } else {
      pencil_.M_inverse.apply_columns(product_, accelerated_);
      previous_ = a * accelerated_ - b * current_ - keep * previous_;
    }
    std::swap(previous_, current_);
    ++degree_;
  }

 private:
  const Pencil& pencil_;
  double scale_, shift_;
  Mat previous_, current_, product_, accelerated_;
  int degree_ = 0;
};

double mass_norm(const Pencil& pencil, const VecIn& x, Vec& scratch, const Reducer& reducer) {
  scratch.resize(x.size());
  pencil.M.apply(x, scratch);
  const double square = reducer.dot(x, scratch);
  return std::sqrt(square < 0.0 ? 0.0 : square);
}

}  // namespace

PhiReport phi_chebyshev(const Pencil& pencil, double s, const SpectralBounds& bounds,
                        const SymbolMatrix& symbols, const MatIn& B, MatOut Y,
                        const PhiSettings& settings, const Reducer& reducer) {
  PhiReport report{.kernel = PhiKernel::chebyshev};
  const Index outputs = Y.cols(), starts = B.cols();
  const double low = s * bounds.low, high = std::max(s * bounds.high, low + 1e-300);
  // a rounding of x turns the phase of cos sqrt x by as much as sqrt(x) roundings: no coefficient
  // is known better than that
  const double rounding = 1e-15 * std::sqrt(high - low);
  // functions of sqrt x oscillate about sqrt(high)/pi times: a guess, doubled until the tail is
  // small
  int n = 32;
  while (n < 2.0 * std::sqrt(high - low) + 32.0) n *= 2;
  Expansion expansion = expand(symbols, low, high, outputs, starts, n);
  Vec wanted = std::max(0.1 * settings.tolerance, rounding) * expansion.size;
  int degree = degree_for(expansion, wanted);
  while (degree > n / 2 && n < settings.max_degree) {
    n *= 2;
    expansion = expand(symbols, low, high, outputs, starts, n);
    degree = degree_for(expansion, wanted);
  }
  if (!expansion.coefficients.allFinite()) {
    report.status = PhiStatus::not_finite;
    return report;
  }
  if (degree > n / 2) {
    report.status = PhiStatus::not_converged;
    return report;
  }

  ChebyshevRecurrence T(pencil, s, low, high, B);
  const auto accumulate = [&] {
    const Vec row = expansion.coefficients.row(T.degree()).transpose();
    Y.noalias() += T.current() * Eigen::Map<const Mat>(row.data(), outputs, starts).transpose();
  };
  Y.setZero();
  accumulate();
  const auto advance_to = [&](int last) {
    while (T.degree() < last) {
      T.advance();
      accumulate();
    }
  };
  advance_to(degree);

  // So far errors are small compared with the largest values that the functions take. Data that
  // live where they are small ask for more: now the size of the outputs is known.
  Vec scratch, start_size(starts);
  for (Index j = 0; j < starts; ++j) start_size[j] = mass_norm(pencil, B.col(j), scratch, reducer);
  Vec possible = Vec::Zero(outputs);
  for (Index i = 0; i < outputs; ++i) {
    const double size = mass_norm(pencil, Y.col(i), scratch, reducer);
    for (Index j = 0; j < starts; ++j) {
      const Index column = i + j * outputs;
      possible[i] += expansion.size[column] * start_size[j];
      if (start_size[j] > 0.0)
        wanted[column] = std::clamp(
            0.1 * settings.tolerance * size / (static_cast<double>(starts) * start_size[j]),
            rounding * expansion.size[column], wanted[column]);
    }
    // Polynomials explode outside their interval: a sum far larger than the functions allow means
    // that the bounds were wrong. Slightly negative eigenvalues that escaped the estimate make it
    // somewhat larger, and are served well by entire functions.
    if (!std::isfinite(size))
      report.status = PhiStatus::not_finite;
    else if (size > 1e4 * possible[i])
      report.status = PhiStatus::not_converged;
  }
  if (report.status == PhiStatus::ok) advance_to(std::min(degree_for(expansion, wanted), n));
  report.products = static_cast<long>(T.degree()) * starts;
  report.dimension = T.degree();
  report.error_estimate = std::max(0.1 * settings.tolerance, rounding);
  return report;
}

}  // namespace sinew::la
