// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include <sinew/core/error.hpp>
#include <sinew/la/phi/faber.hpp>
#include <sinew/la/phi/stumpff.hpp>

#include <unsupported/Eigen/FFT>

namespace sinew::la {
namespace {

using Complex = std::complex<double>;

constexpr double rounding = std::numeric_limits<double>::epsilon();

/// log of a bound of the n-th coefficient of e^z: the smallest, over all R > 1, of the largest
/// |e^z| on the ellipse |w| = R, divided by R^n. There z = centre + a w + b/w.
double log_coefficient(const Ellipse& ellipse, double n) {
  const double a = 0.5 * (ellipse.real + ellipse.imaginary),
               b = 0.5 * (ellipse.real - ellipse.imaginary);
  const double R = std::max(1.0, (n + std::sqrt(std::max(0.0, n * n + 4.0 * a * b))) / (2.0 * a));
  return ellipse.centre + a * R + b / R - n * std::log(R);
}

/// Coefficients of c^k phi_k(c z), real because the ellipse is symmetric: entry n of column
/// i + (k - 1) * times.
Mat expand(const Ellipse& ellipse, std::span<const double> times, Index p, int points) {
  const Index outputs = static_cast<Index>(times.size());
  std::vector<std::vector<Complex>> values(static_cast<std::size_t>(outputs * p),
                                           std::vector<Complex>(static_cast<std::size_t>(points)));
  for (int n = 0; n < points; ++n) {
    const double angle = 2.0 * std::numbers::pi * n / points;
    const Complex z(ellipse.centre + ellipse.real * std::cos(angle),
                    ellipse.imaginary * std::sin(angle));
    for (Index i = 0; i < outputs; ++i) {
      const double c = times[static_cast<std::size_t>(i)];
      const auto phi = complex_phi(c * z);
      for (Index k = 1; k <= p; ++k)
        values[static_cast<std::size_t>(i + (k - 1) * outputs)][static_cast<std::size_t>(n)] =
            std::pow(c, static_cast<double>(k)) * phi[static_cast<std::size_t>(k)];
    }
  }
  Eigen::FFT<double> fft;
  std::vector<Complex> spectrum;
  Mat coefficients(points / 2, outputs * p);
  for (Index column = 0; column < coefficients.cols(); ++column) {
    const auto& samples = values[static_cast<std::size_t>(column)];
    fft.fwd(spectrum, samples);
    double largest = 0.0;
    for (const Complex& sample : samples) largest = std::max(largest, std::abs(sample));
    for (Index n = 0; n < coefficients.rows(); ++n)
      coefficients(n, column) = spectrum[static_cast<std::size_t>(n)].real() / points;
    // behind the last one of size there is only the rounding of the transform
    Index last = coefficients.rows() - 1;
    while (last > 0 && std::abs(coefficients(last, column)) <= 4.0 * rounding * largest) --last;
    coefficients.col(column).tail(coefficients.rows() - 1 - last).setZero();
  }
  return coefficients;
}

/// Row n: the sum of the absolute values of all coefficients behind the n-th.
Mat tails(const Mat& coefficients) {
  Mat result(coefficients.rows(), coefficients.cols());
  for (Index c = 0; c < coefficients.cols(); ++c) {
    double sum = 0.0;
    for (Index n = coefficients.rows() - 1; n >= 0; --n) {
      result(n, c) = sum;
      sum += std::abs(coefficients(n, c));
    }
  }
  return result;
}

/// F_n(A) b for one start vector b: F_{n+1} = (A - centre) F_n / a - (b/a) F_{n-1}, the last term
/// twice in F_2.
class FaberVectors {
 public:
  FaberVectors(const GeneralMap& A, const Ellipse& ellipse, const VecIn& start,
               const Reducer& reducer)
      : A_(A),
        reducer_(reducer),
        centre_(ellipse.centre),
        scale_(2.0 / (ellipse.real + ellipse.imaginary)),
        ratio_((ellipse.real - ellipse.imaginary) / (ellipse.real + ellipse.imaginary)),
        previous_(Vec::Zero(start.size())),
        current_(start),
        image_(start.size()),
        weighted_(start.size()) {
    look();
  }

  const Vec& current() const { return current_; }
  /// In the inner product; negative: it is none.
  double square() const { return square_; }

  void advance() {
    ++degree_;
    const double keep = degree_ == 1 ? 0.0 : degree_ == 2 ? 2.0 * ratio_ : ratio_;
    previous_ = scale_ * (image_ - centre_ * current_) - keep * previous_;
    std::swap(previous_, current_);
    look();
  }

 private:
  void look() {
    A_.apply(current_, image_, weighted_);
    square_ = reducer_.dot(current_, weighted_);
  }

  const GeneralMap& A_;
  const Reducer& reducer_;
  double centre_, scale_, ratio_;
  Vec previous_, current_, image_, weighted_;
  double square_ = 0.0;
  int degree_ = 0;
};

}  // namespace

FaberPlan plan_faber(const FieldOfValues& field, double tolerance) {
  // An ellipse that holds the upper corners of the region reaches beyond its right end. The further
  // it may, the lower it is; but the series of a function that is large there cancels.
  const double width = std::max(field.right - field.left, 1e-3), height = field.height;
  FaberPlan best{.degree = std::numeric_limits<double>::infinity()};
  bool best_is_accurate = false;
  for (double beyond = 12.0; beyond > 0.05; beyond *= 0.7) {
    const double reach = std::min(beyond, width);
    const Ellipse ellipse{
        .centre = field.right - 0.5 * (width - reach),
        .real = 0.5 * (width + reach),
        .imaginary = std::max(0.5 * height * (width + reach) / std::sqrt(width * reach), 1e-3)};
    const double wanted = std::log(1e-2 * tolerance);
    double low = 0.0, high = 16.0;
    while (log_coefficient(ellipse, high) > wanted && high < 1e12) high *= 2.0;
    while (high - low > 0.5) {
      const double middle = 0.5 * (low + high);
      (log_coefficient(ellipse, middle) > wanted ? low : high) = middle;
    }
    const bool is_accurate = rounding * high * std::exp(beyond) < 1e-3 * tolerance;
    if (is_accurate && best_is_accurate && high >= best.degree) continue;
    if (best_is_accurate && !is_accurate) break;
    best = {ellipse, high};
    best_is_accurate = is_accurate;
  }
  return best;
}

namespace {

/// As many as the functions need: doubled until the second half of them is nothing.
PhiStatus find_coefficients(const Ellipse& ellipse, std::span<const double> times, Index p,
                            int max_degree, Mat& coefficients) {
  for (int points = 64;; points *= 2) {
    coefficients = expand(ellipse, times, p, points);
    if (!coefficients.allFinite()) return PhiStatus::not_finite;
    if (coefficients.bottomRows(coefficients.rows() / 2).isZero(0.0)) return PhiStatus::ok;
    // where functions grow far, rounding never lets the coefficients end
    if (points > 4 * max_degree) return PhiStatus::not_converged;
  }
}

/// No F_n(A) is larger than 2, unless the region is too small.
PhiStatus status_of(const FaberVectors& vectors, double start) {
  constexpr double largest_growth = 2.2;
  const double square = vectors.square();
  if (square < -1e-12 * start * start) return PhiStatus::not_positive_definite;
  return square <= std::pow(largest_growth * start, 2) ? PhiStatus::ok : PhiStatus::not_converged;
}

}  // namespace

PhiReport phi_faber(const GeneralMap& A, const Ellipse& ellipse, const MatIn& B,
                    std::span<const double> times, MatOut Y, const FaberSettings& settings,
                    const Reducer& reducer) {
  PhiReport report{.kernel = PhiKernel::faber};
  const Index outputs = Y.cols(), p = B.cols();
  Y.setZero();
  std::vector<FaberVectors> vectors;
  std::vector<Index> columns;  // of B that are not zero
  Vec start_size = Vec::Zero(p);
  for (Index k = 0; k < p; ++k) {
    if (!reducer.any(!B.col(k).isZero(0.0))) continue;
    vectors.emplace_back(A, ellipse, B.col(k), reducer);
    columns.push_back(k);
    ++report.products;
    if (!std::isfinite(vectors.back().square())) report.status = PhiStatus::not_finite;
    start_size[k] = std::sqrt(std::max(0.0, vectors.back().square()));
  }
  if (columns.empty() || report.status != PhiStatus::ok) return report;

  Mat coefficients;
  report.status = find_coefficients(ellipse, times, p, settings.max_degree, coefficients);
  if (report.status != PhiStatus::ok) return report;
  const Mat tail = tails(coefficients);
  // what is left out behind degree n, in output i
  const auto left_out = [&](Index n, Index i) {
    double sum = 0.0;
    for (Index k = 0; k < p; ++k) sum += 2.0 * tail(n, i + k * outputs) * start_size[k];
    return sum;
  };
  const auto add = [&](Index n) {
    for (std::size_t j = 0; j < columns.size(); ++j)
      for (Index i = 0; i < outputs; ++i)
        if (const double c = coefficients(n, i + columns[j] * outputs); c != 0.0)
          Y.col(i) += c * vectors[j].current();
  };
  const auto is_sound = [&] {
    for (std::size_t j = 0; j < columns.size() && report.status == PhiStatus::ok; ++j)
      report.status = status_of(vectors[j], start_size[columns[j]]);
    return report.status == PhiStatus::ok;
  };

  add(0);
  Index degree = 0;
  const auto advance_to = [&](Index last) {
    while (degree < last) {
      ++degree;
      for (FaberVectors& vector : vectors) vector.advance();
      report.products += static_cast<long>(vectors.size());
      if (!is_sound()) return false;
      add(degree);
    }
    return true;
  };
  const auto degree_for = [&](Index i, double wanted) {
    Index n = 0;
    while (left_out(n, i) > wanted) ++n;  // the last one leaves nothing out
    return n;
  };
  // first to where everything left out is small compared with the start vectors; then the size of
  // the outputs is known, which may be far below theirs
  constexpr double share = 0.2;  // of the tolerance, for what is left out
  Index last = 0;
  for (Index i = 0; i < outputs; ++i)
    last = std::max(last, degree_for(i, share * settings.tolerance * start_size.sum()));
  do {
    if (!advance_to(last)) return report;
    for (Index i = 0; i < outputs; ++i)
      last = std::max(last, degree_for(i, share * settings.tolerance * A.scale_of(Y.col(i))));
  } while (last > degree);
  report.dimension = static_cast<int>(degree);
  for (Index i = 0; i < outputs; ++i) {
    double possible = 0.0;
    for (Index k = 0; k < p; ++k)
      possible += coefficients.col(i + k * outputs).cwiseAbs().maxCoeff() * start_size[k];
    const double size = std::max(A.scale_of(Y.col(i)), 1e-300);
    const double rounded = rounding * static_cast<double>(degree) * possible;
    report.error_estimate = std::max(report.error_estimate, (left_out(degree, i) + rounded) / size);
  }
  return report;
}

}  // namespace sinew::la
