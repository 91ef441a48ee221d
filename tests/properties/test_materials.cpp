// SPDX-License-Identifier: Apache-2.0
// What every material of the table must satisfy.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include <sinew/physics/materials/registry.hpp>

namespace sinew::physics {
namespace {

struct Sample {
  const char* name;
  Mat3 F;
};

/// Rest, small, rotated, stretched, sheared, squashed, nearly inverted, flat and inverted.
std::vector<Sample> samples() {
  const Mat3 I = Mat3::Identity();
  const Mat3 R = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  Mat3 shear = I;
  shear(0, 1) = 0.8;
  shear(2, 0) = -0.4;
  const Mat3 stretch = Vec3(1.8, 0.7, 1.2).asDiagonal();
  const Mat3 small = I + 1e-3 * (Mat3() << 1, -2, 3, 0.5, 2, -1, 2, 1, -3).finished();
  const Mat3 thin = Vec3(1.1, 0.9, 1e-3).asDiagonal();
  const Mat3 flat = Vec3(1.1, 0.9, 0.0).asDiagonal();
  const Mat3 inverted = Vec3(1.2, 0.9, -0.4).asDiagonal();
  return {{"rest", I},
          {"small strain", small},
          {"rotated", R},
          {"stretched", stretch},
          {"sheared and rotated", R * shear},
          {"squashed", R * Vec3(0.3, 1.1, 0.9).asDiagonal() * shear},
          {"nearly inverted", R * thin * shear},
          {"flat", flat * R},
          {"inverted", R * inverted * shear}};
}

using Vec9 = Eigen::Matrix<double, 9, 1>;
Vec9 vec(const Mat3& A) {
  return Eigen::Map<const Vec9>(A.data());
}

class EveryMaterial : public testing::TestWithParam<MaterialEntry> {
 protected:
  /// Those samples for which the material has an energy.
  std::vector<Sample> valid_samples() const {
    std::vector<Sample> result = samples();
    if (!material.allows_inversion)
      std::erase_if(result, [](const Sample& sample) { return sample.F.determinant() < 1e-12; });
    return result;
  }

  const MaterialEntry& material = GetParam();
  const Lame lame = physics::lame(1000.0, 0.3);
  const Parameters p = material.parameters(lame);
};

/// Central differences of fourth order along every entry of F. The step follows the smallest
/// singular value, because barriers bend on that scale; it keeps the truncation error near 1e-8.
template <class Value, class Function>
std::array<Value, 9> derivative(const Function& function, const Mat3& F) {
  const double smallest = F.jacobiSvd().singularValues()[2];
  const double step = smallest > 1e-6 ? std::min(1e-3, 0.01 * smallest) : 1e-3;
  std::array<Value, 9> result;
  for (int k = 0; k < 9; ++k) {
    const auto at = [&](double steps) -> Value {
      Mat3 moved = F;
      moved.data()[k] += steps * step;
      return function(moved);
    };
    result[k] = (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * step);
  }
  return result;
}

TEST_P(EveryMaterial, StressIsTheDerivativeOfTheEnergy) {
  for (const auto& [name, F] : valid_samples()) {
    const auto numerical =
        derivative<double>([&](const Mat3& at) { return material.energy_density(p, at); }, F);
    const Mat3 P = material.first_piola(p, F);
    const Vec9 difference = vec(P) - Eigen::Map<const Vec9>(numerical.data());
    // relative to the moduli: stresses of interest are of their size
    EXPECT_LT(difference.norm() / std::max(P.norm(), lame.mu), 1e-6) << name;
  }
}

TEST_P(EveryMaterial, TangentIsTheDerivativeOfTheStress) {
  for (const auto& [name, F] : valid_samples()) {
    const auto columns =
        derivative<Vec9>([&](const Mat3& at) { return vec(material.first_piola(p, at)); }, F);
    Mat9 numerical;
    for (int k = 0; k < 9; ++k) numerical.col(k) = columns[k];
    const Mat9 H = material.hessian(p, F);
    EXPECT_LT((H - numerical).norm() / H.norm(), 1e-6) << name;
    EXPECT_LT((H - H.transpose()).norm() / H.norm(), 1e-14) << name;
  }
}

TEST_P(EveryMaterial, TurningTheBodyChangesNothingUnlessItSaysSo) {
  if (!material.keeps_rotations) {
    const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3::UnitZ()).toRotationMatrix();
    EXPECT_GT(material.energy_density(p, turn), 0.01 * lame.mu);
    return;
  }
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(0.3, 1, -2).normalized()).toRotationMatrix();
  for (const auto& [name, F] : valid_samples()) {
    const double scale =
        lame.lambda + lame.mu * (1.0 + F.squaredNorm()) + material.first_piola(p, F).norm();
    EXPECT_NEAR(material.energy_density(p, R * F), material.energy_density(p, F), 1e-12 * scale)
        << name;
    EXPECT_LT((material.first_piola(p, R * F) - R * material.first_piola(p, F)).norm(),
              1e-12 * scale)
        << name;
  }
}

TEST_P(EveryMaterial, TheRestShapeHasNoEnergyAndNoStress) {
  const Mat3 I = Mat3::Identity();

  EXPECT_NEAR(material.energy_density(p, I), 0.0, 1e-12 * lame.mu);
  EXPECT_LT(material.first_piola(p, I).norm(), 1e-12 * lame.mu);
}

TEST_P(EveryMaterial, SmallStrainsAreLinearElasticity) {
  const Mat9 H = material.hessian(p, Mat3::Identity());
  for (int k = 0; k < 9; ++k) {
    Mat3 G = Mat3::Zero();
    G.data()[k] = 1.0;
    const Lame rest = material.small_strain(lame);
    const Mat3 expected =
        rest.mu * (G + G.transpose()) + rest.lambda * G.trace() * Mat3::Identity();
    EXPECT_LT((H.col(k) - vec(expected)).norm(), 1e-12 * lame.mu) << "component " << k;
  }
}

TEST_P(EveryMaterial, SaysWhetherInvertedElementsHaveAnEnergy) {
  const Mat3 flat = Vec3(1.1, 0.9, 0.0).asDiagonal();
  EXPECT_EQ(std::isfinite(material.energy_density(p, flat)), material.allows_inversion);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMaterial,
                         testing::ValuesIn(materials().begin(), materials().end()),
                         [](const auto& row) {
                           std::string name(row.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Materials, UniaxialStressFollowsTheClosedForms) {
  const Lame l = lame(1000.0, 0.3);
  for (const double stretch : {0.6, 0.9, 1.3, 2.0}) {
    const Mat3 F = Vec3(stretch, 1.0, 1.0).asDiagonal();
    const auto* stvk = find_material("stvk");
    const auto* snh = find_material("stable-neo-hookean");

    // stvk: P_11 = stretch (lambda + 2 mu) E,  E = (stretch^2 - 1)/2
    EXPECT_NEAR(stvk->first_piola(stvk->parameters(l), F)(0, 0),
                stretch * (l.lambda + 2 * l.mu) * 0.5 * (stretch * stretch - 1.0), 1e-9);
    // stable neo-Hookean: P_11 = mu stretch - mu + (lambda + mu)(stretch - 1)
    EXPECT_NEAR(snh->first_piola(snh->parameters(l), F)(0, 0),
                l.mu * (stretch - 1.0) + (l.lambda + l.mu) * (stretch - 1.0), 1e-9);
  }
}

}  // namespace
}  // namespace sinew::physics
