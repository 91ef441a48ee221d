// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <sinew/la/solvers/gmres.hpp>

namespace sinew::la {
namespace {

Mat random_matrix(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return Mat::NullaryExpr(n, n, [&] { return normal(random); });
}

Product product_with(const Mat& A) {
  return [&A](const Vec& x, Vec& y) { y = A * x; };
}
Approximation approximation(const Mat& P) {
  return [&P](const Vec& r, Vec& z) {
    z = P * r;
    return SolveStatus::ok;
  };
}

TEST(Gmres, SolvesWhatEliminationSolves) {
  for (const int n : {1, 2, 17, 60}) {
    const Mat A = random_matrix(n, 1), P = Mat::Identity(n, n);
    const Vec b = random_matrix(n, 2).col(0);
    Vec x;
    const SolveReport report = gmres(product_with(A), approximation(P), b, x,
                                     {.tolerance = 1e-12, .max_iterations = n}, serial_reducer());
    EXPECT_EQ(report.status, SolveStatus::ok);
    EXPECT_LE(report.iterations, n);
    EXPECT_LE((A * x - b).norm(), 1e-11 * b.norm());
    EXPECT_LE((x - A.lu().solve(b)).norm(), 1e-8 * x.norm());
  }
}

TEST(Gmres, NeedsAsManyIterationsAsThePreconditionerHasErrors) {
  // S symmetric and known, U of rank 3: the part that is not symmetric of a few contacts
  const int n = 80;
  const Mat G = random_matrix(n, 3);
  const Mat S = G * G.transpose() + Mat::Identity(n, n);
  const Mat U = random_matrix(n, 4).leftCols(3) * random_matrix(n, 5).topRows(3);
  const Mat A = S + U, P = S.inverse();
  const Vec b = random_matrix(n, 6).col(0);
  Vec x;
  const SolveReport report =
      gmres(product_with(A), approximation(P), b, x, {.tolerance = 1e-9}, serial_reducer());
  EXPECT_EQ(report.status, SolveStatus::ok);
  EXPECT_LE(report.iterations, 5);
  EXPECT_LE((A * x - b).norm(), 1e-8 * b.norm());
}

TEST(Gmres, SaysWhenItCannot) {
  const int n = 20;
  Mat A = random_matrix(n, 7);
  const Mat P = Mat::Identity(n, n);
  Vec b = random_matrix(n, 8).col(0), x;
  EXPECT_EQ(gmres(product_with(A), approximation(P), b, x,
                  {.tolerance = 1e-12, .max_iterations = 5}, serial_reducer())
                .status,
            SolveStatus::not_converged);
  A.row(3).setZero();  // what b has there nothing can give
  const SolveReport singular = gmres(product_with(A), approximation(P), b, x,
                                     {.tolerance = 1e-12, .max_iterations = 40}, serial_reducer());
  EXPECT_EQ(singular.status, SolveStatus::not_converged);
  EXPECT_GT(singular.relative_residual, 1e-3);
  b[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(gmres(product_with(A), approximation(P), b, x, {}, serial_reducer()).status,
            SolveStatus::not_finite);
  b.setZero();
  EXPECT_EQ(gmres(product_with(A), approximation(P), b, x, {}, serial_reducer()).status,
            SolveStatus::ok);
  EXPECT_TRUE(x.isZero(0.0));
  b.setOnes();
  const Approximation failing = [](const Vec&, Vec&) { return SolveStatus::not_positive_definite; };
  EXPECT_EQ(gmres(product_with(A), failing, b, x, {}, serial_reducer()).status,
            SolveStatus::not_positive_definite);
}

}  // namespace
}  // namespace sinew::la
