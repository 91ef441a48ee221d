// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include <sinew/nonlinear/newton.hpp>

namespace sinew::nonlinear {
namespace {

/// Minimise sum_i [cosh(z_i - a_i)] + 1/2 |z|^2 w: smooth, strictly convex, far from quadratic.
class Cosh final : public NewtonProblem {
 public:
  explicit Cosh(Vec a) : a_(std::move(a)) {}

  double merit(const Vec& z) override {
    if (z.lpNorm<Eigen::Infinity>() > limit) return std::numeric_limits<double>::infinity();
    return (z - a_).array().cosh().sum() + 0.5 * weight * z.squaredNorm() + offset;
  }
  void residual(const Vec& z, Vec& g) override {
    g = (z - a_).array().sinh().matrix() + weight * z;
  }
  la::SolveStatus direction(const Vec& z, const Vec& g, double enough, Vec& d) override {
    if (refuse) return la::SolveStatus::not_positive_definite;
    d = -(g.array() / ((z - a_).array().cosh() + weight + stiffer)).matrix();
    // as far off as it may be, in all directions
    if (is_rough) d += enough * d.norm() * Vec::Random(d.size()).normalized();
    return la::SolveStatus::ok;
  }
  double slope(const Vec& g, const Vec& d) override { return g.dot(d); }
  double size(const Vec& d) override { return d.lpNorm<Eigen::Infinity>(); }
  Tangent tangent() override { return stiffer > 0.0 ? Tangent::changed : Tangent::exact; }
  double tolerance(const Vec&) override { return wanted; }
  double residual_size(const Vec& g) override { return g.norm(); }
  double resolution() override { return 1e-15; }

  double weight = 0.1, offset = 0.0, limit = 1e3, wanted = 1e-9;
  double stiffer = 0.0;  ///< than the second derivative is the matrix
  bool refuse = false, is_rough = false;

 private:
  Vec a_;
};

TEST(Newton, ConvergesQuadraticallyNearTheSolution) {
  Cosh problem(Vec{{1.0, -2.0, 0.5}});
  Vec z = Vec::Zero(3);
  NewtonWorkspace work;

  const NewtonReport report = newton(problem, z, {}, work);

  ASSERT_EQ(report.status, NewtonStatus::converged);
  Vec g;
  problem.residual(z, g);
  EXPECT_LT(g.norm(), 1e-12);
  // each update is bounded by a constant times the square of the one before
  for (std::size_t k = 0; k + 1 < work.updates.size(); ++k) {
    SCOPED_TRACE(testing::Message() << work.updates[k] << " -> " << work.updates[k + 1]);
    if (work.updates[k] < 0.3 && work.updates[k + 1] > 1e-14) {
      EXPECT_LT(work.updates[k + 1], 1.0 * work.updates[k] * work.updates[k]);
    }
  }
}

TEST(Newton, StopsWhenTheErrorIsSmallAndNotOneIterationLater) {
  int early = 0, runs = 0;
  for (const double wanted : {1e-2, 1e-4, 1e-6, 1e-9})
    for (const bool is_rough : {false, true})
      for (int seed = 0; seed < 50; ++seed) {
        std::srand(static_cast<unsigned>(seed));
        const Vec a = 3.0 * Vec::Random(4), start = a + std::pow(10.0, -seed % 4) * Vec::Random(4);
        Cosh problem(a), exact(a);
        problem.wanted = wanted;
        problem.is_rough = is_rough;
        exact.wanted = 1e-14;
        Vec z = start, solution = start;
        NewtonWorkspace work;
        ASSERT_EQ(newton(exact, solution, {}, work).status, NewtonStatus::converged);
        ASSERT_EQ(newton(problem, z, {}, work).status, NewtonStatus::converged);
        EXPECT_LE((z - solution).lpNorm<Eigen::Infinity>(), wanted) << seed << " " << is_rough;
        ++runs;
        // by its last update alone it would have had to go on
        if (!work.updates.empty() && work.updates.back() > wanted) ++early;
      }
  EXPECT_GT(early, runs / 5);
  std::printf("%d of %d runs ended before their last update was small\n", early, runs);
}

TEST(Newton, TheLineSearchRescuesAFarStart) {
  Cosh problem(Vec::Zero(2));
  problem.weight = 0.0;
  Vec z{{30.0, -1.0}};
  NewtonWorkspace work;

  const NewtonReport report = newton(problem, z, {}, work);

  EXPECT_EQ(report.status, NewtonStatus::converged);
  EXPECT_LT(z.norm(), 1e-8);
}

TEST(Newton, StaysWhereTheMeritIsFinite) {
  Cosh problem(Vec::Constant(1, 4.0));
  problem.limit = 5.0;
  Vec z = Vec::Zero(1);
  NewtonWorkspace work;

  const NewtonReport report = newton(problem, z, {}, work);

  EXPECT_EQ(report.status, NewtonStatus::converged);
  EXPECT_LT(z[0], 5.0);
}

TEST(Newton, ReachesFullAccuracyThoughTheEnergyIsAllRounding) {
  // next to 1e10, differences of the merit mean nothing below 1e-6
  Cosh problem(Vec{{1.0, -2.0, 0.5}});
  problem.offset = 1e10;
  Vec z = Vec::Zero(3);
  NewtonWorkspace work;

  const NewtonReport report = newton(problem, z, {}, work);

  ASSERT_EQ(report.status, NewtonStatus::converged);
  Vec g;
  problem.residual(z, g);
  EXPECT_LT(g.norm(), 1e-9);
}

TEST(Newton, SmallUpdatesOfAMatrixThatIsTooStiffAreNotTheEnd) {
  // each update is about 1/21 of what is missing
  Cosh problem(Vec{{0.1, -0.2}});
  problem.stiffer = 20.0;
  problem.weight = 0.0;
  problem.wanted = 1e-2;
  Vec z = Vec::Zero(2);
  NewtonWorkspace work;

  const NewtonReport report = newton(problem, z, {.max_iterations = 500}, work);

  ASSERT_EQ(report.status, NewtonStatus::converged);
  EXPECT_GT(report.iterations, 10);
  EXPECT_LT((z - Vec{{0.1, -0.2}}).norm(), 1.1e-2);
}

TEST(Newton, NeverAcceptsAPlaceOfInfiniteMerit) {
  Cosh problem(Vec::Zero(1));
  problem.limit = 1.0;
  Vec z = Vec::Constant(1, 2.0);
  NewtonWorkspace work;

  EXPECT_EQ(newton(problem, z, {}, work).status, NewtonStatus::inadmissible_start);
  EXPECT_EQ(z[0], 2.0);
}

TEST(Newton, SaysWhyItGaveUp) {
  Cosh problem(Vec{{1.0, -2.0}});
  NewtonWorkspace work;
  Vec z = Vec::Zero(2);

  EXPECT_EQ(newton(problem, z, {.max_iterations = 2}, work).status,
            NewtonStatus::too_many_iterations);
  problem.refuse = true;
  const NewtonReport report = newton(problem, z, {}, work);
  EXPECT_EQ(report.status, NewtonStatus::solve_failed);
  EXPECT_EQ(report.solve_status, la::SolveStatus::not_positive_definite);
}

}  // namespace
}  // namespace sinew::nonlinear
