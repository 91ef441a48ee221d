// SPDX-License-Identifier: Apache-2.0
// phi functions of damped systems that no function of M^-1 K serves, against dense exponentials.
// What a kernel calls converged must be right, whatever the damping.
#include <array>
#include <cmath>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include <sinew/la/dense/cholesky.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/phi/faber.hpp>
#include <sinew/la/phi/oscillator_flow.hpp>

#include "support/dense_pencil.hpp"

namespace sinew::la {
namespace {

using test::DensePencil;

/// Where D comes from.
enum class Kind {
  rest_shape,     ///< a multiple of another stiffness, turned against the present one
  current_shape,  ///< a multiple of the present one, its parts scaled differently
  few_places,     ///< strong in some directions, none elsewhere
  any,            ///< its own spectrum and its own directions
};
constexpr std::array kinds{Kind::rest_shape, Kind::current_shape, Kind::few_places, Kind::any};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  Mat normal(Index rows, Index columns) {
    return Mat::NullaryExpr(rows, columns, [&] { return normal_(engine_); });
  }
  bool chance(double p) { return uniform(0.0, 1.0) < p; }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

/// Q^T A Q with Q a rotation by about `angle` from the identity.
Mat turned(const Mat& A, double angle, Random& random) {
  const Mat G = random.normal(A.rows(), A.rows());
  const Mat skew = angle / std::sqrt(static_cast<double>(A.rows())) * (G - G.transpose());
  const Mat Q = exponential(skew);
  return Q.transpose() * A * Q;
}

class DenseShiftedSolver final : public ShiftedSolver {
 public:
  DenseShiftedSolver(const DensePencil& pencil, const Mat& D) : pencil_(pencil), D_(D) {}
  SolveStatus factorize(double c) override {
    factor_.emplace(pencil_.M() + c * D_ + c * c * pencil_.K());
    return factor_->is_positive_definite() ? SolveStatus::ok : SolveStatus::not_positive_definite;
  }
  SolveStatus solve(const VecIn& b, VecOut x) override {
    x = factor_->solve(Vec(b));
    return SolveStatus::ok;
  }

 private:
  const DensePencil& pencil_;
  const Mat& D_;
  std::optional<DenseCholesky> factor_;
};

struct DampedProblem {
  static constexpr double h = 0.01;
  Kind kind;
  double theta, delta;  ///< h omega and h d, the largest
  DensePencil pencil;
  Mat D;
  std::array<Vec, 4> b;  ///< v and acceleration of phi_1, accelerations of phi_3 and phi_4

  static Vec spectrum(Random& random, Index n, double theta) {
    Vec lambda(n);
    const bool quadratic = random.chance(0.5);
    for (Index k = 0; k < n; ++k) {
      const double x = static_cast<double>(k + 1) / static_cast<double>(n);
      lambda[k] = quadratic ? x * x : std::exp(12.0 * (x - 1.0));
    }
    lambda *= std::pow(theta / h, 2);
    if (random.chance(0.3)) lambda.head(2).setZero();
    if (random.chance(0.2)) lambda[0] = -std::pow(random.uniform(0.1, 3.0) / h, 2);
    return lambda;
  }

  static DampedProblem make(unsigned seed, Index largest = 50) {
    Random random(seed);
    const Kind kind = kinds.at(seed % kinds.size());
    const Index n = 6 + static_cast<Index>(random.uniform(0.0, static_cast<double>(largest - 6)));
    const double theta = random.log_uniform(0.1, 1000.0);
    DensePencil pencil(spectrum(random, n, theta), random.chance(0.5), seed);
    // the definite part of K, on the side where M is the identity
    const Mat L = DenseCholesky(pencil.M()).multiply_upper(Mat::Identity(n, n)).transpose();
    const Mat modes = L.transpose() * pencil.shapes();
    const Vec stiff = pencil.spectrum().cwiseMax(0.0);
    const Mat K = modes * stiff.asDiagonal() * modes.transpose();
    Mat d;
    switch (kind) {
      case Kind::rest_shape:
        d = turned(K, random.log_uniform(1e-3, 2.0), random);
        break;
      case Kind::current_shape: {
        const Vec scale = Vec::NullaryExpr(n, [&] { return random.log_uniform(0.2, 1.0); });
        d = scale.asDiagonal() * K * scale.asDiagonal();
        break;
      }
      case Kind::few_places: {
        const Mat G = random.normal(n, 1 + n / 8);
        d = G * G.transpose();
        break;
      }
      case Kind::any: {
        const Vec own = Vec::NullaryExpr(n, [&] { return random.log_uniform(1e-4, 1.0); });
        d = turned(own.asDiagonal(), 3.0, random);
        break;
      }
    }
    const double strongest = symmetric_eigenvalues(d).maxCoeff();
    // from hardly damped to far beyond critical damping of everything
    const double delta = random.log_uniform(1e-3, 1.0) * std::max(theta * theta, 10.0) *
                         (random.chance(0.2) ? 10.0 : 1.0);
    d *= delta / h / strongest;
    if (random.chance(0.3)) d += random.uniform(0.0, 3.0) / h * Mat::Identity(n, n);
    const Mat D = L * d * L.transpose();
    DampedProblem problem{kind, theta, delta, std::move(pencil), 0.5 * (D + D.transpose()), {}};
    for (Vec& vector : problem.b) vector = random.normal(n, 1);
    // half of the time what a body would feel: forces of K and D, rough as they are
    if (random.chance(0.5)) {
      const Vec q = h * problem.b[2];
      problem.b[1] = -h * DenseCholesky(problem.pencil.M())
                              .solve(Vec(problem.pencil.K() * q + problem.D * problem.b[0]));
    }
    problem.b[0] *= h;
    return problem;
  }

  /// y(c) in the unknowns (w q, v): in (q, v) a dense exponential loses digits to its norm.
  Phase exact(double c) const {
    const Index n = pencil.size();
    const double w = std::max(1.0 / h, std::sqrt(pencil.spectrum().cwiseAbs().maxCoeff()));
    const DenseCholesky mass(pencil.M());
    Mat big = Mat::Zero(2 * n + 4, 2 * n + 4);
    big.block(0, n, n, n) = c * h * w * Mat::Identity(n, n);
    big.block(n, 0, n, n) = -c * h / w * mass.solve(pencil.K());
    big.block(n, n, n, n) = -c * h * mass.solve(D);
    // the last unknown is 1, the ones before it t, t^2/2, t^3/6
    big.block(0, 2 * n + 3, n, 1) = c * w * b[0];
    big.block(n, 2 * n + 3, n, 1) = c * b[1];
    big.block(n, 2 * n + 1, n, 1) = c * b[2];
    big.block(n, 2 * n, n, 1) = c * b[3];
    for (Index k = 2 * n; k < 2 * n + 3; ++k) big(k, k + 1) = c;
    const Vec y = exponential(big).col(2 * n + 3);
    return {y.head(n) / w, y.segment(n, n)};
  }

  struct Outcome {
    PhiReport report;
    double error = 0.0;  ///< of the worse half at the worse time, relative to it
  };
  Outcome solve(const PhiSettings& settings, bool has_solver) const {
    const std::array<PhiTerm, 3> terms{
        {{1, &b[0], &b[1]}, {3, nullptr, &b[2]}, {4, nullptr, &b[3]}}};
    const std::array<double, 2> times{0.75, 1.0};
    std::array<Phase, 2> out;
    const SymmetricMatrix damping = SymmetricMatrix::from_dense(D);
    DenseShiftedSolver shifted(pencil, D);
    PhiEvaluator evaluator(settings);
    const Pencil bound = pencil.pencil();
    evaluator.bind(bound, serial_reducer());
    Outcome outcome;
    outcome.report = oscillator_flow(
        evaluator, {.general = &damping, .shifted = has_solver ? &shifted : nullptr}, h, terms,
        times, out);
    if (outcome.report.status != PhiStatus::ok) return outcome;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Phase right = exact(times[i]);
      const double q = pencil.norm(right.q) / h, v = pencil.norm(right.v);
      // a half that is a thousandth of the other is not asked for
      outcome.error =
          std::max({outcome.error, pencil.norm(out[i].q - right.q) / h / std::max(q, 1e-3 * v),
                    pencil.norm(out[i].v - right.v) / std::max(v, 1e-3 * q)});
    }
    return outcome;
  }
};

/// Runs `number` random problems; no step that is called converged may be off by more than ten
/// times its tolerance. Returns how many were refused.
int count_refused(PhiKernel kernel, int number, bool has_solver, unsigned first_seed,
                  Index largest = 50) {
  int refused = 0;
  for (int trial = 0; trial < number; ++trial) {
    const unsigned seed = first_seed + static_cast<unsigned>(trial);
    const DampedProblem problem = DampedProblem::make(seed, largest);
    const double tolerance = Random(seed + 1u).log_uniform(1e-9, 1e-3);
    const auto outcome = problem.solve({.kernel = kernel, .tolerance = tolerance}, has_solver);
    if (outcome.report.status != PhiStatus::ok) {
      ++refused;
      continue;
    }
    EXPECT_LT(outcome.error, 10.0 * tolerance + 1e-9)
        << "seed " << seed << " kind " << static_cast<int>(problem.kind) << " by "
        << to_string(outcome.report.kernel) << " theta " << problem.theta << " delta "
        << problem.delta << " tolerance " << tolerance << " estimate "
        << outcome.report.error_estimate << " dimension " << outcome.report.dimension;
  }
  std::printf("%d of %d refused\n", refused, number);
  return refused;
}

TEST(DampedFlow, WhatIsAcceptedIsRight) {
  EXPECT_EQ(count_refused(PhiKernel::automatic, 500, true, 1000), 0);
}

TEST(DampedFlow, WithoutAFactorToo) {
  EXPECT_LT(count_refused(PhiKernel::faber, 100, false, 7000), 10);
  EXPECT_EQ(count_refused(PhiKernel::automatic, 100, false, 8000), 0);
}

TEST(DampedFlow, SolvesAloneSayWhenTheyAreNotEnough) {
  const int refused = count_refused(PhiKernel::shift_invert, 60, true, 9000, 120);
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 40);
}

TEST(DampedFlow, ArnoldiWithFullOrthogonalisation) {
  EXPECT_LT(count_refused(PhiKernel::arnoldi, 100, false, 11000), 10);
}

}  // namespace
}  // namespace sinew::la
