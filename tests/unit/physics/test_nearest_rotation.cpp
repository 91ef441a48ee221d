// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include <sinew/physics/elements/nearest_rotation.hpp>

namespace sinew::physics {
namespace {

/// By singular values, one at a time.
Mat3 reference(const Mat3& F) {
  const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 U = svd.matrixU();
  if ((U * svd.matrixV().transpose()).determinant() < 0.0) U.col(2) *= -1.0;
  return U * svd.matrixV().transpose();
}

TEST(NearestRotation, IsTheOneOfTheSingularValues) {
  std::mt19937 random(7);
  std::normal_distribution<double> number;
  const auto matrix = [&] { return Mat3::NullaryExpr([&] { return number(random); }).eval(); };
  // strains, sizes as of small volumes, and how many of a batch
  for (const double strain : {1e-8, 0.05, 0.5, 3.0})
    for (const double size : {1e-12, 1.0, 1e6})
      for (const int count : {1, 3, 4, 9}) {
        std::vector<Mat3> matrices, expected;
        for (int k = 0; k < count; ++k) {
          const Mat3 turn =
              Eigen::AngleAxisd(3.0 * number(random), matrix().col(0).normalized()).matrix();
          matrices.emplace_back(size * turn * (Mat3::Identity() + strain * matrix()));
          expected.push_back(reference(matrices.back()));
        }
        const std::vector<Mat3> before = matrices;
        replace_by_nearest_rotations(matrices);
        for (int k = 0; k < count; ++k) {
          const Mat3& R = matrices[k];
          EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 1e-13);
          EXPECT_GT(R.determinant(), 0.0);
          // where two small singular values of opposite sign are near each other it is any of many
          const Vec3 values = before[k].jacobiSvd().singularValues() / size;
          const double apart = values[1] + (before[k].determinant() > 0.0 ? 1.0 : -1.0) * values[2];
          if (apart > 0.05) {
            EXPECT_LT((R - expected[k]).norm(), 1e-9) << strain << " " << size << " " << k;
          }
        }
      }
}

TEST(NearestRotation, FlatMatricesHaveOneToo) {
  std::vector<Mat3> matrices{Vec3(2, 1, 0).asDiagonal(), Vec3(1, 1, -1e-9).asDiagonal(),
                             Vec3(1, 1, 1).asDiagonal(), Vec3(3, 0.1, 1e-7).asDiagonal()};
  replace_by_nearest_rotations(matrices);
  for (const Mat3& R : matrices) EXPECT_LT((R - Mat3::Identity()).norm(), 1e-7);
}

}  // namespace
}  // namespace sinew::physics
