// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/la/phi/stumpff.hpp>

namespace sinew::la {
namespace {

constexpr std::array<double, num_stumpff> inverse_factorial{1.0,      1.0,       1.0 / 2,  1.0 / 6,
                                                            1.0 / 24, 1.0 / 120, 1.0 / 720};

// Below this the power series is summed: its terms do not cancel much there. Above it the
// recurrence c_{k+2} = (1/k! - c_k)/x has nothing to cancel either.
constexpr double series_range = 8.0;

double series(int k, double x) {
  double term = inverse_factorial[static_cast<std::size_t>(k)], sum = term;
  for (int j = 1; std::abs(term) > 1e-18 * std::abs(sum); ++j) {
    term *= -x / ((2.0 * j + k - 1.0) * (2.0 * j + k));
    sum += term;
  }
  return sum;
}

}  // namespace

std::array<double, num_stumpff> stumpff(double x) {
  std::array<double, num_stumpff> c{};
  if (std::abs(x) <= series_range) {
    c[num_stumpff - 1] = series(num_stumpff - 1, x);
    c[num_stumpff - 2] = series(num_stumpff - 2, x);
    for (int k = num_stumpff - 3; k >= 0; --k) {
      const auto i = static_cast<std::size_t>(k);
      c[i] = inverse_factorial[i] - x * c[i + 2];
    }
    return c;
  }
  const double root = std::sqrt(std::abs(x));
  c[0] = x > 0.0 ? std::cos(root) : std::cosh(root);
  c[1] = (x > 0.0 ? std::sin(root) : std::sinh(root)) / root;
  for (std::size_t i = 0; i + 2 < num_stumpff; ++i) c[i + 2] = (inverse_factorial[i] - c[i]) / x;
  return c;
}

Eigen::Matrix2d damped_exponential(double h, double lambda, double d) {
  // y'' + d y' + lambda y = 0 with y = e^{-d t/2} z: z'' + (lambda - d^2/4) z = 0
  const double half = 0.5 * d * h, x = (lambda - 0.25 * d * d) * h * h;
  double c = 0.0, s = 0.0;  // e^{-half} c_0(x), e^{-half} c_1(x)
  if (x >= -series_range) {
    const auto stumpff_x = stumpff(x);
    c = std::exp(-half) * stumpff_x[0];
    s = std::exp(-half) * stumpff_x[1];
  } else {
    // the exponents are put together first: cosh alone overflows where the product is small
    const double root = std::sqrt(-x);
    // root - half, without cancellation
    const double slow = std::exp(-lambda * h * h / (root + half)), fast = std::exp(-root - half);
    c = 0.5 * (slow + fast);
    s = 0.5 * (slow - fast) / root;
  }
  Eigen::Matrix2d result;
  result << c + half * s, h * s, -lambda * h * s, c - half * s;
  return result;
}

namespace {

using PhiBlocks = std::array<Eigen::Matrix2d, 5>;

/// Power series, for h sqrt |lambda| and h d up to about one.
PhiBlocks small_phi(double h, double lambda, double d) {
  Eigen::Matrix2d Z;
  Z << 0.0, h, -lambda * h, -d * h;
  PhiBlocks phi;
  for (std::size_t k = 0; k < phi.size(); ++k) {
    Eigen::Matrix2d term = inverse_factorial[k] * Eigen::Matrix2d::Identity(), sum = term;
    for (int j = 1; j < 22; ++j) {
      term = (term * Z / (static_cast<double>(k) + j)).eval();
      sum += term;
    }
    phi[k] = sum;
  }
  return phi;
}

}  // namespace

std::array<Eigen::Matrix2d, 5> oscillator_phi(double h, double lambda, double d) {
  if (d == 0.0) {
    const auto c = stumpff(lambda * h * h);
    PhiBlocks phi;
    for (std::size_t k = 0; k < phi.size(); ++k)
      phi[k] << c[k], h * c[k + 1], -lambda * h * c[k + 1], c[k];
    return phi;
  }
  const double size = std::max(std::sqrt(std::abs(lambda)), std::abs(d)) * h;
  const int doublings = size > 1.0 ? std::ilogb(size) + 1 : 0;
  double part = std::ldexp(h, -doublings);
  PhiBlocks phi = small_phi(part, lambda, d);
  for (int level = 0; level < doublings; ++level) {
    // phi_k(2Z) = 2^-k (phi_0(Z) phi_k(Z) + sum_j phi_j(Z)/(k-j)!). With phi_0 from its closed form
    // nothing is amplified on the way up.
    phi[0] = damped_exponential(part, lambda, d);
    PhiBlocks twice = phi;
    for (std::size_t k = 1; k < phi.size(); ++k) {
      Eigen::Matrix2d sum = phi[0] * phi[k];
      for (std::size_t j = 1; j <= k; ++j) sum += inverse_factorial[k - j] * phi[j];
      twice[k] = std::ldexp(1.0, -static_cast<int>(k)) * sum;
    }
    phi = twice;
    part *= 2.0;
  }
  phi[0] = damped_exponential(h, lambda, d);
  return phi;
}

std::array<std::complex<double>, 5> complex_phi(std::complex<double> z) {
  std::array<std::complex<double>, 5> phi;
  phi[0] = std::exp(z);
  if (std::abs(z) > 2.0) {
    for (std::size_t k = 1; k < phi.size(); ++k)
      phi[k] = (phi[k - 1] - inverse_factorial[k - 1]) / z;
    return phi;
  }
  // the power series of the last one, and the recurrence downwards: nothing cancels
  std::complex<double> term = inverse_factorial[4], sum = term;
  for (int j = 1; j < 26; ++j) {
    term *= z / (4.0 + j);
    sum += term;
  }
  phi[4] = sum;
  for (std::size_t k = 4; k > 1; --k) phi[k - 1] = z * phi[k] + inverse_factorial[k - 1];
  return phi;
}

}  // namespace sinew::la
