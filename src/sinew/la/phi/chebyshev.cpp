// SPDX-License-Identifier: Apache-2.0
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

/// The smallest degree beyond which every coefficient is far below the tolerance: they fall faster
/// than any geometric series there, so the first one left out is as large as all the rest.
int degree_for(const Expansion& expansion, double tolerance) {
  constexpr double far_below = 0.1;
  for (Index k = expansion.coefficients.rows() - 1; k >= 0; --k)
    if ((expansion.coefficients.row(k).cwiseAbs().transpose().array() >
         far_below * tolerance * expansion.size.array())
            .any())
      return static_cast<int>(k);
  return 0;
}

}  // namespace

PhiReport phi_chebyshev(const Pencil& pencil, double s, const SpectralBounds& bounds,
                        const SymbolMatrix& symbols, const MatIn& B, MatOut Y,
                        const PhiSettings& settings, const Reducer& reducer) {
  PhiReport report{.method = PhiMethod::chebyshev};
  const double low = s * bounds.low, high = std::max(s * bounds.high, low + 1e-300);
  // functions of sqrt x oscillate about sqrt(high)/pi times: a guess, doubled until the tail is
  // small
  int n = 32;
  while (n < 2.0 * std::sqrt(high - low) + 32.0) n *= 2;
  // a rounding of x turns the phase of cos sqrt x by as much as sqrt(x) roundings: no coefficient
  // is known better than that
  const double wanted = std::max(0.1 * settings.tolerance, 1e-15 * std::sqrt(high - low));
  Expansion expansion = expand(symbols, low, high, Y.cols(), B.cols(), n);
  int degree = degree_for(expansion, wanted);
  while (degree > 3 * n / 4 && n < settings.max_degree) {
    n *= 2;
    expansion = expand(symbols, low, high, Y.cols(), B.cols(), n);
    degree = degree_for(expansion, wanted);
  }
  report.dimension = degree;
  if (!expansion.coefficients.allFinite()) {
    report.status = PhiStatus::not_finite;
    return report;
  }
  if (degree > 3 * n / 4) {
    report.status = PhiStatus::not_converged;
    return report;
  }

  // T_0 b, T_1 b, T_{k+1} b = 2 C T_k b - T_{k-1} b with C = (2 A - (low + high)/s)/((high -
  // low)/s)
  const double centre = 0.5 * (low + high), radius = 0.5 * (high - low);
  Mat previous = B, current(B.rows(), B.cols()), product(B.rows(), B.cols());
  const auto multiply = [&](const Mat& from) {
    pencil.K.apply_columns(from, current);
    pencil.M_inverse.apply_columns(current, product);
    product = (s * product - centre * from) / radius;
    report.products += B.cols();
  };
  const auto accumulate = [&](Index k, const Mat& T) {
    const Vec row = expansion.coefficients.row(k).transpose();
    const Eigen::Map<const Mat> c(row.data(), Y.cols(), B.cols());
    Y.noalias() += T * c.transpose();
  };
  Y.setZero();
  accumulate(0, previous);
  if (degree == 0) return report;
  multiply(previous);
  Mat T = product;
  accumulate(1, T);
  for (int k = 2; k <= degree; ++k) {
    multiply(T);
    previous = 2.0 * product - previous;
    std::swap(previous, T);
    accumulate(k, T);
  }
  // polynomials explode outside their interval: a sum far larger than the functions allow means
  // that the bounds were wrong
  double starts = 0.0;
  for (Index j = 0; j < B.cols(); ++j) starts += reducer.norm(B.col(j));
  for (Index i = 0; i < Y.cols(); ++i) {
    const double norm = reducer.norm(Y.col(i));
    if (!std::isfinite(norm))
      report.status = PhiStatus::not_finite;
    else if (norm > 1e6 * expansion.size.maxCoeff() * starts)
      report.status = PhiStatus::not_converged;
  }
  report.error_estimate = wanted;
  return report;
}

}  // namespace sinew::la
