// SPDX-License-Identifier: Apache-2.0
// phi functions of the first-order system by every kernel, against dense exponentials; the square
// root; the choice of kernels.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/diagonal_operator.hpp>
#include <sinew/la/phi/arnoldi.hpp>
#include <sinew/la/phi/block_rows.hpp>
#include <sinew/la/phi/oscillator_flow.hpp>
#include <sinew/la/phi/square_root.hpp>
#include <sinew/la/phi/stumpff.hpp>

#include "support/dense_pencil.hpp"

namespace sinew::la {
namespace {

using test::DensePencil;

Vec random_vector(Index n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return Vec::NullaryExpr(n, [&] { return normal(random); });
}

/// n frequencies from zero to theta/h, one of them twice.
Vec oscillating(Index n, double theta, double h) {
  Vec lambda = Vec::LinSpaced(n, 0.0, 1.0).cwiseAbs2() * std::pow(theta / h, 2);
  lambda[n / 2] = lambda[n / 2 + 1];
  return lambda;
}

/// sum_k c^k phi_k(c h J) b_k from one exponential of the enlarged matrix.
Vec by_dense_exponential(const Mat& J, double h, double c, const Mat& B) {
  const Index n = J.rows(), p = B.cols();
  Mat big = Mat::Zero(n + p, n + p);
  big.topLeftCorner(n, n) = c * h * J;
  // column order: the last unknown is the constant 1
  for (Index k = 0; k < p; ++k) big.col(n + p - 1 - k).head(n) = c * B.col(k);
  for (Index k = 0; k + 1 < p; ++k) big(n + k, n + k + 1) = c;
  const Mat exponential = la::exponential(big);
  return exponential.col(n + p - 1).head(n);
}

struct Problem {
  Problem(double theta, bool consistent, double h, unsigned seed, Index n = 24)
      : pencil(oscillating(n, theta, h), consistent, seed),
        v(random_vector(n, seed + 1)),
        a(random_vector(n, seed + 2) / h),
        b3(random_vector(n, seed + 3)),
        b4(random_vector(n, seed + 4)) {}

  /// J in the unknowns (w q, v): in (q, v) a dense exponential loses digits to its norm.
  Mat first_order(const Mat& D, double w) const {
    const Index n = pencil.size();
    const Mat K = dense_matrix(pencil.pencil().K),
              inverse = la::inverse(dense_matrix(pencil.pencil().M));
    Mat J = Mat::Zero(2 * n, 2 * n);
    J.topRightCorner(n, n) = w * Mat::Identity(n, n);
    J.bottomLeftCorner(n, n) = -inverse * K / w;
    J.bottomRightCorner(n, n) = -inverse * D;
    return J;
  }

  DensePencil pencil;
  Vec v, a, b3, b4;
};

/// Worst relative error in q and v over both times.
double flow_error(const Problem& problem, const FlowDamping& damping, const Mat& D, double h,
                  const PhiSettings& settings, PhiReport* seen = nullptr) {
  const std::array<PhiTerm, 3> terms{
      {{1, &problem.v, &problem.a}, {3, nullptr, &problem.b3}, {4, nullptr, &problem.b4}}};
  const std::array<double, 2> times{0.75, 1.0};
  std::array<Phase, 2> out;
  PhiEvaluator evaluator(settings);
  const Pencil pencil = problem.pencil.pencil();
  evaluator.bind(pencil, serial_reducer());
  const PhiReport report = oscillator_flow(evaluator, damping, h, terms, times, out);
  EXPECT_EQ(report.status, PhiStatus::ok) << to_string(report.kernel);
  if (seen != nullptr) *seen = report;
  const Index n = problem.pencil.size();
  Mat B = Mat::Zero(2 * n, 4);
  const double w = std::max(1.0 / h, std::sqrt(problem.pencil.spectrum().maxCoeff()));
  B.col(0) << w * problem.v, problem.a;
  B.col(2).tail(n) = problem.b3;
  B.col(3).tail(n) = problem.b4;
  double worst = 0.0;
  for (std::size_t i = 0; i < 2; ++i) {
    Vec exact = by_dense_exponential(problem.first_order(D, w), h, times[i], B);
    exact.head(n) /= w;
    worst = std::max(
        {worst, problem.pencil.norm(out[i].q - exact.head(n)) / problem.pencil.norm(exact.head(n)),
         problem.pencil.norm(out[i].v - exact.tail(n)) / problem.pencil.norm(exact.tail(n))});
  }
  return worst;
}

TEST(OscillatorFlow, EveryKernelGivesTheDenseExponential) {
  const double h = 0.01;
  for (const PhiKernel kernel : {PhiKernel::dense, PhiKernel::lanczos, PhiKernel::chebyshev,
                                 PhiKernel::arnoldi, PhiKernel::automatic})
    for (const bool consistent : {false, true})
      for (const double theta : {1e-3, 1.0, 20.0, 100.0})
        for (const double tolerance : {1e-4, 1e-8, 1e-11}) {
          const Problem problem(theta, consistent, h, 11);
          const double error = flow_error(problem, {}, Mat::Zero(24, 24), h,
                                          {.kernel = kernel, .tolerance = tolerance});
          EXPECT_LT(error, 10.0 * tolerance + 1e-12)
              << to_string(kernel) << " " << consistent << " " << theta << " " << tolerance;
        }
}

TEST(OscillatorFlow, RayleighDampingIsPartOfTheFunctions) {
  const double h = 0.01;
  for (const PhiKernel kernel :
       {PhiKernel::dense, PhiKernel::lanczos, PhiKernel::chebyshev, PhiKernel::arnoldi})
    for (const double theta : {1.0, 30.0})
      for (const double stiffness : {0.0, 1e-4, 1e-2}) {
        const Problem problem(theta, true, h, 5);
        const FlowDamping damping{.mass = 3.0, .stiffness = stiffness};
        const Mat D = 3.0 * dense_matrix(problem.pencil.pencil().M) +
                      stiffness * dense_matrix(problem.pencil.pencil().K);
        const double error =
            flow_error(problem, damping, D, h, {.kernel = kernel, .tolerance = 1e-9});
        EXPECT_LT(error, 1e-8) << to_string(kernel) << " " << theta << " " << stiffness;
      }
}

TEST(OscillatorFlow, AnyOtherDampingIsPartOfTheFirstOrderSystem) {
  const double h = 0.01;
  for (const double theta : {1.0, 30.0})
    for (const double size : {1.0, 300.0}) {
      const Problem problem(theta, true, h, 5);
      Mat D = Mat::Zero(24, 24);
      for (Index k = 0; k < 24; k += 3) D(k, k) = size * (1.0 + 0.3 * static_cast<double>(k));
      const SymmetricMatrix damping = SymmetricMatrix::from_dense(D);
      PhiReport report;
      const double error =
          flow_error(problem, {.general = &damping}, D, h, {.tolerance = 1e-9}, &report);
      EXPECT_EQ(report.kernel, PhiKernel::faber);
      EXPECT_LT(error, 1e-8) << theta << " " << size;
    }
}

TEST(OscillatorFlow, NegativeCurvatureGrows) {
  const double h = 0.01;
  Vec lambda = oscillating(24, 20.0, h);
  lambda[3] = -std::pow(5.0 / h, 2);
  for (const PhiKernel kernel :
       {PhiKernel::dense, PhiKernel::lanczos, PhiKernel::chebyshev, PhiKernel::arnoldi}) {
    Problem problem(20.0, false, h, 5);
    problem.pencil = DensePencil(lambda, false, 5);
    EXPECT_LT(flow_error(problem, {}, Mat::Zero(24, 24), h, {.kernel = kernel, .tolerance = 1e-9}),
              1e-7)
        << to_string(kernel);
  }
}

TEST(OscillatorFlow, NegativeCurvatureThatNobodyExpectsIsFound) {
  // one small negative eigenvalue among many large ones: 16 Lanczos steps do not see it
  const double h = 0.01;
  constexpr Index n = 150;
  Vec lambda = oscillating(n, 200.0, h);
  lambda[3] = -std::pow(3.0 / h, 2);
  for (const PhiKernel kernel : {PhiKernel::lanczos, PhiKernel::chebyshev, PhiKernel::arnoldi}) {
    Problem problem(200.0, false, h, 5, n);
    problem.pencil = DensePencil(lambda, false, 5);
    const std::array<PhiTerm, 1> terms{{{1, &problem.v, &problem.a}}};
    constexpr std::array<double, 1> end{1.0};
    const Pencil pencil = problem.pencil.pencil();
    Phase exact, out;
    PhiEvaluator dense({.kernel = PhiKernel::dense}),
        other({.kernel = kernel, .tolerance = 1e-8, .max_dimension = 200});
    dense.bind(pencil, serial_reducer());
    other.bind(pencil, serial_reducer());
    ASSERT_EQ(oscillator_flow(dense, {}, h, terms, end, {&exact, 1}).status, PhiStatus::ok);
    ASSERT_EQ(oscillator_flow(other, {}, h, terms, end, {&out, 1}).status, PhiStatus::ok);
    EXPECT_LT(problem.pencil.norm(out.q - exact.q), 1e-7 * problem.pencil.norm(exact.q))
        << to_string(kernel);
    EXPECT_LT(problem.pencil.norm(out.v - exact.v), 1e-7 * problem.pencil.norm(exact.v))
        << to_string(kernel);
  }
}

TEST(OscillatorFlow, TheSkewFormGivesTheSame) {
  const double h = 0.01;
  Problem problem(30.0, true, h, 5);
  Vec lambda = oscillating(24, 30.0, h);
  lambda.array() += 1e2;  // the skew form needs a square root
  problem.pencil = DensePencil(lambda, true, 5);
  PhiReport report;
  const double error = flow_error(problem, {}, Mat::Zero(24, 24), h,
                                  {.kernel = PhiKernel::skew, .tolerance = 1e-10}, &report);
  EXPECT_EQ(report.kernel, PhiKernel::skew);
  EXPECT_LT(error, 1e-8);
}

TEST(OscillatorFlow, TheSkewFormRefusesWhatHasNoSquareRoot) {
  Vec lambda = oscillating(24, 30.0, 0.01);
  lambda[3] = -1.0;
  const DensePencil pencil(lambda, false, 5);
  PhiEvaluator evaluator({.kernel = PhiKernel::skew});
  const Pencil bound = pencil.pencil();
  evaluator.bind(bound, serial_reducer());
  const Vec v = random_vector(24, 1);
  const std::array<PhiTerm, 1> terms{{{1, &v, nullptr}}};
  const std::array<double, 1> times{1.0};
  Phase out;
  EXPECT_EQ(oscillator_flow(evaluator, {}, 0.01, terms, times, {&out, 1}).status,
            PhiStatus::not_positive_definite);
}

TEST(OscillatorFlow, SaysHowGoodItIsWithoutFlatteringItself) {
  const unsigned seed = 20261116;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  for (int trial = 0; trial < 200; ++trial) {
    const double h = 0.01, theta = std::pow(10.0, -2.0 + 4.0 * uniform(random));
    const Problem problem(theta, uniform(random) < 0.5, h, static_cast<unsigned>(trial), 12);
    Mat D = Mat::Zero(12, 12);
    for (Index k = 0; k < 12; ++k) D(k, k) = 100.0 * uniform(random);
    const SymmetricMatrix damping = SymmetricMatrix::from_dense(D);
    const double tolerance = std::pow(10.0, -3.0 - 7.0 * uniform(random));
    PhiReport report;
    const double error =
        flow_error(problem, {.general = &damping}, D, h, {.tolerance = tolerance}, &report);
    EXPECT_LT(error, 10.0 * std::max(report.error_estimate, tolerance) + 1e-12)
        << trial << " theta " << theta;
  }
}

TEST(SquareRoot, IsOneForConditionsFarBeyondWhatThePlainIterationStands) {
  for (const double condition : {1.0, 1e3, 1e8}) {
    Vec lambda = Vec::LinSpaced(30, 0.0, 1.0);
    for (double& x : lambda) x = std::pow(condition, x);
    const Mat Q = thin_svd(Mat::Random(30, 30)).U;
    const Mat A = Q * lambda.asDiagonal() * Q.transpose();
    const std::optional<Mat> X = matrix_square_root(A);
    ASSERT_TRUE(X.has_value()) << condition;
    EXPECT_LT((*X * *X - A).norm(), 1e-11 * std::sqrt(condition) * A.norm()) << condition;
    const Mat exact = Q * lambda.cwiseSqrt().asDiagonal() * Q.transpose();
    EXPECT_LT((*X - exact).norm(), 1e-11 * std::sqrt(condition) * exact.norm()) << condition;
  }
  EXPECT_FALSE(matrix_square_root(-Mat::Identity(3, 3)).has_value());
}

TEST(PhiEvaluator, ChoosesByStiffness) {
  const double h = 0.01;
  const auto kernel_for = [&](double theta) {
    const DensePencil pencil(oscillating(120, theta, h), false, 3);
    const Pencil bound = pencil.pencil();
    PhiEvaluator evaluator({.tolerance = 1e-6});
    evaluator.bind(bound, serial_reducer());
    Mat Y(120, 1);
    return evaluator
        .apply(
            h * h, [](double x, Eigen::Ref<Mat> f) { f(0, 0) = stumpff(x)[0]; },
            random_vector(120, 3), Y)
        .kernel;
  };
  EXPECT_EQ(kernel_for(5.0), PhiKernel::lanczos);
  EXPECT_EQ(kernel_for(400.0), PhiKernel::chebyshev);
}

TEST(PhiEvaluator, BoundsTheSpectrumFromTheEntries) {
  // the dense pencil has no diagonal mass to see; a chain has
  const SymmetricMatrix K = SymmetricMatrix::from_dense(
      (Mat(3, 3) << 2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 2.0).finished());
  const DiagonalOperator M(Vec::Constant(3, 0.5)), inverse(Vec::Constant(3, 2.0));
  const double bound = largest_eigenvalue_bound({K, M, inverse}, serial_reducer());
  EXPECT_DOUBLE_EQ(bound, 8.0);
  EXPECT_GE(bound, 2.0 * (2.0 + std::sqrt(2.0)));
}

TEST(PhiChebyshev, GivesUpOnStepsThatWouldNeverEnd) {
  const DensePencil pencil(oscillating(20, 1.0, 1.0) * 1e40, false, 3);
  const Pencil bound = pencil.pencil();
  Mat Y(20, 1);
  PhiEvaluator evaluator({.kernel = PhiKernel::chebyshev});
  evaluator.bind(bound, serial_reducer());
  const PhiReport report = evaluator.apply(
      1.0, [](double x, Eigen::Ref<Mat> f) { f(0, 0) = stumpff(x)[0]; }, random_vector(20, 3), Y);
  EXPECT_EQ(report.status, PhiStatus::not_converged);
}

TEST(PhiChebyshev, IsRelativeToWhatComesOut) {
  // data in the fast half of the spectrum only, where c_2 is small: h^2 c_2 a is a tiny part of h^2
  // a
  const double h = 0.01;
  const DensePencil pencil(oscillating(200, 800.0, h), false, 3);
  Mat B(200, 1), Y(200, 1);
  // multiply with A: the slow half nearly vanishes
  const Vec rough = random_vector(200, 9);
  Vec Kr(200), Ar(200);
  pencil.pencil().K.apply(rough, Kr);
  pencil.pencil().M_inverse.apply(Kr, Ar);
  B.col(0) = Ar;
  const SymbolMatrix c2 = [](double x, Eigen::Ref<Mat> f) { f(0, 0) = stumpff(x)[2]; };
  const Pencil bound = pencil.pencil();
  const SpectralBounds bounds = estimate_spectrum(bound, serial_reducer());
  const PhiReport report =
      phi_chebyshev(bound, h * h, bounds, c2, B, Y, {.tolerance = 1e-6}, serial_reducer());
  EXPECT_EQ(report.status, PhiStatus::ok);
  const Mat exact = pencil.exact(h * h, c2, B, 1);
  EXPECT_LT(pencil.norm(Y.col(0) - exact.col(0)), 1e-6 * pencil.norm(exact.col(0)));
}

TEST(BlockRows, GiveTheSameSumAsPlainProducts) {
  // a chain of 3x3 blocks over several pieces, lumped mass, one to four start vectors
  constexpr int n = 2500;
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i + 1 < n; ++i) pairs.emplace_back(i, i + 1);
  const core::Executor executor(2);
  SymmetricMatrix K(BlockPattern::build(n, 3, pairs), executor);
  const Mat spring = (Mat(3, 3) << 2.0, 0.3, 0.1, 0.3, 1.0, 0.2, 0.1, 0.2, 0.5).finished();
  // not symmetric, so that a transposed block shows
  const Mat coupling = (Mat(3, 3) << 0.9, 0.4, 0.0, 0.1, 0.5, 0.3, -0.2, 0.0, 0.2).finished();
  for (Index k = 0; k < n; ++k)
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j) {
        if (j >= i) K.add(3 * k + i, 3 * k + j, 2.0 * spring(i, j));
        if (k + 1 < n) K.add(3 * k + i, 3 * (k + 1) + j, -coupling(i, j));
      }
  const Vec m = Vec::LinSpaced(3 * n, 1.0, 2.0);
  const DiagonalOperator M(m), inverse(m.cwiseInverse());
  const Pencil pencil{K, M, inverse};
  const SpectralBounds bounds = estimate_spectrum(pencil, serial_reducer());
  BlockRows rows;
  rows.assign(K);
  for (const Index starts : {1, 2, 3, 4}) {
    const Mat B = Mat::Random(3 * n, starts);
    const SymbolMatrix symbols = [&](double x, Eigen::Ref<Mat> f) {
      const auto c = stumpff(x);
      for (Index i = 0; i < 2; ++i)
        for (Index j = 0; j < starts; ++j) f(i, j) = c[static_cast<std::size_t>(i + j)];
    };
    Mat fused(3 * n, 2), plain(3 * n, 2);
    const PhiSettings settings{.tolerance = 1e-10};
    EXPECT_EQ(
        phi_chebyshev(pencil, 900.0, bounds, symbols, B, fused, settings, serial_reducer(), &rows)
            .status,
        PhiStatus::ok);
    EXPECT_EQ(
        phi_chebyshev(pencil, 900.0, bounds, symbols, B, plain, settings, serial_reducer()).status,
        PhiStatus::ok);
    EXPECT_LT((fused - plain).norm(), 1e-12 * plain.norm()) << starts;
  }
}

TEST(BlockRows, AreTheSameBitsHoweverManyStepsGoInOneSweepAndOnAnyNumberOfThreads) {
  // a band: slender, and too wide for more than one step at once
  for (const auto& [n, band] : {std::pair{3000, 7}, std::pair{900, 300}}) {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < n; ++i)
      for (const int k : {1, 3, band})
        if (i + k < n) pairs.emplace_back(i, i + k);
    const Mat B = Mat::Random(3 * n, 2);
    std::vector<Mat> results;
    for (const int threads : {1, 2, 3, 5})
      for (const std::size_t at_once : {std::size_t(1), std::size_t(4), std::size_t(23)}) {
        const core::Executor executor(threads);
        SymmetricMatrix K(BlockPattern::build(n, 3, pairs), executor);
        std::mt19937 random(4);
        std::uniform_real_distribution<double> entry(-0.2, 0.2);
        for (Index k = 0; k < K.pattern().num_entries() * 9; ++k) K.values()[k] = entry(random);
        BlockRows rows;
        rows.assign(K);
        BlockRows::Vectors current(n, 2), previous(n, 2), d(n, 1), Y(n, 3);
        current.read(B);
        d.read(Vec::Constant(3 * n, 0.7));
        std::vector<BlockRows::Step> steps;
        for (int s = 0; s < 23; ++s)
          steps.push_back({1.1, 0.3 + 0.01 * s, s == 0 ? 0.0 : 0.9, Mat::Constant(3, 2, 0.1 * s)});
        for (std::size_t first = 0; first < steps.size(); first += at_once)
          rows.advance(std::span(steps).subspan(first, std::min(at_once, steps.size() - first)),
                       current, previous, d, Y);
        Mat last(3 * n, 2), sum(3 * n, 3);
        current.write(last);
        Y.write(sum);
        Mat both(3 * n, 5);
        both << last, sum;
        results.push_back(both);
      }
    for (const Mat& result : results) EXPECT_EQ(result, results.front()) << n;
    EXPECT_TRUE(results.front().allFinite());
  }
}

}  // namespace
}  // namespace sinew::la
