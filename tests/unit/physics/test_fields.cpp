// SPDX-License-Identifier: Apache-2.0
// What a body shows to the outside, under uniform deformation where everything is known.
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <sinew/physics/bodies.hpp>

#include "support/bodies.hpp"

namespace sinew::physics {
namespace {

class UniformDeformation : public testing::Test {
 protected:
  Vec field(std::string_view name) {
    for (const dynamics::FieldInfo& info : system.observables().fields()) {
      if (info.name != name) continue;
      Vec values((info.site == dynamics::FieldSite::per_cell ? system.num_cells()
                                                             : system.num_vertices()) *
                 info.components);
      system.observables().evaluate_field(name, state, *workspace, values);
      return values;
    }
    ADD_FAILURE() << "no field " << name;
    return {};
  }

  void SetUp() override {
    F << 1.2, 0.3, 0.0, -0.1, 0.9, 0.2, 0.05, 0.0, 1.1;
    for (Index i = 0; i < state.q.size(); i += 3)
      state.q.segment<3>(i) = (F * state.q.segment<3>(i)).eval();
  }

  const MaterialEntry& material = *find_material("stvk");
  const Parameters parameters = material.parameters(moduli(1e5, 0.4));
  TermSystem system{to_terms(test::bar_spec({.material = "stvk"}))};
  std::unique_ptr<dynamics::Workspace> workspace = system.make_workspace();
  dynamics::State state = system.rest_state();
  Mat3 F;
};

TEST_F(UniformDeformation, CellsKnowTheirVolumeEnergyAndStress) {
  const Mat3 stress = material.first_piola(parameters, F) * F.transpose() / F.determinant();
  const Mat3 deviator = stress - stress.trace() / 3.0 * Mat3::Identity();

  const Vec det_f = field("det_f"), energy = field("energy_density"), mises = field("von_mises");
  const Vec cauchy = field("cauchy_stress");
  for (int t = 0; t < system.num_cells(); ++t) {
    EXPECT_NEAR(det_f[t], F.determinant(), 1e-12);
    EXPECT_NEAR(energy[t], material.energy_density(parameters, F), 1e-7);
    EXPECT_NEAR(mises[t], std::sqrt(1.5) * deviator.norm(), 1e-6);
    const double expected[] = {stress(0, 0), stress(1, 1), stress(2, 2),
                               stress(0, 1), stress(1, 2), stress(0, 2)};
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(cauchy[6 * t + k], expected[k], 1e-6);
  }
}

TEST_F(UniformDeformation, ForcesSumToNothingAndAreThoseOfTheSystem) {
  const Vec shown = field("force");
  Vec f(system.num_dofs());
  system.force(state, *workspace, f);

  Vec3 sum = Vec3::Zero();
  for (int v = 0; v < system.num_vertices(); ++v) {
    sum += shown.segment<3>(3 * v);
    EXPECT_EQ(Vec3(shown.segment<3>(3 * v)), Vec3(f.segment<3>(system.dof_of_vertex(v))));
  }
  EXPECT_LT(sum.norm(), 1e-9);
}

TEST(Reactions, CarryTheWeightOfABodyAtRest) {
  BodiesSpec spec = test::bar_spec({.clamped = true});
  spec.gravity = {0, 0, -9.81};
  const TermSystem system(to_terms(spec));
  const auto workspace = system.make_workspace();
  const dynamics::State state = system.rest_state();

  // in the rest shape nothing is stressed yet: every vertex shows its own weight
  Vec shown(3 * system.num_vertices());
  system.observables().evaluate_field("force", state, *workspace, shown);
  double weight = 0.0;
  for (int v = 0; v < system.num_vertices(); ++v) {
    weight += shown[3 * v + 2];
    EXPECT_LT(shown[3 * v + 2], 0.0);
  }
  EXPECT_NEAR(weight, -9.81 * 1000.0 * 1.0 * 0.3 * 0.2, 1e-9);
}

}  // namespace
}  // namespace sinew::physics
