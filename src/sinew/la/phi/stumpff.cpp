// SPDX-License-Identifier: Apache-2.0
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
    const double slow = std::exp(root - half), fast = std::exp(-root - half);
    c = 0.5 * (slow + fast);
    s = 0.5 * (slow - fast) / root;
  }
  Eigen::Matrix2d result;
  result << c + half * s, h * s, -lambda * h * s, c - half * s;
  return result;
}

Eigen::Matrix2d damped_phi1(double h, double lambda, double d) {
  const double x = lambda * h * h, damping = d * h;
  if (std::abs(x) + std::abs(damping) < 1.0) {
    // h (I + Z/2 + Z^2/6 + ...), Z = h J; norms below one: 18 terms are exact
    Eigen::Matrix2d Z, term = Eigen::Matrix2d::Identity(), sum = term;
    Z << 0.0, 1.0, -x, -damping;  // in the scaled unknowns (y, h y')
    for (int k = 1; k < 24; ++k) {
      term = (term * Z / (k + 1.0)).eval();
      sum += term;
    }
    Eigen::Matrix2d result;
    result << h * sum(0, 0), h * h * sum(0, 1), sum(1, 0), h * sum(1, 1);
    return result;
  }
  // rows from the exponential: y' integrates to y - y0, and y'' = -lambda y - d y' gives the rest
  const Eigen::Matrix2d E = damped_exponential(h, lambda, d);
  Eigen::Matrix2d result;
  result.row(1) = E.row(0) - Eigen::RowVector2d(1.0, 0.0);
  const Eigen::RowVector2d jump = E.row(1) - Eigen::RowVector2d(0.0, 1.0);
  if (std::abs(x) >= 0.5) {
    result.row(0) = (-d * result.row(1) - jump) / lambda;
    return result;
  }
  // strongly damped, hardly any stiffness: halve until the series holds
  const Eigen::Matrix2d half = damped_phi1(0.5 * h, lambda, d);
  const Eigen::Matrix2d half_E = damped_exponential(0.5 * h, lambda, d);
  return half + half_E * half;
}

}  // namespace sinew::la
