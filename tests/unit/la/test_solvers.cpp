// SPDX-License-Identifier: Apache-2.0
// Every solver of the table against dense algebra.
#include <cstdlib>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <sinew/la/dense/cholesky.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/solvers/cg.hpp>
#include <sinew/la/solvers/factored_inverse.hpp>
#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::la {
namespace {

/// A 3-D grid of 3x3 blocks: stiff springs between neighbours plus a unit diagonal.
SymmetricMatrix lattice(int nx, int ny, int nz, double stiffness, double shift = 1.0) {
  const auto at = [&](int i, int j, int k) { return (i * ny + j) * nz + k; };
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        if (i + 1 < nx) edges.emplace_back(at(i, j, k), at(i + 1, j, k));
        if (j + 1 < ny) edges.emplace_back(at(i, j, k), at(i, j + 1, k));
        if (k + 1 < nz) edges.emplace_back(at(i, j, k), at(i, j, k + 1));
      }
  SymmetricMatrix matrix(BlockPattern::build(nx * ny * nz, 3, edges));
  for (const auto& [a, b] : edges)
    for (int c = 0; c < 3; ++c) {
      const double k = stiffness * (1.0 + c);
      matrix.add(3 * a + c, 3 * a + c, k);
      matrix.add(3 * b + c, 3 * b + c, k);
      matrix.add(3 * a + c, 3 * b + c, -k);
      matrix.add(3 * a + c, 3 * b + (c + 1) % 3, 0.1 * k);
    }
  for (Index i = 0; i < matrix.size(); ++i) matrix.add(i, i, shift + stiffness);
  return matrix;
}

class EverySolver : public testing::TestWithParam<SolverEntry> {
 protected:
  std::unique_ptr<LinearSolver> solver = GetParam().make(serial_reducer());
};

TEST_P(EverySolver, AgreesWithDenseCholeskyForManyRightHandSides) {
  const SymmetricMatrix A = lattice(5, 4, 3, 100.0);
  const Mat B = Mat::Random(A.size(), 7);
  Mat X = Mat::Zero(A.size(), 7);

  ASSERT_EQ(solver->factorize(A).status, SolveStatus::ok);
  ASSERT_EQ(solver->solve(B, X).status, SolveStatus::ok);

  const Mat expected = DenseCholesky(A.to_dense()).solve(B);
  // condition number below 100; CG stops at a relative residual of 1e-10
  EXPECT_LT((X - expected).norm() / expected.norm(), 1e-8);
}

TEST_P(EverySolver, PreconditionsABlockAsItDoesSingleColumns) {
  const SymmetricMatrix A = lattice(5, 4, 3, 100.0);
  const Mat B = Mat::Random(A.size(), 5);
  Mat X = Mat::Constant(A.size(), 5, 7.0);  // what is there before must not matter
  ASSERT_EQ(solver->factorize(A).status, SolveStatus::ok);

  ASSERT_EQ(solver->precondition(B, X).status, SolveStatus::ok);

  for (Index c = 0; c < B.cols(); ++c) {
    Vec x = Vec::Constant(A.size(), -3.0);
    ASSERT_EQ(solver->precondition(B.col(c), x).status, SolveStatus::ok);
    EXPECT_LT((X.col(c) - x).norm(), 1e-12 * x.norm());
  }
  const Mat exact = DenseCholesky(A.to_dense()).solve(B);
  EXPECT_LT((X - exact).norm(), (GetParam().is_direct ? 1e-12 : 0.1) * exact.norm());
}

TEST_P(EverySolver, NoRightHandSidesAreNoWork) {
  const SymmetricMatrix A = lattice(3, 2, 2, 10.0);
  Mat X(A.size(), 0);
  ASSERT_EQ(solver->factorize(A).status, SolveStatus::ok);
  EXPECT_EQ(solver->solve(Mat(A.size(), 0), X).status, SolveStatus::ok);
  EXPECT_EQ(solver->precondition(Mat(A.size(), 0), X).status, SolveStatus::ok);
}

TEST_P(EverySolver, AnalysesOncePerPatternAndNeverMissesANewOne) {
  const SymmetricMatrix A = lattice(3, 3, 3, 10.0);
  SymmetricMatrix scaled(A.shared_pattern());
  scaled.set_combination({{2.0, &A}});
  const SymmetricMatrix other = lattice(2, 3, 4, 10.0);

  const bool analyses = solver->factorize(A).analysed;
  EXPECT_TRUE(analyses || !GetParam().is_direct);
  EXPECT_FALSE(solver->factorize(scaled).analysed);
  EXPECT_EQ(solver->factorize(other).analysed, analyses);

  const Vec b = Vec::Ones(other.size());
  Vec x = Vec::Zero(other.size()), residual(other.size());
  ASSERT_EQ(solver->solve(b, x).status, SolveStatus::ok);
  other.apply(x, residual);
  EXPECT_LT((residual - b).norm(), 1e-8);
}

TEST_P(EverySolver, SaysWhenTheMatrixIsNotPositiveDefinite) {
  const SymmetricMatrix A = lattice(4, 3, 3, 10.0, -60.0);
  ASSERT_LT(symmetric_eigenvalues(A.to_dense())[0], -1.0);

  const FactorReport factored = solver->factorize(A);

  SolveStatus status = factored.status;
  if (status == SolveStatus::ok) {
    Vec x = Vec::Zero(A.size());
    status = solver->solve(Vec::Random(A.size()).eval(), x).status;
  }
  EXPECT_EQ(status, SolveStatus::not_positive_definite) << to_string(status);
}

TEST_P(EverySolver, SaysWhenTheMatrixIsNotFinite) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SymmetricMatrix A = lattice(3, 2, 2, 10.0);
    A.add(4, 4, bad);

    EXPECT_EQ(solver->factorize(A).status, SolveStatus::not_finite);
  }
}

TEST_P(EverySolver, SolvesAgainAfterAFailure) {
  const SymmetricMatrix bad = lattice(3, 3, 2, 10.0, -100.0);
  const SymmetricMatrix good = lattice(3, 3, 2, 10.0);
  static_cast<void>(solver->factorize(bad));

  ASSERT_EQ(solver->factorize(good).status, SolveStatus::ok);
  Vec x = Vec::Zero(good.size()), y(good.size());
  ASSERT_EQ(solver->solve(Vec::Ones(good.size()).eval(), x).status, SolveStatus::ok);

  good.apply(x, y);
  EXPECT_LT((y - Vec::Ones(good.size())).norm(), 1e-8);
}

TEST_P(EverySolver, SolvesSystemsOfOneUnknown) {
  const SymmetricMatrix A = SymmetricMatrix::from_diagonal(Vec::Constant(1, 4.0));
  Vec x = Vec::Zero(1);

  ASSERT_EQ(solver->factorize(A).status, SolveStatus::ok);
  ASSERT_EQ(solver->solve(Vec::Constant(1, 2.0).eval(), x).status, SolveStatus::ok);

  EXPECT_NEAR(x[0], 0.5, 1e-15);
}

/// Those that iterate as far as asked, to 1e-12: they then do what direct ones do.
std::vector<SolverEntry> tight_solvers() {
  std::vector<SolverEntry> result;
  for (SolverEntry entry : solvers()) {
    if (entry.is_direct || !entry.make_iterative) continue;
    entry.make = [](const Reducer& reducer) {
      for (const SolverEntry& own : solvers())
        if (!own.is_direct && own.make_iterative) return own.make_iterative(reducer, 1e-12);
      return std::unique_ptr<LinearSolver>();
    };
    result.push_back(entry);
  }
  return result;
}
INSTANTIATE_TEST_SUITE_P(Tight, EverySolver, testing::ValuesIn(tight_solvers()),
                         [](const auto& entry) { return std::string(entry.param.name); });

INSTANTIATE_TEST_SUITE_P(Table, EverySolver, testing::ValuesIn(solvers().begin(), solvers().end()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Solvers, LargeMatricesWithMetisOrderAgreeWithSmallOnes) {
  // above 2,000 blocks the direct solver changes its ordering
  const SymmetricMatrix A = lattice(14, 13, 12, 1000.0);
  ASSERT_GT(A.pattern().num_blocks(), 2000);
  const std::unique_ptr<LinearSolver> solver = solvers().front().make(serial_reducer());
  const Mat B = Mat::Random(A.size(), 3);
  Mat X(A.size(), 3);
  Vec residual(A.size());

  ASSERT_EQ(solver->factorize(A).status, SolveStatus::ok);
  ASSERT_EQ(solver->solve(B, X).status, SolveStatus::ok);

  for (int c = 0; c < 3; ++c) {
    A.apply(X.col(c), residual);
    EXPECT_LT((residual - B.col(c)).norm() / B.col(c).norm(), 1e-12);
  }
}

TEST(ConjugateGradients, NeedsAsManyIterationsAsDistinctEigenvalues) {
  const SymmetricMatrix A = SymmetricMatrix::from_diagonal(Vec{{1, 2, 2, 5, 5, 5, 9, 9}});
  CgWorkspace work;
  Vec x = Vec::Zero(8);
  const Preconditioner none = [](const MatIn& R, MatOut Z) { Z = R; };

  const SolveReport report =
      cg(A, none, Vec::LinSpaced(8, 1.0, 2.0), x, {.tolerance = 1e-12}, serial_reducer(), work);

  EXPECT_EQ(report.status, SolveStatus::ok);
  EXPECT_LE(report.iterations, 4);
}

TEST(ConjugateGradients, ReportsWhenItRunsOutOfIterations) {
  const SymmetricMatrix A = lattice(4, 4, 4, 1e4);
  CgWorkspace work;
  Vec x = Vec::Zero(A.size());
  const Preconditioner none = [](const MatIn& R, MatOut Z) { Z = R; };

  const SolveReport report =
      cg(A, none, Vec::Random(A.size()).eval(), x, {.max_iterations = 3}, serial_reducer(), work);

  EXPECT_EQ(report.status, SolveStatus::not_converged);
  EXPECT_EQ(report.iterations, 3);
}

// OpenBLAS takes the slowest kernels it has for processors it does not know
TEST(Blas, UsesTheInstructionsOfTheProcessor) {
  const std::string name(blas_name());
  if (name == "none") GTEST_SKIP() << "a build without BLAS";
  if (std::getenv("OPENBLAS_CORETYPE")) GTEST_SKIP() << "the kernels are chosen by the user";
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "a processor without AVX2";
#endif
  EXPECT_EQ(name.find("Prescott"), std::string::npos) << name;
}

TEST(FactoredInverse, UndoesTheMatrix) {
  const SymmetricMatrix A = lattice(3, 3, 3, 5.0);
  const FactoredInverse inverse(A, solvers().front().make(serial_reducer()));
  const Vec x = Vec::LinSpaced(A.size(), -1.0, 1.0);
  Vec y(A.size()), back(A.size());

  A.apply(x, y);
  inverse.apply(y, back);

  EXPECT_LT((back - x).norm(), 1e-12);
}

}  // namespace
}  // namespace sinew::la
