// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/study/stiffness.hpp>

namespace sinew::study {
namespace {

/// A weight on a spring, let go: it goes down to twice the strain m g/(k L) of rest.
scene::SceneSpec weight_on_a_spring(const std::string& gravity) {
  return scene::parse_scene(R"({ "sinew": 1, "bodies": [ { "type": "springs",
      "particles": [[0, 0, 0], [0, 0, -2]], "springs": [[0, 1]], "stiffness": 50, "mass": 3 } ],
      "fixed": [ { "select": { "vertices": [0] } } ], "loads": [ { "value": [0, 0, )" +
                                gravity + R"(] } ],
      "integrator": { "name": "verlet" }, "time": { "dt": 1e-4, "end": 0.5 }, "output": { "fps": 0 } })",
                            "test");
}

TEST(Stiffness, IsThatOfTheClosedForm) {
  const StiffnessFound found = find_stiffness(weight_on_a_spring("-10"), {.strain = 0.01});
  ASSERT_TRUE(found.is_found);
  const StiffnessTrial& answer = found.trials.back();
  EXPECT_LE(answer.strain, 0.01);
  EXPECT_GE(answer.strain, 0.0095);
  // 2 m g / (k L) of the stiffness found
  EXPECT_NEAR(answer.strain, 2.0 * 3.0 * 10.0 / (50.0 * answer.factor * 2.0), 1e-5);
}

TEST(Stiffness, IsNotLookedForWhereNothingIsStrained) {
  const StiffnessFound found = find_stiffness(weight_on_a_spring("0"), {.strain = 0.01});
  EXPECT_FALSE(found.is_found);
  EXPECT_EQ(found.trials.size(), 1u);
  scene::SceneSpec solid = weight_on_a_spring("0");
  solid.bodies[0].type = "solid";
  EXPECT_THROW(static_cast<void>(find_stiffness(solid, {})), InputError);
}

}  // namespace
}  // namespace sinew::study
