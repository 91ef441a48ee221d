// SPDX-License-Identifier: Apache-2.0
// Lowest modes against pencils of known spectrum: whatever is repeated, zero or negative, and
// whatever is wrong with the solves.
#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include <sinew/la/dense/cholesky.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/eigen/modes.hpp>

#include "support/bodies.hpp"
#include "support/dense_pencil.hpp"

namespace sinew::la {
namespace {

using test::DensePencil;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// X = S^-1 B for a small matrix.
BlockSolve solve_with(const Mat& S) {
  return [factor = DenseCholesky(S)](const MatIn& B, MatOut X) {
    if (!factor.is_positive_definite()) return SolveStatus::not_positive_definite;
    X = factor.solve(Mat(B));
    return SolveStatus::ok;
  };
}

BlockSolve shifted(const DensePencil& pencil, double shift) {
  return solve_with(pencil.K() + shift * pencil.M());
}

/// `first` and then a spread-out rest, 1 + k^2 larger than the last of them, n in all.
Vec spectrum(std::initializer_list<double> first, Index n) {
  Vec lambda(n);
  Index at = 0;
  for (const double value : first) lambda[at++] = value;
  const double last = at > 0 ? lambda[at - 1] : 0.0;
  for (Index k = 1; at < n; ++k, ++at) lambda[at] = last + 1.0 + static_cast<double>(k * k);
  return lambda;
}

Mat no_rigid(Index n) {
  return Mat(n, 0);
}

/// Everything that must be true of modes whatever the pencil; the `count` lowest are converged.
void expect_modes_of(const DensePencil& pencil, const Modes& modes, Index count, double tolerance) {
  ASSERT_GE(modes.size(), count);
  const Mat U = modes.U, MU = pencil.M() * U;
  const double largest = std::max(1.0, pencil.spectrum().cwiseAbs().maxCoeff());
  EXPECT_LT((U.transpose() * MU - Mat::Identity(U.cols(), U.cols())).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((modes.MU - MU).norm(), 1e-12 * MU.norm());
  const Mat R = pencil.K() * U - MU * modes.lambda.asDiagonal();
  const DenseCholesky mass(pencil.M());
  Vec sorted = pencil.spectrum();
  std::sort(sorted.begin(), sorted.end());
  for (Index k = 0; k < modes.size(); ++k) {
    SCOPED_TRACE(testing::Message() << "mode " << k << ", lambda " << modes.lambda[k]);
    const double residual = std::sqrt(R.col(k).dot(mass.solve(Vec(R.col(k)))));
    EXPECT_NEAR(modes.residual[k], residual, 1e-13 * largest);
    const double nearest = (sorted.array() - modes.lambda[k]).abs().minCoeff();
    EXPECT_LE(nearest, residual + 1e-13 * largest);
    if (k > 0) {
      EXPECT_LE(modes.lambda[k - 1], modes.lambda[k]);
    }
    if (k < count) {
      EXPECT_NEAR(modes.lambda[k], sorted[k], tolerance);
    }
  }
}

class Find : public testing::TestWithParam<bool> {
 protected:
  /// The lowest of a pencil with this spectrum, with S = K + shift M.
  void expect_found(const Vec& lambda, const ModesRequest& request, double shift) {
    const DensePencil pencil(lambda, GetParam(), 5);
    Modes modes;
    const ModesReport report =
        find_modes(pencil.pencil(), shifted(pencil, shift), no_rigid(lambda.size()), request,
                   serial_reducer(), modes);
    ASSERT_EQ(report.status, SolveStatus::ok);
    expect_modes_of(pencil, modes, std::min(request.count, lambda.size()), 1e-7);
    EXPECT_LE(modes.size(), std::min(request.count + request.guards, lambda.size()));
    EXPECT_GT(report.solves, 0);
    EXPECT_GE(report.products, report.solves > 0 ? 1 : 0);
  }
};

INSTANTIATE_TEST_SUITE_P(Masses, Find, testing::Bool(),
                         [](const auto& each) { return each.param ? "consistent" : "lumped"; });

const ModesRequest five{.count = 5, .shift = 1.0, .tolerance = 1e-9};

TEST_P(Find, DistinctOnes) {
  expect_found(spectrum({}, 80), five, 1.0);
  expect_found(spectrum({0.1, 0.2, 0.3, 0.7, 0.71, 0.72}, 60), five, 1.0);
}

TEST_P(Find, RepeatedOnes) {
  expect_found(spectrum({1, 1, 2, 2, 2}, 60), five, 1.0);
  expect_found(spectrum({1, 2, 2, 3, 3, 3, 4}, 60), five, 1.0);
}

TEST_P(Find, OnesRepeatedMoreOftenThanThereAreGuards) {
  // the wanted ones end inside a group of six, and in one of nine, more than are followed
  expect_found(spectrum({1, 2, 3, 3, 3, 3, 3, 3}, 60), five, 1.0);
  expect_found(spectrum({1, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 60), five, 1.0);
  expect_found(spectrum({2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 60), five, 1.0);
}

TEST_P(Find, ZeroOnesThatNobodyNamed) {
  expect_found(spectrum({0, 0, 0, 1, 2}, 60), five, 1.0);
  expect_found(spectrum({0, 0, 0, 0, 0, 0}, 60), five, 0.1);
}

TEST_P(Find, ZeroOnesThatDrownTheOthersInTheFirstSolves) {
  expect_found(spectrum({0, 0, 0, 1, 2}, 60), {.count = 8, .shift = 1.0, .tolerance = 1e-9}, 1e-7);
}

TEST_P(Find, NegativeOnes) {
  expect_found(spectrum({-3, -1, -1, 0, 2, 4}, 60), five, 4.0);
}

TEST_P(Find, AsManyAsThereAreAndMore) {
  for (const Index n : {1, 2, 7, 12})
    for (const Index count : {n - 1, n, n + 4})
      if (count > 0)
        expect_found(spectrum({}, n), {.count = count, .shift = 1.0, .tolerance = 1e-9}, 1.0);
}

TEST_P(Find, WithManyClosePairs) {
  Vec lambda = spectrum({}, 90);
  for (Index k = 1; k < 90; k += 2) lambda[k] = lambda[k - 1] * (1.0 + 1e-9);
  expect_found(lambda, {.count = 12, .shift = 1.0, .tolerance = 1e-9}, 1.0);
}

TEST_P(Find, SoftOnesWithAFactorMadeForMuchStifferOnes) {
  // all that is wanted has h^2 lambda < 1e-2: S^-1 M hardly tells these modes apart
  Vec lambda = spectrum({}, 100);
  const double shift = 100.0 * lambda[4];
  expect_found(lambda, {.count = 5, .shift = 0.0, .tolerance = 1e-9}, shift);
}

TEST_P(Find, TheToleranceIsRelativeToTheShift) {
  const DensePencil pencil(spectrum({}, 100), GetParam(), 5);
  const ModesRequest request{.count = 5, .shift = 1e4, .tolerance = 1e-4};
  Modes modes;
  ASSERT_EQ(find_modes(pencil.pencil(), shifted(pencil, 1e4), no_rigid(100), request,
                       serial_reducer(), modes)
                .status,
            SolveStatus::ok);
  for (Index k = 0; k < 5; ++k) {
    EXPECT_LE(request.relative_residual(modes, k), 1e-4);
    EXPECT_DOUBLE_EQ(request.relative_residual(modes, k),
                     modes.residual[k] / (std::abs(modes.lambda[k]) + 1e4));
  }
}

TEST_P(Find, RigidOnesComeExactlyAndApart) {
  const Vec lambda = spectrum({0, 0, 0, 0, 0, 0, 2, 3, 3}, 70);
  const DensePencil pencil(lambda, GetParam(), 5);
  // another basis of the same space, of another length
  Mat rigid = pencil.shapes().leftCols(6);
  rigid = (rigid * (3.0 * Mat::Identity(6, 6) + Mat::Ones(6, 6))).eval();
  for (const double shift : {1.0, 1e-7}) {
    Modes modes;

    const ModesReport report =
        find_modes(pencil.pencil(), shifted(pencil, shift), rigid, five, serial_reducer(), modes);

    ASSERT_EQ(report.status, SolveStatus::ok);
    expect_modes_of(pencil, modes, 11, 1e-7);
    for (Index k = 0; k < 11; ++k)
      EXPECT_NEAR(modes.given_share[k], k < 6 ? 1.0 : 0.0, 1e-10) << "mode " << k;
    EXPECT_LT(modes.residual.head(6).maxCoeff(), 1e-10);
    const Mat flexible = flexible_shapes(modes, 6);
    EXPECT_EQ(flexible.cols(), modes.size() - 6);
    EXPECT_LT((rigid.transpose() * pencil.M() * flexible).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST_P(Find, RigidOnesAboveUnstableOnesStayApart) {
  const Vec lambda = spectrum({-2, -1, 0, 0, 0, 3}, 50);
  const DensePencil pencil(lambda, GetParam(), 5);
  const Mat rigid = pencil.shapes().middleCols(2, 3);
  Modes modes;
  ASSERT_EQ(find_modes(pencil.pencil(), shifted(pencil, 3.0), rigid, five, serial_reducer(), modes)
                .status,
            SolveStatus::ok);
  expect_modes_of(pencil, modes, 8, 1e-7);
  EXPECT_LT((rigid.transpose() * pencil.M() * flexible_shapes(modes, 3)).cwiseAbs().maxCoeff(),
            1e-10);
}

TEST_P(Find, NoneIsNoWork) {
  const DensePencil pencil(spectrum({0, 0}, 20), GetParam(), 5);
  const ModesRequest none{.count = 0};
  const BlockSolve never = [](const MatIn&, MatOut) {
    ADD_FAILURE() << "nothing to solve for";
    return SolveStatus::ok;
  };
  Modes modes;
  ASSERT_EQ(find_modes(pencil.pencil(), never, no_rigid(20), none, serial_reducer(), modes).status,
            SolveStatus::ok);
  EXPECT_EQ(modes.size(), 0);
  ASSERT_EQ(
      find_modes(pencil.pencil(), never, pencil.shapes().leftCols(2), none, serial_reducer(), modes)
          .status,
      SolveStatus::ok);
  EXPECT_EQ(modes.size(), 2);
}

TEST_P(Find, ByAFactorOfAnotherMatrix) {
  const DensePencil pencil(spectrum({0.5, 1, 1, 2}, 60), GetParam(), 5),
      other(spectrum({0.7, 0.9, 1.2, 2}, 60), GetParam(), 5);
  Mat S = pencil.K() + pencil.M();
  S += 0.3 * (other.K() + other.M() - S);
  S.diagonal() *= 1.1;
  Modes modes;
  const ModesReport report =
      find_modes(pencil.pencil(), solve_with(S), no_rigid(60), five, serial_reducer(), modes);
  ASSERT_EQ(report.status, SolveStatus::ok);
  expect_modes_of(pencil, modes, 5, 1e-7);
}

TEST(FindModes, GivesTheSameBitsEachTime) {
  const DensePencil pencil(spectrum({0, 1, 1}, 60), false, 5);
  Modes a, b;
  for (Modes* modes : {&a, &b})
    ASSERT_EQ(find_modes(pencil.pencil(), shifted(pencil, 1.0), no_rigid(60), five,
                         serial_reducer(), *modes)
                  .status,
              SolveStatus::ok);
  EXPECT_EQ(a.lambda, b.lambda);
  EXPECT_EQ(a.U, b.U);
}

TEST(FindModes, AFailedSolveIsHandedOn) {
  const DensePencil pencil(spectrum({}, 60), false, 5);
  for (const SolveStatus failure : {SolveStatus::not_positive_definite, SolveStatus::not_finite})
    for (const int good : {0, 1, 2}) {
      int calls = 0;
      const BlockSolve exact = shifted(pencil, 1.0);
      const BlockSolve solve = [&](const MatIn& B, MatOut X) {
        return calls++ < good ? exact(B, X) : failure;
      };
      Modes modes;
      EXPECT_EQ(
          find_modes(pencil.pencil(), solve, no_rigid(60), five, serial_reducer(), modes).status,
          failure);
      EXPECT_EQ(calls, good + 1);
    }
}

TEST(FindModes, SaysSoWhenItDoesNotConverge) {
  const DensePencil pencil(spectrum({}, 100), false, 5);
  ModesRequest request = five;
  request.max_blocks = 2;
  Modes modes;
  const ModesReport report = find_modes(pencil.pencil(), shifted(pencil, 1.0), no_rigid(100),
                                        request, serial_reducer(), modes);
  EXPECT_EQ(report.status, SolveStatus::not_converged);
  EXPECT_EQ(report.blocks, 2);
  EXPECT_GT(request.relative_residual(modes, 4), request.tolerance);
}

TEST(FindModes, EndsWhenSolvesBringNothingNew) {
  const DensePencil pencil(spectrum({}, 40), false, 5);
  const BlockSolve zero = [](const MatIn&, MatOut X) {
    X.setZero();
    return SolveStatus::ok;
  };
  Modes modes;
  const ModesReport report =
      find_modes(pencil.pencil(), zero, no_rigid(40), five, serial_reducer(), modes);
  EXPECT_EQ(report.status, SolveStatus::not_converged);
  EXPECT_LE(report.blocks, 3);
}

TEST(FindModes, NothingThatIsNotFiniteIsTakenForAMode) {
  const DensePencil pencil(spectrum({}, 40), false, 5);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, infinity}) {
    Modes modes;
    const BlockSolve solve = [&](const MatIn&, MatOut X) {
      X.setConstant(bad);
      return SolveStatus::ok;
    };
    EXPECT_NE(
        find_modes(pencil.pencil(), solve, no_rigid(40), five, serial_reducer(), modes).status,
        SolveStatus::ok);

    Mat K = pencil.K();
    K(3, 3) = bad;
    const SymmetricMatrix broken = SymmetricMatrix::from_dense(K);
    const Pencil same{broken, pencil.pencil().M, pencil.pencil().M_inverse};
    EXPECT_EQ(
        find_modes(same, shifted(pencil, 1.0), no_rigid(40), five, serial_reducer(), modes).status,
        SolveStatus::not_finite);
  }
}

// ---- a real body: check 20 of the numerics ----------------------------------------------------

TEST(FindModes, TheFactorOfAStepServesAsWellAsThatOfTheStiffness) {
  const physics::TermSystem system(physics::to_terms(
      test::bar_spec({.size = {2.0, 0.3, 0.2}, .cells = {16, 4, 3}, .clamped = true})));
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  system.linearize(system.rest_state(), {}, *workspace, *linearization);
  const Pencil pencil{linearization->stiffness(), system.mass(), system.mass_inverse()};
  const auto find = [&](double shift, Modes& modes) {
    const auto solver = solvers().front().make(serial_reducer());
    EXPECT_EQ(solver->factorize(linearization->combine(shift, 0.0, 1.0)).status, SolveStatus::ok);
    const BlockSolve solve = [&](const MatIn& B, MatOut X) { return solver->solve(B, X).status; };
    const ModesReport report =
        find_modes(pencil, solve, no_rigid(system.num_dofs()),
                   {.count = 5, .shift = shift, .tolerance = 1e-6}, serial_reducer(), modes);
    EXPECT_EQ(report.status, SolveStatus::ok);
    return report.solves;
  };
  Modes exact, modes;
  const auto without_shift = find(0.0, exact);
  // while the step resolves the last of the wanted modes badly, its factor costs nothing; it costs
  // little down to h omega = 0.7, and more and more below
  for (const auto& [h_omega, most] : {std::pair{0.7, 1.3}, {2.0, 1.1}, {10.0, 1.0}}) {
    const auto solves = find(exact.lambda[4] / (h_omega * h_omega), modes);
    EXPECT_LE(static_cast<double>(solves), most * static_cast<double>(without_shift))
        << "h omega = " << h_omega;
    EXPECT_LT((modes.lambda.head(5) - exact.lambda.head(5)).cwiseAbs().maxCoeff(),
              1e-9 * exact.lambda[4]);
  }
}

// ---- modes that are followed ------------------------------------------------------------------

/// Sine of the largest angle between a mode of the pencil and the space of U (M-orthonormal).
double distance_to(const DensePencil& pencil, Index count, const Mat& U) {
  const Mat exact = pencil.shapes().leftCols(count);
  const Mat missed = exact - U * (U.transpose() * pencil.M() * exact);
  return std::sqrt(thin_svd(missed.transpose() * pencil.M() * missed).values[0]);
}

class Follow : public testing::TestWithParam<bool> {
 protected:
  /// Shapes that are off by about `angle` in every direction.
  static Mat near_modes(const DensePencil& pencil, Index count, double angle) {
    const Mat rough = Mat::NullaryExpr(pencil.size(), count, [](Index i, Index j) {
      return std::sin(7.3 * static_cast<double>(i * i + 13 * j));
    });
    return pencil.shapes().leftCols(count) +
           angle * pencil.shapes() * rough / std::sqrt(static_cast<double>(pencil.size()));
  }
};

INSTANTIATE_TEST_SUITE_P(Masses, Follow, testing::Bool(),
                         [](const auto& each) { return each.param ? "consistent" : "lumped"; });

TEST_P(Follow, OneBlockIsAtLeastOneStepOfSubspaceIteration) {
  const DensePencil pencil(spectrum({1, 2, 3, 4, 5}, 60), GetParam(), 5);
  constexpr Index used = 5, followed = 8;
  for (const double shift : {0.1, 1.0, 10.0})
    for (const double angle : {1e-1, 1e-2, 1e-4}) {
      Modes before, after;
      const Mat shapes = near_modes(pencil, followed, angle);
      for (const int blocks : {0, 1})
        ASSERT_EQ(follow_modes(pencil.pencil(), shifted(pencil, shift), no_rigid(60), shapes,
                               blocks, serial_reducer(), blocks == 0 ? before : after)
                      .status,
                  SolveStatus::ok);
      const Vec& lambda = pencil.spectrum();
      const double factor = (lambda[used - 1] + shift) / (lambda[followed] + shift);
      EXPECT_LT(distance_to(pencil, used, after.U.leftCols(followed)),
                1.05 * factor * distance_to(pencil, used, before.U.leftCols(followed)));
      expect_modes_of(pencil, after, 0, infinity);
    }
}

TEST_P(Follow, MoreBlocksConverge) {
  const DensePencil pencil(spectrum({1, 1, 2, 3, 4}, 60), GetParam(), 5);
  Modes modes;
  const ModesReport report = follow_modes(pencil.pencil(), shifted(pencil, 1.0), no_rigid(60),
                                          near_modes(pencil, 8, 0.1), 12, serial_reducer(), modes);
  ASSERT_EQ(report.status, SolveStatus::ok);
  expect_modes_of(pencil, modes, 5, 1e-8);
}

TEST_P(Follow, TheResultDoesNotDependOnTheBasisOfARepeatedPair) {
  const DensePencil pencil(spectrum({1, 2, 2, 4, 7}, 50), GetParam(), 5);
  const Mat shapes = near_modes(pencil, 6, 1e-3);
  Mat turned = shapes;
  const double c = std::cos(0.6), s = std::sin(0.6);
  turned.col(1) = c * shapes.col(1) + s * shapes.col(2);
  turned.col(2) = c * shapes.col(2) - s * shapes.col(1);
  Modes a, b;
  for (const int blocks : {1, 3}) {
    ASSERT_EQ(follow_modes(pencil.pencil(), shifted(pencil, 1.0), no_rigid(50), shapes, blocks,
                           serial_reducer(), a)
                  .status,
              SolveStatus::ok);
    ASSERT_EQ(follow_modes(pencil.pencil(), shifted(pencil, 1.0), no_rigid(50), turned, blocks,
                           serial_reducer(), b)
                  .status,
              SolveStatus::ok);
    EXPECT_LT((a.lambda - b.lambda).cwiseAbs().maxCoeff(), 1e-10);
    // what a step does with them: functions of lambda on the space they span
    const auto function = [&](const Modes& modes) -> Mat {
      const Vec f = modes.lambda.cwiseSqrt().array().cos();
      return modes.U * f.asDiagonal() * modes.MU.transpose();
    };
    EXPECT_LT((function(a) - function(b)).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST_P(Follow, RigidOnesAreNotTouched) {
  const DensePencil pencil(spectrum({0, 0, 0, 2, 3, 5}, 50), GetParam(), 5);
  const Mat rigid = pencil.shapes().leftCols(3);
  // shapes that lean towards the rigid motions
  Mat shapes = near_modes(pencil, 8, 0.05).rightCols(5);
  shapes += 0.3 * rigid * Mat::Ones(3, 5);
  Modes modes;
  const ModesReport report = follow_modes(pencil.pencil(), shifted(pencil, 1.0), rigid, shapes, 2,
                                          serial_reducer(), modes);
  ASSERT_EQ(report.status, SolveStatus::ok);
  EXPECT_EQ(report.solves, 10) << "rigid ones need no solves";
  ASSERT_EQ(modes.size(), 8);
  EXPECT_LT(modes.lambda.head(3).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_NEAR(modes.given_share.head(3).minCoeff(), 1.0, 1e-10);
  EXPECT_LT((rigid.transpose() * pencil.M() * flexible_shapes(modes, 3)).cwiseAbs().maxCoeff(),
            1e-10);
}

TEST(FollowModes, ModesThatCrossChangePlaces) {
  // the first rises, the second falls, the fifth comes down from above all that are followed; the
  // eigenvectors stay, so those that were followed must be joined by one that was not
  const Index n = 30;
  const auto at = [&](double t) {
    Vec lambda = spectrum({1.0 + 2.0 * t, 4.0 - 2.0 * t, 6.0, 7.0, 12.0 - 11.5 * t}, n);
    return DensePencil(lambda, false, 8);
  };
  Mat shapes = at(0.0).shapes().leftCols(3);  // one in use, two guards
  Modes modes;
  for (int k = 1; k <= 20; ++k) {
    const DensePencil pencil = at(0.05 * k);
    const ModesReport report = follow_modes(pencil.pencil(), shifted(pencil, 1.0), no_rigid(n),
                                            shapes, 1, serial_reducer(), modes);
    ASSERT_EQ(report.status, SolveStatus::ok);
    ASSERT_EQ(report.solves, 3);
    shapes = flexible_shapes(modes, 0);
    // the two that were followed from the beginning, at once
    if (k == 16) {
      EXPECT_NEAR(modes.lambda[0], 4.0 - 0.1 * k, 1e-3);
    }
  }
  EXPECT_NEAR(modes.lambda[0], 0.5, 1e-2) << "one from above has come in";
  EXPECT_NEAR(modes.lambda[1], 2.0, 1e-2);
}

TEST(FollowModes, HandsFailuresOnAndEndsWithNonsense) {
  const DensePencil pencil(spectrum({}, 40), false, 5);
  Modes modes;
  const BlockSolve fails = [](const MatIn&, MatOut) { return SolveStatus::not_finite; };
  EXPECT_EQ(follow_modes(pencil.pencil(), fails, no_rigid(40), pencil.shapes().leftCols(4), 1,
                         serial_reducer(), modes)
                .status,
            SolveStatus::not_finite);
  Mat shapes = pencil.shapes().leftCols(4);
  shapes(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(follow_modes(pencil.pencil(), shifted(pencil, 1.0), no_rigid(40), shapes, 1,
                         serial_reducer(), modes)
                .status,
            SolveStatus::ok);
  EXPECT_EQ(modes.size(), 3) << "what is not finite is left out";
  EXPECT_TRUE(modes.U.allFinite());
}

}  // namespace
}  // namespace sinew::la
