// SPDX-License-Identifier: Apache-2.0
// A soft cuboid with a barrier material, twisted by half a turn and let go: the hard case for
// Newton.
#include <gtest/gtest.h>

#include <sinew/scene/compile.hpp>
#include <sinew/scene/scene_reader.hpp>

namespace sinew::scene {
namespace {

TEST(TwistedCuboid, BackwardEulerUntwistsANeoHookeanBodyWithoutRejectingAStep) {
  CompiledScene compiled = compile(parse_scene(R"~({ "sinew": 1,
    "bodies": [ { "mesh": { "generator": "bar", "size": [1, 0.25, 0.25], "cells": [12, 3, 3] },
                  "transform": { "translate": [0, -0.125, -0.125] },
                  "material": { "model": "neo-hookean", "young": 1e5, "poisson": 0.4 } } ],
    "fixed": [ { "select": { "plane": { "point": [0, 0, 0], "normal": [1, 0, 0] } } } ],
    "motion": [ { "select": { "plane": { "point": [1, 0, 0], "normal": [1, 0, 0] } },
                  "position": ["x", "y*cos(pi*t) - z*sin(pi*t)", "y*sin(pi*t) + z*cos(pi*t)"],
                  "until": 1.0 } ],
    "integrator": { "name": "be" },
    "time": { "dt": 0.01, "end": 1.5, "max_halvings": 0 },
    "output": { "fps": 0 } })~",
                                               "test"));

  const sim::RunSummary summary = compiled.simulation->run();

  EXPECT_EQ(summary.reason, sim::StopReason::reached_end);
  EXPECT_EQ(summary.rejected_steps, 0);
  EXPECT_EQ(summary.accepted_steps, 150);
  std::printf("%ld Newton iterations in %ld steps\n", summary.profile.counts.newton,
              summary.accepted_steps);
}

}  // namespace
}  // namespace sinew::scene
