// SPDX-License-Identifier: Apache-2.0
// What every material of the table must satisfy.
#include <Eigen/Eigenvalues>
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
  const Moduli moduli = physics::moduli(1000.0, 0.3, {0.3});
  const Parameters p = material.parameters(moduli);
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
    EXPECT_LT(difference.norm() / std::max(P.norm(), moduli.mu), 1e-6) << name;
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
    EXPECT_GT(material.energy_density(p, turn), 0.01 * moduli.mu);
    return;
  }
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(0.3, 1, -2).normalized()).toRotationMatrix();
  for (const auto& [name, F] : valid_samples()) {
    const double scale =
        moduli.lambda + moduli.mu * (1.0 + F.squaredNorm()) + material.first_piola(p, F).norm();
    EXPECT_NEAR(material.energy_density(p, R * F), material.energy_density(p, F), 1e-12 * scale)
        << name;
    EXPECT_LT((material.first_piola(p, R * F) - R * material.first_piola(p, F)).norm(),
              1e-12 * scale)
        << name;
  }
}

TEST_P(EveryMaterial, TheRestShapeHasNoEnergyAndNoStress) {
  const Mat3 I = Mat3::Identity();

  EXPECT_NEAR(material.energy_density(p, I), 0.0, 1e-12 * moduli.mu);
  EXPECT_LT(material.first_piola(p, I).norm(), 1e-12 * moduli.mu);
}

TEST_P(EveryMaterial, SmallStrainsAreLinearElasticity) {
  const Mat9 H = material.hessian(p, Mat3::Identity());
  for (int k = 0; k < 9; ++k) {
    Mat3 G = Mat3::Zero();
    G.data()[k] = 1.0;
    const Moduli rest = material.small_strain(moduli);
    const Mat3 expected =
        rest.mu * (G + G.transpose()) + rest.lambda * G.trace() * Mat3::Identity();
    EXPECT_LT((H.col(k) - vec(expected)).norm(), 1e-12 * moduli.mu) << "component " << k;
  }
}

TEST_P(EveryMaterial, IsLinearInItsModuli) {
  // damping proportional to the current stiffness scales them
  const Parameters doubled = material.parameters({2 * moduli.mu, 2 * moduli.lambda, moduli.own});
  for (const auto& [name, F] : valid_samples()) {
    const double energy = material.energy_density(p, F);
    EXPECT_NEAR(material.energy_density(doubled, F), 2 * energy, 1e-12 * (energy + moduli.mu));
  }
}

TEST_P(EveryMaterial, SaysWhetherInvertedElementsHaveAnEnergy) {
  const Mat3 flat = Vec3(1.1, 0.9, 0.0).asDiagonal();
  EXPECT_EQ(std::isfinite(material.energy_density(p, flat)), material.allows_inversion);
}

/// P_11 under F = diag(s, 1, 1), where detF = s, and P_12 under a shear g, where detF = 1: the
/// derivatives of psi(s) and psi(g), written down by hand.
struct ClosedForms {
  std::string_view material;
  double (*uniaxial)(const Moduli&, double s);
  double (*shear)(const Moduli&, double g);
};

const ClosedForms closed_forms[] = {
    {"stable-neo-hookean",
     [](const Moduli& m, double s) { return (2 * m.mu + m.lambda) * (s - 1); },
     [](const Moduli& m, double g) { return m.mu * g; }},
    {"neo-hookean",
     [](const Moduli& m, double s) { return m.mu * (s - 1 / s) + m.lambda * std::log(s) / s; },
     [](const Moduli& m, double g) { return m.mu * g; }},
    {"isochoric-neo-hookean",
     [](const Moduli& m, double s) {
       return 2.0 / 3.0 * m.mu * (std::pow(s, 1.0 / 3.0) - std::pow(s, -5.0 / 3.0)) +
              m.lambda * (s - 1);
     },
     [](const Moduli& m, double g) { return m.mu * g; }},
    {"stvk",
     [](const Moduli& m, double s) { return s * (m.lambda + 2 * m.mu) * 0.5 * (s * s - 1); },
     [](const Moduli& m, double g) { return m.mu * (g + g * g * g) + 0.5 * m.lambda * g * g * g; }},
    {"mooney-rivlin",
     [](const Moduli& m, double s) {
       const double c1 = 0.5 * m.mu * (1 - m.own[0]), c2 = 0.5 * m.mu * m.own[0];
       return 4.0 / 3.0 * c1 * (std::pow(s, 1.0 / 3.0) - std::pow(s, -5.0 / 3.0)) +
              4.0 / 3.0 * c2 * (std::pow(s, -1.0 / 3.0) - std::pow(s, -7.0 / 3.0)) +
              (m.lambda + 2 * m.mu / 3) * (s - 1);
     },
     [](const Moduli& m, double g) { return m.mu * g; }},
    // in shear the two moving singular values have product 1 and sum r = sqrt(4 + g^2)
    {"arap", [](const Moduli& m, double s) { return 2 * m.mu * (s - 1); },
     [](const Moduli& m, double g) {
       const double r = std::sqrt(4 + g * g);
       return 2 * m.mu * (g - g / r);
     }},
    {"corotated", [](const Moduli& m, double s) { return (2 * m.mu + m.lambda) * (s - 1); },
     [](const Moduli& m, double g) {
       const double r = std::sqrt(4 + g * g);
       return 2 * m.mu * (g - g / r) + m.lambda * (r - 2) * g / r;
     }},
    {"fixed-corotated", [](const Moduli& m, double s) { return (2 * m.mu + m.lambda) * (s - 1); },
     [](const Moduli& m, double g) {
       const double r = std::sqrt(4 + g * g);
       return 2 * m.mu * (g - g / r);
     }},
    {"linear", [](const Moduli& m, double s) { return (2 * m.mu + m.lambda) * (s - 1); },
     [](const Moduli& m, double g) { return m.mu * g; }},
};

TEST_P(EveryMaterial, UniaxialAndShearStressFollowTheClosedForms) {
  const auto* forms = std::find_if(std::begin(closed_forms), std::end(closed_forms),
                                   [&](const auto& row) { return row.material == material.name; });
  ASSERT_NE(forms, std::end(closed_forms)) << "no closed forms written down for this material";
  const Mat3 turn = material.keeps_rotations
                        ? Eigen::AngleAxisd(1.3, Vec3(1, 2, -1).normalized()).toRotationMatrix()
                        : Mat3(Mat3::Identity());
  for (const double s : {0.3, 0.6, 0.9, 1.0, 1.3, 2.0}) {
    const Mat3 P =
        turn.transpose() * material.first_piola(p, turn * Vec3(s, 1.0, 1.0).asDiagonal());
    EXPECT_NEAR(P(0, 0), forms->uniaxial(moduli, s), 1e-10 * moduli.mu * (1 + 1 / (s * s)))
        << "stretch " << s;
    EXPECT_NEAR(P(1, 1), P(2, 2), 1e-10 * moduli.mu / (s * s));
  }
  for (const double g : {-1.5, -0.2, 0.0, 0.1, 0.7, 2.0}) {
    Mat3 F = Mat3::Identity();
    F(0, 1) = g;
    const Mat3 P = turn.transpose() * material.first_piola(p, turn * F);
    EXPECT_NEAR(P(0, 1), forms->shear(moduli, g), 1e-10 * moduli.mu) << "shear " << g;
  }
}

/// The projection by a general eigen-solver.
Mat9 projected(const Mat9& H, double mirror) {
  const Eigen::SelfAdjointEigenSolver<Mat9> eigen(0.5 * (H + H.transpose()));
  const Vec9 values = eigen.eigenvalues().unaryExpr(
      [&](double value) { return value < 0.0 ? -mirror * value : value; });
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

TEST_P(EveryMaterial, DefiniteTangentsAgreeWithAGeneralEigenSolver) {
  int indefinite = 0;
  bool is_quadratic = true;  // with one tangent everywhere, that of stable small strains
  const Mat9 at_rest = material.hessian(p, Mat3::Identity());
  for (const auto& [name, F] : valid_samples()) {
    const Mat9 H = material.hessian(p, F);
    is_quadratic = is_quadratic && (H - at_rest).norm() < 1e-12 * at_rest.norm();
    const Eigen::SelfAdjointEigenSolver<Mat9> eigen(H);
    if (eigen.eigenvalues()[0] < -1e-9 * H.norm()) ++indefinite;
    for (const double mirror : {0.0, 1.0}) {
      const Mat9 definite = material.definite_hessian(p, F, mirror);

      EXPECT_LT((definite - projected(H, mirror)).norm(), 1e-11 * H.norm()) << name;
      EXPECT_GT(Eigen::SelfAdjointEigenSolver<Mat9>(definite).eigenvalues()[0],
                -1e-13 * definite.norm())
          << name;
    }
  }
  EXPECT_EQ(indefinite == 0, is_quadratic) << "the samples put the projection to the test";
}

TEST_P(EveryMaterial, EnergyIsContinuousThroughInversionOrABarrierInFrontOfIt) {
  const auto energy = [&](double s) {
    const Mat3 F = Vec3(1.1, 0.9, s).asDiagonal();
    return material.energy_density(p, F);
  };
  if (!material.allows_inversion) {
    // the barrier may be weak, but it has no top
    for (double s = 1e-2; s > 1e-12; s *= 0.1) EXPECT_GT(energy(0.1 * s), energy(s)) << s;
    return;
  }
  constexpr double step = 1e-4;
  for (double s = 0.5; s > -0.5; s -= step) {
    ASSERT_TRUE(std::isfinite(energy(s)));
    // slopes are of the size of the moduli
    ASSERT_LT(std::abs(energy(s) - energy(s - step)), 20.0 * moduli.mu * step) << s;
    const Mat3 F = Vec3(1.1, 0.9, s).asDiagonal();
    ASSERT_TRUE(material.first_piola(p, F).allFinite());
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMaterial,
                         testing::ValuesIn(materials().begin(), materials().end()),
                         [](const auto& row) {
                           std::string name(row.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace sinew::physics
