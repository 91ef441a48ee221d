// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include <sinew/core/types.hpp>
#include <sinew/physics/elements/decompose.hpp>
#include <sinew/physics/elements/eigen_matrix.hpp>

namespace sinew::physics {
namespace {

/// Random matrices over many sizes and ranks, and the awkward ones.
std::vector<Mat3> matrices() {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::vector<Mat3> result{Mat3::Zero(),
                           Mat3::Identity(),
                           -Mat3::Identity(),
                           Vec3(3, 3, 1).asDiagonal(),
                           Vec3(1, -1, 1).asDiagonal(),
                           Vec3(2, 0, 0).asDiagonal(),
                           Vec3(1, 1e-8, 1e-8).asDiagonal()};
  for (int k = 0; k < 2000; ++k) {
    Mat3 A;
    for (int i = 0; i < 9; ++i) A.data()[i] = normal(random);
    if (k % 5 == 1) A = Mat3::Identity() + 1e-9 * A;
    if (k % 5 == 2) A.col(2) = A.col(0) + 1e-7 * A.col(1);
    if (k % 5 == 3) A *= std::pow(10.0, k % 17 - 8);
    if (k % 5 == 4)
      A = Eigen::AngleAxisd(normal(random), Vec3::UnitX()) * Vec3(2, 2, 1).asDiagonal();
    result.push_back(A);
  }
  return result;
}

TEST(Decompose, SignedSingularValuesRebuildTheMatrixFromRotations) {
  for (const Mat3& F : matrices()) {
    const SignedSvd<double> svd = signed_svd(from_eigen(F));
    const Mat3 U = to_eigen(svd.U), V = to_eigen(svd.V);
    const Vec3 s(svd.sigma[0], svd.sigma[1], svd.sigma[2]);
    const double scale = F.norm() + 1e-300;

    ASSERT_LT((U * s.asDiagonal() * V.transpose() - F).norm(), 1e-13 * scale) << F;
    ASSERT_LT((U.transpose() * U - Mat3::Identity()).norm(), 1e-13) << F;
    ASSERT_LT((V.transpose() * V - Mat3::Identity()).norm(), 1e-13) << F;
    ASSERT_NEAR(U.determinant(), 1.0, 1e-13) << F;
    ASSERT_NEAR(V.determinant(), 1.0, 1e-13) << F;
    ASSERT_GE(s[0], s[1] - 1e-14 * scale) << F;
    ASSERT_GE(s[1], std::abs(s[2]) - 1e-14 * scale) << F;
    const Vec3 expected = F.jacobiSvd().singularValues();
    ASSERT_LT((s.cwiseAbs() - expected).norm(), 1e-13 * scale) << F;
  }
}

TEST(Decompose, SymmetricEigenvaluesAgreeWithEigens) {
  for (const Mat3& F : matrices()) {
    const Mat3 A = F + F.transpose();
    const SymmetricEigen<double> eigen = symmetric_eigen(from_eigen(A));
    const Mat3 Q = to_eigen(eigen.Q);
    Vec3 lambda(eigen.lambda[0], eigen.lambda[1], eigen.lambda[2]);

    ASSERT_LT((Q * lambda.asDiagonal() * Q.transpose() - A).norm(), 1e-13 * (A.norm() + 1e-300));
    std::sort(lambda.data(), lambda.data() + 3);
    const Vec3 expected = Eigen::SelfAdjointEigenSolver<Mat3>(A).eigenvalues();
    ASSERT_LT((lambda - expected).norm(), 1e-13 * (A.norm() + 1e-300)) << A;
  }
}

TEST(Decompose, LanesOfARegisterAreIndependent) {
  const std::vector<Mat3> all = matrices();
  for (std::size_t k = 0; k + 4 <= 400; k += 4) {
    Matrix3<Pack> F;
    for (int lane = 0; lane < 4; ++lane)
      for (int c = 0; c < 3; ++c) {
        F.c[c].x[lane] = all[k + lane](0, c);
        F.c[c].y[lane] = all[k + lane](1, c);
        F.c[c].z[lane] = all[k + lane](2, c);
      }
    const SignedSvd<Pack> together = signed_svd(F);
    for (int lane = 0; lane < 4; ++lane) {
      const SignedSvd<double> alone = signed_svd(from_eigen(all[k + lane]));
      for (int i = 0; i < 3; ++i) ASSERT_EQ(together.sigma[i][lane], alone.sigma[i]);
    }
  }
}

}  // namespace
}  // namespace sinew::physics
