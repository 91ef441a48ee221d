// SPDX-License-Identifier: Apache-2.0
// Equilibria with closed forms, and what has none.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/output/record/surface_frames.hpp>
#include <sinew/output/record/vtu_frame.hpp>
#include <sinew/study/static.hpp>

#include <support/contact_scenes.hpp>
#include <support/temp_dir.hpp>

namespace sinew::test {
namespace {

using sim::StopReason;

scene::SceneSpec scene_of(const std::string& parts) {
  return scene::parse_scene("{\"sinew\": 1, " + parts + "}", "test");
}

/// Positions at the end, and what was said about the way there.
struct Found {
  study::StaticResult result;
  Mat x;
};

class LastPositions final : public sim::Observer {
 public:
  void on_finish(const sim::FrameView& view, const sim::RunSummary&) override {
    const dynamics::Observables& observables = dynamics::observables_of(view.system);
    Vec values(3 * observables.geometry().num_points);
    observables.evaluate_field("position", view.state, view.workspace, values);
    x = values.reshaped(3, observables.geometry().num_points);
    ledger = view.ledger.record();
  }
  Mat x;
  sim::EnergyRecord ledger;
};

/// The surface as pictures show it, with a stress at every vertex.
class LastSurface final : public sim::Observer {
 public:
  void on_finish(const sim::FrameView& view, const sim::RunSummary&) override {
    const output::VtuFrame frame =
        output::VtuFrameTaker().take(view.system, view.state, view.workspace);
    output::SurfaceBuilder builder(true);
    builder.add(0.0, output::read_back(frame, false), [&] { return read_back(frame, true); });
    surface = builder.finish();
  }
  output::SurfaceFrames surface;
};

Found find(const std::string& parts, int load_steps, LastPositions& last) {
  study::StaticOptions options{.load_steps = load_steps};
  options.run.observers.push_back(&last);
  Found found{.result = study::find_static(scene_of(parts), options)};
  found.x = last.x;
  return found;
}
Found find(const std::string& parts, int load_steps = 4) {
  LastPositions last;
  return find(parts, load_steps, last);
}

/// A bar of unit section along x without lateral contraction, held at its left end. Its
/// deformation is uniform, and linear tets have it exactly.
std::string held_bar(const char* material, const std::string& more) {
  return fmt::format(
      R"("bodies": [{{"name": "bar", "mesh": {{"generator": "bar", "size": [2, 1, 1], "cells": [4, 2, 2]}},
           "material": {{"model": "{}", "young": 1000, "poisson": 0}}}}],
         "fixed": [{{"select": {{"plane": {{"normal": [1, 0, 0]}}}}}}], {})",
      material, more);
}

const char* const pulled_out =
    R"("motion": [{"select": {"plane": {"point": [2, 0, 0], "normal": [1, 0, 0]}}, "position": ["x + 0.6*t", "y", "z"]}])";

TEST(Static, PressureStretchesABarAsItShould) {
  const Found found = find(held_bar(
      "linear",
      R"("loads": [{"type": "pressure", "select": {"plane": {"point": [2, 0, 0], "normal": [1, 0, 0]}}, "pressure": -10}])"));
  ASSERT_EQ(found.result.summary.reason, StopReason::reached_end);
  EXPECT_NEAR(found.result.reached, 1.0, 1e-12);
  EXPECT_FALSE(found.result.unstable_from);
  EXPECT_NEAR(found.result.largest_displacement, 2.0 * 10.0 / 1000.0, 1e-9);
  EXPECT_NEAR(found.x.row(0).maxCoeff(), 2.02, 1e-9);
}

TEST(Static, WhatIsDoneToBarsIsWhatTheyStore) {
  // pulled to 1.3 times its length: E/2 eps^2 and E/8 (lambda^2 - 1)^2 per volume
  const double young = 1000.0, volume = 2.0, lambda = 1.3;
  for (const auto& [material, stored] :
       {std::pair("linear", 0.5 * young * 0.3 * 0.3),
        std::pair("stvk", 0.125 * young * std::pow(lambda * lambda - 1.0, 2))}) {
    std::vector<double> missing;
    for (const int steps : {5, 10}) {
      LastPositions last;
      const Found found = find(held_bar(material, pulled_out), steps, last);
      ASSERT_EQ(found.result.summary.reason, StopReason::reached_end);
      EXPECT_EQ(last.ledger.kinetic, 0.0);
      EXPECT_NEAR(last.ledger.total, stored * volume, 1e-9 * stored);
      missing.push_back(std::abs(last.ledger.external_work - last.ledger.total));
    }
    // work is summed by the trapezoidal rule: exact for a linear law
    if (std::string(material) == "linear")
      EXPECT_LT(missing[0], 1e-6 * stored);
    else
      EXPECT_NEAR(missing[0] / missing[1], 4.0, 0.2);
  }
}

TEST(Static, BallsUnderPressureShrinkEvenly) {
  // u = -p (1 - 2 nu)/E x
  const double pressure = 100.0, young = 1e7, poisson = 0.3;
  const Found found = find(
      fmt::format(
          R"("bodies": [{{"name": "ball", "mesh": {{"generator": "ball", "radius": 1, "shell_thickness": 0, "cells": 3, "core_layers": 1}},
           "material": {{"model": "linear", "young": {}, "poisson": {}}}}}],
         "loads": [{{"type": "pressure", "pressure": {}}}])",
          young, poisson, pressure),
      1);
  ASSERT_EQ(found.result.summary.reason, StopReason::reached_end);
  EXPECT_NEAR(found.result.largest_displacement, pressure * (1.0 - 2.0 * poisson) / young,
              1e-4 * pressure / young);
}

TEST(Static, ThickSpheresFollowLame) {
  // a core that is as good as none
  const double pressure = 100.0, young = 1e7, poisson = 0.3, a = 0.6, b = 1.0;
  const Found found = find(
      fmt::format(
          R"("bodies": [{{"name": "ball", "mesh": {{"generator": "ball", "radius": {}, "shell_thickness": {}, "cells": 8, "core_layers": 2, "shell_layers": 4}},
           "material": {{"model": "linear", "young": {}, "poisson": {}}},
           "regions": [{{"select": {{"region": "core"}}, "material": {{"young": 1}}}}]}}],
         "loads": [{{"type": "pressure", "pressure": {}}}])",
          b, b - a, young, poisson, pressure),
      1);
  ASSERT_EQ(found.result.summary.reason, StopReason::reached_end);
  const double cubes = b * b * b - a * a * a;
  const double expected = pressure * b * b * b / (young * cubes) *
                          ((1.0 - 2.0 * poisson) * b + (1.0 + poisson) * a * a * a / (2.0 * b * b));
  double mean = 0.0;
  int count = 0;
  for (Index k = 0; k < found.x.cols(); ++k)
    if (found.x.col(k).norm() > b - 1e-4) {
      mean += b - found.x.col(k).norm();
      ++count;
    }
  ASSERT_GT(count, 100);
  EXPECT_NEAR(mean / count, expected, 0.03 * expected);
}

/// A chain with bending stiffness EI = 1 along x. The first joint stands for the half segment
/// before it too: its length is that of `segments` and a half.
std::string elastic_line(int segments, const std::string& force, double sideways = 0.0) {
  const double edge = 1.0 / (segments + 0.5);
  std::string particles, springs;
  for (int k = 0; k <= segments + 1; ++k) {
    particles += fmt::format("{}[{}, 0, {}]", k ? ", " : "", (k - 0.5) * edge,
                             sideways * std::max(0.0, (k - 1) * edge));
    if (k > 0) springs += fmt::format("{}[{}, {}]", k > 1 ? ", " : "", k - 1, k);
  }
  return fmt::format(
      R"("bodies": [{{"name": "line", "type": "springs", "particles": [{}], "springs": [{}],
           "stiffness": 1e6, "bending": 1}}],
         "fixed": [{{"select": {{"vertices": [0, 1]}}}}],
         "loads": [{{"type": "force", "select": {{"vertices": [{}]}}, "value": {}}}])",
      particles, springs, segments + 1, force);
}

TEST(Static, TheElasticaBendsAsItShould) {
  // end load P L^2/(E I) = 1, 5: tabulated deflections of the tip over the length
  for (const auto& [load, deflection, shortening] :
       {std::tuple(1.0, 0.30172, 0.05643), std::tuple(5.0, 0.71379, 0.38763)}) {
    const Found found = find(elastic_line(40, fmt::format("[0, 0, {}]", load)));
    ASSERT_EQ(found.result.summary.reason, StopReason::reached_end);
    const Vec3 tip = found.x.col(found.x.cols() - 1);
    EXPECT_NEAR(tip[2], deflection, 0.005 * deflection);
    EXPECT_NEAR(1.0 - tip[0], shortening, 0.01);
    EXPECT_FALSE(found.result.unstable_from);
  }
}

TEST(Static, EulerColumnsBuckleAtEulersLoad) {
  const double critical = std::numbers::pi * std::numbers::pi / 4.0;
  const Found found = find(elastic_line(40, fmt::format("[{}, 0, 0]", -2.0 * critical)), 100);
  ASSERT_EQ(found.result.summary.reason, StopReason::reached_end);
  ASSERT_TRUE(found.result.unstable_from);
  EXPECT_NEAR(*found.result.unstable_from, 0.5, 0.015);
  // one that is not quite straight bends to one side
  const Found bent = find(elastic_line(40, fmt::format("[{}, 0, 0]", -1.5 * critical), 1e-3), 30);
  ASSERT_EQ(bent.result.summary.reason, StopReason::reached_end);
  EXPECT_GT(bent.x(2, bent.x.cols() - 1), 0.5);
}

TEST(Static, WhatNoLoadChangesStaysInBalance) {
  // springs that pull from the start: after the first load step only rounding is left
  const Found found = find(
      R"("bodies": [{"name": "line", "type": "springs", "particles": [[0, 0, 0], [1, 0, 0], [2, 0.3, 0], [3, 0, 0]],
           "springs": [[0, 1], [1, 2], [2, 3]], "stiffness": 100, "rest_scale": 0.8}],
         "fixed": [{"select": {"vertices": [0, 3]}}])",
      10);
  ASSERT_EQ(found.result.summary.reason, StopReason::reached_end);
  // straight, each spring pulling alike
  EXPECT_NEAR(found.x.row(1).cwiseAbs().maxCoeff(), 0.0, 1e-9);
  EXPECT_NEAR(found.x(0, 2) - found.x(0, 1) - 0.8 * std::hypot(1.0, 0.3), found.x(0, 1) - 0.8,
              1e-6);
}

TEST(Static, WhatBucklesInOneLoadStepIsFoundToo) {
  // far beyond its load in a few steps; the straight line is an equilibrium, though no stable one
  const double critical = std::numbers::pi * std::numbers::pi / 4.0;
  for (const int steps : {1, 3, 10}) {
    const Found found = find(elastic_line(40, fmt::format("[{}, 0, 0]", -2.0 * critical)), steps);
    ASSERT_EQ(found.result.summary.reason, StopReason::reached_end) << steps;
    EXPECT_TRUE(found.result.unstable_from) << steps;
  }
}

TEST(Static, BodiesComeToRestOnAFloor) {
  // free to slide, and held by nothing but contact
  for (const char* model : {"barrier", "penalty"})
    for (const int steps : {1, 10, 30}) {
      const Found found = find(
          fmt::format(
              R"("bodies": [{{"name": "cube", "mesh": {{"generator": "bar", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}},
              "transform": {{"translate": [0, 0, 0.002]}}, "material": {{"young": 1e6}}}}],
            "loads": [{{"type": "gravity"}}], "obstacles": [{{"type": "plane"}}],
            "contact": {{"model": "{}", "distance": 1e-3, "stiffness": 1e4}})",
              model),
          steps);
      ASSERT_EQ(found.result.summary.reason, StopReason::reached_end) << model << steps;
      EXPECT_LT(found.x.row(2).head(27).minCoeff(), 1e-3);
      EXPECT_GT(found.x.row(2).head(27).minCoeff(), 0.0);
      EXPECT_TRUE(found.result.notes.empty());  // to meet a floor is not to snap through
    }
}

TEST(Static, PressureBendsABarFarOver) {
  // no conservative load: whatever the number of load steps, the same end
  std::vector<double> lowest;
  for (const int steps : {1, 5, 20}) {
    const Found found = find(
        R"("bodies": [{"name": "bar", "mesh": {"generator": "bar", "size": [1, 0.2, 0.2], "cells": [8, 2, 2]},
              "material": {"model": "neo-hookean", "young": 1e5, "poisson": 0.3}}],
           "fixed": [{"select": {"plane": {"normal": [1, 0, 0]}}}],
           "loads": [{"type": "pressure", "select": {"plane": {"point": [0, 0, 0.2], "normal": [0, 0, 1]}}, "pressure": 500}])",
        steps);
    ASSERT_EQ(found.result.summary.reason, StopReason::reached_end) << steps;
    lowest.push_back(found.x.row(2).minCoeff());
  }
  EXPECT_LT(lowest[0], -0.3);
  EXPECT_NEAR(lowest[1], lowest[0], 1e-5);
  EXPECT_NEAR(lowest[2], lowest[0], 1e-5);
}

/// Where a static scene is at a part of its way, in two load steps.
Mat at(const std::string& parts, double part) {
  scene::SceneSpec scene = study::as_static(scene_of(parts), 2);
  scene.time.end *= part;
  LastPositions last;
  study::RunOptions options;
  options.observers.push_back(&last);
  EXPECT_EQ(study::run_scene(scene, options).reason, StopReason::reached_end);
  return last.x;
}

constexpr const char* pushed_bar =
    R"("bodies": [{{"mesh": {{"generator": "bar", "size": [1, 0.1, 0.1], "cells": [8, 1, 1]}},
          "material": {{"young": 1e5}}}}],
       "fixed": [{{"select": {{"plane": {{"normal": [1, 0, 0]}}}}}}], "loads": [{}], "integrator": {{"name": "si"}})";

TEST(Static, HalfOfAWindIsHalfOfItsForce) {
  const auto wind = [](double speed) {
    return fmt::format(pushed_bar,
                       fmt::format(R"({{"type": "wind", "velocity": [0, 0, {}]}})", speed));
  };
  const Mat half = at(wind(4.0), 0.5), rest = at(wind(0.0), 1.0);
  ASSERT_GT((half - rest).norm(), 0.01);
  EXPECT_LT((half - at(wind(4.0 / std::numbers::sqrt2), 1.0)).norm(), 1e-5 * (half - rest).norm());
}

TEST(Static, ThereAreNoMoreThanAllOfTheLoads) {
  // a run that goes on beyond the end of the loads keeps them
  const std::string parts = fmt::format(pushed_bar, R"({"value": [0, 0, -9.81]})");
  const Mat all = at(parts, 1.0);
  EXPECT_LT((at(parts, 2.0) - all).norm(), 1e-6 * all.norm());
}

TEST(Static, WhatAReaderMustKnowIsInTheManifest) {
  const TempDir dir;
  const double critical = std::numbers::pi * std::numbers::pi / 4.0;
  study::StaticOptions options{.load_steps = 10};
  options.run.directory = dir.path() / "column";
  options.run.publish = false;
  const study::StaticResult found = study::find_static(
      scene_of(elastic_line(40, fmt::format("[{}, 0, 0]", -2.0 * critical))), options);
  ASSERT_FALSE(found.notes.empty());
  const std::string manifest = core::read_file(options.run.directory / "manifest.json");
  for (const std::string& note : found.notes)
    EXPECT_NE(manifest.find(note), std::string::npos) << note;
}

TEST(Static, ASnapThroughFindsTheOtherSide) {
  // two bars, a flat arch of height 0.1 over a span of 2: at most 0.38 h^3 k for each
  const double k = 1e4, h = 0.1;
  const double length = std::hypot(1.0, h), limit = k * 0.385 * h * h * h / (length * length);
  const Found found = find(
      fmt::format(
          R"("bodies": [{{"name": "arch", "type": "springs", "particles": [[-1, 0, 0], [0, 0, {}], [1, 0, 0]],
           "springs": [[0, 1], [1, 2]], "stiffness": {}}}],
         "fixed": [{{"select": {{"vertices": [0, 2]}}}}],
         "loads": [{{"type": "force", "select": {{"vertices": [1]}}, "value": [0, 0, {}]}}])",
          h, k, -1.5 * limit),
      15);
  ASSERT_EQ(found.result.summary.reason, StopReason::reached_end);
  const double z = found.x(2, 1);
  EXPECT_LT(z, -h);
  // it jumps at 1/1.5 of the load
  ASSERT_TRUE(found.result.jumped_at);
  EXPECT_NEAR(*found.result.jumped_at, 1.0 / 1.5, 0.07);
  const double now = std::hypot(1.0, z);
  EXPECT_NEAR(2.0 * k * (now - length) * -z / now, 1.5 * limit, 1e-5 * limit);
}

TEST(Static, BodiesThatNothingHoldsHaveNoEquilibrium) {
  const Found found = find(
      R"("bodies": [{"name": "bar", "mesh": {"generator": "bar", "cells": [2, 1, 1]}}],
         "loads": [{"type": "gravity"}], "time": {"max_halvings": 1})",
      1);
  EXPECT_EQ(found.result.summary.reason, StopReason::failed);
  EXPECT_EQ(found.result.reached, 0.0);
}

TEST(Static, WhatHasNoPlaceInStaticsIsRefused) {
  const std::string bar =
      R"("bodies": [{"name": "bar", "mesh": {"generator": "bar", "cells": [2, 1, 1]}}], )";
  const auto problem = [&](const std::string& more) {
    try {
      static_cast<void>(study::as_static(scene_of(bar + more), 4));
    } catch (const InputError& error) {
      return error.problems().front().where;
    }
    return std::string();
  };
  EXPECT_EQ(
      problem(R"("loads": [{}, {"type": "pulse", "value": [1, 0, 0], "from": 0, "until": 1}])"),
      "/loads/1");
  EXPECT_EQ(problem(R"("loads": [{"type": "force", "value": [1, 0, 0], "from": 0.5}])"),
            "/loads/0");
  EXPECT_EQ(problem(R"("cuts": [{"body": "bar"}])"), "/cuts");
  EXPECT_EQ(problem(R"("fracture": [{"body": "bar"}])"), "/fracture");
  EXPECT_EQ(problem(R"("time": {"end": 0})"), "/time/end");
  EXPECT_EQ(problem(R"("obstacles": [{}], "contact": {"model": "virtual-spring"})"),
            "/contact/model");
  EXPECT_EQ(problem(R"("obstacles": [{}], "contact": {"friction": {}})"), "/contact/friction");
}

TEST(Static, PicturesShowTheStressOfABentBeam) {
  // 6 M/h^3 times the width at the skin, M = w (L - x)^2/2; without lateral contraction there is no
  // singularity where it is held. Means of cells show 70 %.
  const double length = 1.0, h = 0.1, weight = 9.81 * 1000.0 * h * h;
  LastSurface last;
  study::StaticOptions options{.load_steps = 1};
  options.run.observers.push_back(&last);
  const study::StaticResult result = study::find_static(
      scene_of(
          R"("bodies": [{"mesh": {"generator": "bar", "size": [1, 0.1, 0.1], "cells": [10, 2, 2], "order": 2},
           "material": {"model": "linear", "young": 1e9, "poisson": 0, "density": 1000}}],
         "fixed": [{"select": {"plane": {"normal": [1, 0, 0]}}}],
         "loads": [{"type": "gravity", "value": [0, 0, -9.81]}])"),
      options);
  ASSERT_EQ(result.summary.reason, StopReason::reached_end);
  const auto stress = [&](double x) {
    return 6.0 * 0.5 * weight * std::pow(length - x, 2) / (h * h * h);
  };
  const output::SurfaceFrames& surface = last.surface;
  const auto found = std::ranges::find(surface.fields, "von_mises", &output::SurfaceField::name);
  ASSERT_NE(found, surface.fields.end());
  const std::vector<float>& shown = found->values[0];
  const std::vector<float>& x = surface.positions[0];
  double sum = 0.0, expected = 0.0;
  for (std::size_t v = 0; v < shown.size(); ++v)
    if (std::abs(x[3 * v] - 0.5) < 0.02 && x[3 * v + 2] > h - 1e-3) {
      sum += shown[v];
      expected += stress(x[3 * v]);
    }
  ASSERT_GT(expected, 0.0);
  EXPECT_NEAR(sum / expected, 1.0, 0.02);
  EXPECT_NEAR(*std::ranges::max_element(shown) / stress(0.0), 1.0, 0.02);
}

}  // namespace
}  // namespace sinew::test
