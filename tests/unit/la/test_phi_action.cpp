// SPDX-License-Identifier: Apache-2.0
// Every kernel against eigen-decomposition, over spectra from soft to very stiff.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <sinew/la/phi/stumpff.hpp>

#include "support/dense_pencil.hpp"

namespace sinew::la {
namespace {

using test::DensePencil;

/// What exponential Rosenbrock-Euler asks for: increments of q and v from v and M^-1 f.
SymbolMatrix ere_symbols(double h) {
  return [h](double x, Eigen::Ref<Mat> f) {
    const auto c = stumpff(x);
    f(0, 0) = h * c[1];
    f(0, 1) = h * h * c[2];
    f(1, 0) = c[0];
    f(1, 1) = h * c[1];
  };
}

/// n eigenvalues from almost zero to (theta/h)^2, with zeros and repeated ones, some negative.
Vec spectrum(Index n, double theta, double negative_theta, double h) {
  Vec lambda(n);
  for (Index k = 0; k < n; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(n - 1);
    lambda[k] = std::pow(theta / h * share, 2);
  }
  lambda[1] = lambda[2] = 0.0;
  lambda[n - 2] = lambda[n - 1];
  if (negative_theta > 0.0) {
    lambda[3] = -std::pow(negative_theta / h, 2);
    lambda[4] = -0.3 * std::pow(negative_theta / h, 2);
  }
  return lambda;
}

Mat start_vectors(Index n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Mat B(n, 2);
  for (double& x : B.reshaped()) x = normal(random);
  return B;
}

/// Worst error of an output relative to the norms of its parts.
double error(const DensePencil& pencil, double h, const Mat& B, const Mat& Y) {
  Vec sizes;
  const Mat exact = pencil.exact(h * h, ere_symbols(h), B, 2, &sizes);
  double worst = 0.0;
  for (Index i = 0; i < 2; ++i)
    worst = std::max(worst, pencil.norm(Y.col(i) - exact.col(i)) / sizes[i]);
  return worst;
}

TEST(PhiLanczos, MeetsItsToleranceUpToItsDimension) {
  const double h = 0.01;
  for (const bool consistent : {false, true})
    for (const double theta : {1e-3, 0.1, 1.0, 8.0, 40.0, 80.0})
      for (const double negative : {0.0, 5.0})
        for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
          const DensePencil dense(spectrum(200, theta, negative, h), consistent, 3);
          const Mat B = start_vectors(200, 5);
          Mat Y(200, 2);
          const PhiReport report =
              phi_lanczos(dense.pencil(), h * h, ere_symbols(h), B, Y,
                          {.tolerance = tolerance, .max_dimension = 160}, serial_reducer());
          ASSERT_EQ(report.status, PhiStatus::ok) << theta << " " << tolerance;
          EXPECT_LT(error(dense, h, B, Y), 10.0 * tolerance + 1e-13)
              << theta << " " << negative << " " << tolerance << " " << consistent;
        }
}

TEST(PhiChebyshev, MeetsItsToleranceAtAnyStiffness) {
  const double h = 0.01;
  for (const bool consistent : {false, true})
    for (const double theta : {1e-3, 1.0, 30.0, 300.0, 1000.0})
      for (const double negative : {0.0, 5.0})
        for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
          const DensePencil dense(spectrum(200, theta, negative, h), consistent, 3);
          const Mat B = start_vectors(200, 5);
          Mat Y(200, 2);
          const SpectralBounds bounds = estimate_spectrum(dense.pencil(), serial_reducer());
          EXPECT_GE(bounds.high, dense.spectrum().maxCoeff()) << theta;
          const PhiReport report = phi_chebyshev(dense.pencil(), h * h, bounds, ere_symbols(h), B,
                                                 Y, {.tolerance = tolerance}, serial_reducer());
          ASSERT_EQ(report.status, PhiStatus::ok) << theta << " " << tolerance;
          // a few slightly negative eigenvalues escape the estimate; entire functions forgive that.
          // functions reach their largest values at the negative end: errors are relative to that
          const double growth = std::cosh(negative);
          EXPECT_LT(error(dense, h, B, Y), (10.0 * tolerance + 1e-14 * (1.0 + theta)) * growth)
              << theta << " " << negative << " " << tolerance << " " << consistent;
        }
}

TEST(PhiLanczos, NeedsTheNumberOfProductsThatTheoryExpects) {
  // 10, 18, 30, 52 vectors to 1e-6 at h omega_max = 8, 20, 40, 81, give or take the looks in
  // between
  const double h = 0.01;
  for (const auto& [theta, expected] :
       {std::pair{8.0, 10}, std::pair{20.0, 18}, std::pair{40.0, 30}, std::pair{81.0, 52}}) {
    Vec lambda = Vec::LinSpaced(400, 0.0, 1.0).cwiseAbs2() * std::pow(theta / h, 2);
    const DensePencil dense(lambda, false, 3);
    const Mat B = start_vectors(400, 5).leftCols(1);
    Mat Y(400, 1);
    const SymbolMatrix cosine = [](double x, Eigen::Ref<Mat> f) { f(0, 0) = stumpff(x)[0]; };
    const PhiReport report =
        phi_lanczos(dense.pencil(), h * h, cosine, B, Y, {.tolerance = 1e-6}, serial_reducer());
    EXPECT_NEAR(report.dimension, expected, 5) << theta;
  }
}

TEST(PhiLanczos, SaysHowGoodItIsWithoutFlatteringItself) {
  const unsigned seed = 20261115;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  for (int trial = 0; trial < 300; ++trial) {
    const double h = 0.01, theta = std::pow(10.0, -2.0 + 3.6 * uniform(random));
    const DensePencil dense(spectrum(60, theta, uniform(random) < 0.3 ? 4.0 : 0.0, h),
                            uniform(random) < 0.5, static_cast<unsigned>(trial));
    const Mat B = start_vectors(60, static_cast<unsigned>(trial) + 1000);
    Mat Y(60, 2);
    const double tolerance = std::pow(10.0, -3.0 - 8.0 * uniform(random));
    const PhiReport report = phi_lanczos(dense.pencil(), h * h, ere_symbols(h), B, Y,
                                         {.tolerance = tolerance}, serial_reducer());
    ASSERT_EQ(report.status, PhiStatus::ok);
    EXPECT_LT(error(dense, h, B, Y), 10.0 * std::max(report.error_estimate, 1e-13)) << trial;
  }
}

TEST(PhiLanczos, KnowsZeroAndInvariantStarts) {
  const DensePencil dense(spectrum(40, 10.0, 0.0, 0.01), false, 3);
  Mat B = Mat::Zero(40, 2), Y(40, 2);
  const PhiReport nothing =
      phi_lanczos(dense.pencil(), 1e-4, ere_symbols(0.01), B, Y, {}, serial_reducer());
  EXPECT_EQ(nothing.products, 0);
  EXPECT_EQ(Y.norm(), 0.0);
  const PhiReport full = phi_lanczos(dense.pencil(), 1e-4, ere_symbols(0.01), start_vectors(40, 7),
                                     Y, {.tolerance = 1e-12}, serial_reducer());
  EXPECT_EQ(full.status, PhiStatus::ok);
  EXPECT_LE(full.dimension, 44) << "there is no more than the whole space";
}

}  // namespace
}  // namespace sinew::la
