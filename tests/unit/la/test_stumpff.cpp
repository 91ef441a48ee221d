// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/phi/stumpff.hpp>

namespace sinew::la {
namespace {

TEST(Stumpff, HasTheValuesWrittenDownElsewhere) {
  const double at_two[] = {.155943694765374, .698455998636608, .422028152617313, .150772000681696,
                           .0389859236913436};
  const double at_minus_two[] = {2.17818355660857, 1.36829887200859, .589091778304285,
                                 .184149436004295, .0445458891521427};
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(stumpff(2.0)[k] / at_two[k], 1.0, 1e-13) << k;
    EXPECT_NEAR(stumpff(-2.0)[k] / at_minus_two[k], 1.0, 1e-13) << k;
  }
}

/// The same in extended precision, by the series after halving the argument down to one.
std::array<long double, num_stumpff> reference(long double x) {
  std::array<long double, num_stumpff> c{};
  for (int k = 0; k < num_stumpff; ++k) {
    long double term = 1.0L;
    for (int j = 2; j <= k; ++j) term /= j;
    long double sum = term;
    for (int j = 1; j < 400; ++j) {
      term *= -x / ((2.0L * j + k - 1.0L) * (2.0L * j + k));
      sum += term;
    }
    c[static_cast<std::size_t>(k)] = sum;
  }
  return c;
}

TEST(Stumpff, IsAccurateOnBothSidesOfEveryBranch) {
  for (const double x :
       {0.0, 1e-300, 1e-9, -1e-9, 0.5, 0.999999, 1.000001, 3.9999, 4.0001, 7.999999, 8.0, 8.000001,
        -7.999999, -8.0, -8.000001, 25.0, -25.0, 60.0, -60.0}) {
    const auto c = stumpff(x);
    const auto exact = reference(x);
    for (std::size_t k = 0; k < num_stumpff; ++k) {
      // the sizes of c_k at zero are 1/k!; near its zeros a function is accurate to that size
      const double size = std::max<double>(std::abs(static_cast<double>(exact[k])),
                                           1.0 / std::tgamma(static_cast<double>(k) + 1.0));
      EXPECT_NEAR(c[k], static_cast<double>(exact[k]), 2e-15 * size)
          << "c_" << k << "(" << x << ")";
    }
  }
}

TEST(Stumpff, SatisfiesItsRecurrenceAndHalvingFormulas) {
  for (const double x : {-30.0, -3.0, -0.1, 0.2, 2.0, 9.0, 50.0, 1e3, 1e6}) {
    const auto c = stumpff(x), wide = stumpff(4.0 * x);
    const double size = std::max(1.0, std::abs(wide[0]));
    EXPECT_NEAR(wide[0], 2.0 * c[0] * c[0] - 1.0, 1e-12 * size) << x;
    EXPECT_NEAR(wide[1], c[0] * c[1], 1e-12 * size) << x;
    EXPECT_NEAR(wide[2], 0.5 * c[1] * c[1], 1e-12 * size) << x;
    EXPECT_NEAR(wide[3], 0.25 * (c[2] + c[0] * c[3]), 1e-12 * size) << x;
  }
}

TEST(Stumpff, GivesEveryPhiFunctionOfTheFirstOrderSystem) {
  // phi_k(hJ) = c_k + hJ c_{k+1}, against an augmented exponential, A diagonal
  const double h = 0.4;
  for (const double lambda : {-3.0, -0.5, 1e-9, 2.0, 40.0, 900.0}) {
    Eigen::Matrix2d J;
    J << 0.0, 1.0, -lambda, 0.0;
    const auto c = stumpff(h * h * lambda);
    for (int k = 0; k <= 4; ++k) {
      // exp of [[hJ, I, 0, ...], [0, 0, I, ...]] has phi_k in its last block of the first row
      Eigen::MatrixXd big = Eigen::MatrixXd::Zero(2 * (k + 1), 2 * (k + 1));
      big.topLeftCorner(2, 2) = h * J;
      for (int j = 0; j < k; ++j) big.block(2 * j, 2 * (j + 1), 2, 2).setIdentity();
      const Eigen::MatrixXd exponential = la::exponential(big);
      const Eigen::Matrix2d expected = exponential.topRightCorner(2, 2);
      const auto i = static_cast<std::size_t>(k);
      const Eigen::Matrix2d phi = c[i] * Eigen::Matrix2d::Identity() + h * J * c[i + 1];
      // the dense exponential itself is accurate to its norm, h |J|
      EXPECT_LT((phi - expected).norm(), 1e-13 * (1.0 + h * std::abs(lambda)))
          << lambda << " " << k;
    }
  }
}

TEST(DampedOscillator, MatchesTheDenseExponentialUnderCriticallyAndOverDamped) {
  for (const double lambda : {-4.0, 0.0, 1e-12, 0.3, 9.0, 400.0})
    for (const double d : {0.0, 1e-9, 0.5, 2.0 * std::sqrt(9.0), 6.0001, 50.0})
      for (const double h : {1e-3, 0.1, 1.0}) {
        Eigen::Matrix2d J;
        J << 0.0, 1.0, -lambda, -d;
        const Eigen::Matrix2d exact = la::exponential(h * J);
        Eigen::Matrix4d big = Eigen::Matrix4d::Zero();
        big.topLeftCorner<2, 2>() = h * J;
        big.topRightCorner<2, 2>() = h * Eigen::Matrix2d::Identity();
        const Eigen::Matrix4d exponential = la::exponential(big);
        const Eigen::Matrix2d integral = exponential.topRightCorner<2, 2>();
        const double size = 1.0 + exact.norm();
        EXPECT_LT((damped_exponential(h, lambda, d) - exact).norm(), 2e-13 * size)
            << lambda << " " << d << " " << h;
        EXPECT_LT((h * oscillator_phi(h, lambda, d)[1] - integral).norm(), 2e-13 * size)
            << lambda << " " << d << " " << h;
      }
}

TEST(DampedOscillator, HasAllPhiFunctionsOfTheDenseExponential) {
  for (const double lambda : {-4.0, 0.0, 1e-12, 0.3, 9.0, 400.0})
    for (const double d : {0.0, 1e-9, 0.5, 6.0, 50.0})
      for (const double h : {1e-3, 0.1, 1.0}) {
        Eigen::MatrixXd big = Eigen::MatrixXd::Zero(10, 10);
        big.block(0, 0, 2, 2) << 0.0, h, -lambda * h, -d * h;
        for (int j = 0; j < 4; ++j) big.block(2 * j, 2 * (j + 1), 2, 2).setIdentity();
        const Eigen::MatrixXd exponential = la::exponential(big);
        const auto phi = oscillator_phi(h, lambda, d);
        for (int k = 0; k <= 4; ++k) {
          const Eigen::Matrix2d expected = exponential.block(0, 2 * k, 2, 2);
          EXPECT_LT((phi[static_cast<std::size_t>(k)] - expected).norm(),
                    3e-13 * (1.0 + exponential.norm()))
              << lambda << " " << d << " " << h << " " << k;
        }
      }
}

TEST(DampedOscillator, PhiFunctionsObeyTheirRecurrenceFarFromTheSeries) {
  // phi_{k+1}(Z) Z = phi_k(Z) - I/k!, where a dense exponential would lose too many digits
  for (const double lambda : {1e2, 1e6, 1e8})
    for (const double d : {1e-3, 10.0, 1e3, 1e6}) {
      const double h = 0.01;
      Eigen::Matrix2d Z;
      Z << 0.0, h, -lambda * h, -d * h;
      const auto phi = oscillator_phi(h, lambda, d);
      double factorial = 1.0;
      for (std::size_t k = 0; k < 4; ++k) {
        const Eigen::Matrix2d left = phi[k + 1] * Z;
        const Eigen::Matrix2d right = phi[k] - Eigen::Matrix2d::Identity() / factorial;
        const double scale = std::max(1.0, phi[k + 1].norm() * Z.norm());
        EXPECT_LT((left - right).norm(), 1e-12 * scale) << lambda << " " << d << " " << k;
        factorial *= static_cast<double>(k + 1);
      }
    }
}

TEST(DampedOscillator, IsContinuousAtCriticalDampingAndDoesNotOverflow) {
  const double d = 6.0;
  const Eigen::Matrix2d below = damped_exponential(0.7, 9.0 + 1e-10, d);
  const Eigen::Matrix2d above = damped_exponential(0.7, 9.0 - 1e-10, d);
  EXPECT_LT((below - above).norm(), 1e-9);
  // a dashpot so strong that cosh alone would overflow
  const Eigen::Matrix2d creeping = damped_exponential(1.0, 10.0, 1e4);
  EXPECT_TRUE(creeping.allFinite());
  EXPECT_NEAR(creeping(0, 0), std::exp(-10.0 / 1e4), 1e-6);
  // slow creep of a very strong dashpot: e^(-h lambda/d) up to lambda/d^2
  EXPECT_NEAR(damped_exponential(0.01, 1e12, 1e10)(0, 0), std::exp(-1.0), 1e-7);
}

}  // namespace
}  // namespace sinew::la
