// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <span>
#include <vector>

#include <sinew/la/phi/block_rows.hpp>
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

/// The smallest degree beyond which every coefficient is below its bound (one per column).
int degree_for(const Expansion& expansion, const Vec& bounds) {
  for (Index k = expansion.coefficients.rows() - 1; k >= 0; --k)
    if ((expansion.coefficients.row(k).cwiseAbs().transpose().array() > bounds.array()).any())
      return static_cast<int>(k);
  return 0;
}

/// Sums T_k(C) B c_k^T over k = 0, 1, ..., where C is A moved and scaled so that its spectrum lies
/// in
/// [-1, 1], and c_k has a row per output and a column per start vector.
class ChebyshevSum {
 public:
  virtual ~ChebyshevSum() = default;
  int degree() const { return degree_; }
  /// The next terms, with these coefficients.
  void add(std::span<const Mat> coefficients) {
    do_add(coefficients);
    degree_ += static_cast<int>(coefficients.size());
  }
  virtual void write(MatOut Y) const = 0;

 protected:
  /// T_{k+1} = factor (scale A - shift) T_k - keep T_{k-1}
  static double factor(int k) { return k == 0 ? 1.0 : 2.0; }
  static double keep(int k) { return k == 0 ? 0.0 : 1.0; }

 private:
  virtual void do_add(std::span<const Mat> coefficients) = 0;
  int degree_ = 0;
};

class PlainSum final : public ChebyshevSum {
 public:
  PlainSum(const Pencil& pencil, double scale, double shift, const MatIn& B, const Mat& c)
      : pencil_(pencil),
        scale_(scale),
        shift_(shift),
        previous_(Mat::Zero(B.rows(), B.cols())),
        current_(B),
        product_(B.rows(), B.cols()),
        accelerated_(B.rows(), B.cols()),
        sum_(B * c.transpose()) {}
  void write(MatOut Y) const override { Y = sum_; }

 private:
  void do_add(std::span<const Mat> coefficients) override {
    int k = degree();
    for (const Mat& c : coefficients) {
      pencil_.K.apply_columns(current_, product_);
      pencil_.M_inverse.apply_columns(product_, accelerated_);
      previous_ = factor(k) * (scale_ * accelerated_ - shift_ * current_) - keep(k) * previous_;
      std::swap(previous_, current_);
      sum_.noalias() += current_ * c.transpose();
      ++k;
    }
  }

  const Pencil& pencil_;
  double scale_, shift_;
  Mat previous_, current_, product_, accelerated_, sum_;
};

/// The same in at most one pass over the matrix per degree.
class FusedSum final : public ChebyshevSum {
 public:
  FusedSum(const BlockRows& rows, const Vec& inverse_mass, double scale, double shift,
           const MatIn& B, const Mat& c)
      : rows_(rows),
        scale_(scale),
        shift_(shift),
        previous_(B.rows() / 3, B.cols()),
        current_(B.rows() / 3, B.cols()),
        inverse_mass_(B.rows() / 3, 1),
        sum_(B.rows() / 3, c.rows()) {
    inverse_mass_.read(inverse_mass);
    current_.read(B);
    sum_.read(B * c.transpose());
  }
  void write(MatOut Y) const override { sum_.write(Y); }

 private:
  void do_add(std::span<const Mat> coefficients) override {
    std::vector<BlockRows::Step> steps;
    int k = degree();
    for (const Mat& c : coefficients) {
      steps.push_back({factor(k) * scale_, factor(k) * shift_, keep(k), c});
      ++k;
    }
    rows_.advance(steps, current_, previous_, inverse_mass_, sum_);
  }

  const BlockRows& rows_;
  double scale_, shift_;
  BlockRows::Vectors previous_, current_, inverse_mass_, sum_;
};

double mass_norm(const Pencil& pencil, const VecIn& x, Vec& scratch, const Reducer& reducer) {
  scratch.resize(x.size());
  pencil.M.apply(x, scratch);
  const double square = reducer.dot(x, scratch);
  return std::sqrt(square < 0.0 ? 0.0 : square);
}

std::unique_ptr<ChebyshevSum> make_sum(const Pencil& pencil, double scale, double shift,
                                       const MatIn& B, const Mat& first, const BlockRows* rows) {
  const Vec* inverse_mass = pencil.M_inverse.diagonal_only();
  if (rows != nullptr && inverse_mass != nullptr && B.cols() <= 4)
    return std::make_unique<FusedSum>(*rows, *inverse_mass, scale, shift, B, first);
  return std::make_unique<PlainSum>(pencil, scale, shift, B, first);
}

}  // namespace

PhiReport phi_chebyshev(const Pencil& pencil, double s, const SpectralBounds& bounds,
                        const SymbolMatrix& symbols, const MatIn& B, MatOut Y,
                        const PhiSettings& settings, const Reducer& reducer,
                        const BlockRows* rows) {
  PhiReport report{.kernel = PhiKernel::chebyshev};
  const Index outputs = Y.cols(), starts = B.cols();
  const double low = s * bounds.low, high = std::max(s * bounds.high, low + 1e-300);
  // a rounding of x turns the phase of cos sqrt x by as much as sqrt(x) roundings: no coefficient
  // is known better than that
  const double rounding = 1e-15 * std::sqrt(high - low);
  // functions of sqrt x oscillate about sqrt(high)/pi times: a guess, doubled until the tail is
  // small
  int n = 32;
  report.status = PhiStatus::not_converged;
  if (!(std::sqrt(high - low) < settings.max_degree)) return report;
  while (n < 2.0 * std::sqrt(high - low) + 32.0) n *= 2;
  Expansion expansion = expand(symbols, low, high, outputs, starts, n);
  // coefficients fall faster than any geometric series beyond the last one of size: the first one
  // left out is as large as all the rest
  constexpr double far_below = 0.01;
  Vec wanted = std::max(far_below * settings.tolerance, rounding) * expansion.size;
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
  if (degree > n / 2) return report;
  report.status = PhiStatus::ok;

  const auto coefficients = [&](int k) -> Mat {
    const Vec row = expansion.coefficients.row(k).transpose();
    return Eigen::Map<const Mat>(row.data(), outputs, starts);
  };
  const double scale = 2.0 * s / (high - low), shift = (high + low) / (high - low);
  const auto sum = make_sum(pencil, scale, shift, B, coefficients(0), rows);
  const auto advance_to = [&](int last) {
    std::vector<Mat> next;
    for (int k = sum->degree() + 1; k <= last; ++k) next.push_back(coefficients(k));
    sum->add(next);
    sum->write(Y);
  };
  advance_to(degree);

  // So far errors are small compared with the largest values that the functions take. Data that
  // live where they are small ask for more: now the size of the outputs is known.
  Vec scratch, start_size(starts);
  for (Index j = 0; j < starts; ++j) start_size[j] = mass_norm(pencil, B.col(j), scratch, reducer);
  Vec possible = Vec::Zero(outputs);
  double excess = 1.0;
  for (Index i = 0; i < outputs; ++i) {
    const double size = mass_norm(pencil, Y.col(i), scratch, reducer);
    for (Index j = 0; j < starts; ++j) {
      const Index column = i + j * outputs;
      possible[i] += expansion.size[column] * start_size[j];
      if (start_size[j] > 0.0)
        wanted[column] = std::clamp(
            far_below * settings.tolerance * size / (static_cast<double>(starts) * start_size[j]),
            rounding * expansion.size[column], wanted[column]);
    }
    // Polynomials explode outside their interval: a sum far larger than the functions allow means
    // that the bounds were wrong. Slightly negative eigenvalues that escaped the estimate make it
    // somewhat larger, and are served well by entire functions.
    if (!std::isfinite(size))
      report.status = PhiStatus::not_finite;
    else if (size > 1e4 * possible[i])
      report.status = PhiStatus::not_converged;
    else if (possible[i] > 0.0)
      excess = std::max(excess, size / possible[i]);
  }
  if (report.status == PhiStatus::ok) advance_to(std::min(degree_for(expansion, wanted), n));
  report.products = static_cast<long>(sum->degree()) * starts;
  report.dimension = sum->degree();
  report.error_estimate = excess * std::max(0.1 * settings.tolerance, rounding);
  if (excess > 1.0)
    report.error_estimate = std::max(report.error_estimate, excess * settings.tolerance);
  return report;
}

}  // namespace sinew::la
