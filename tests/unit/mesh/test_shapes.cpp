// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/quality.hpp>
#include <sinew/mesh/shapes/distances.hpp>
#include <sinew/mesh/shapes/shape.hpp>
#include <sinew/mesh/validate.hpp>

#include "rejected_place.hpp"

namespace sinew::mesh::shape_tests {
namespace {

constexpr double pi = std::numbers::pi;

ShapePart part(const char* type) {
  ShapePart made;
  made.type = type;
  return made;
}

ShapePart sphere(const Vec3& center, double radius) {
  ShapePart made = part("sphere");
  made.center = center;
  made.radius = radius;
  return made;
}

ShapePart box(const Vec3& size) {
  ShapePart made = part("box");
  made.size = size;
  return made;
}

double volume_of(const std::vector<ShapePart>& parts, double size) {
  const TetMesh mesh = make_shape({.size = size, .parts = parts});
  EXPECT_TRUE(find_problems(mesh, "shape").empty());
  return assess_quality(mesh).volume;
}

Vec3 random_place(std::mt19937& random) {
  std::uniform_real_distribution<double> along(-2.0, 2.0);
  return {along(random), along(random), along(random)};
}

/// The distance to a set is the least one to its points; those of a moving ball are places on its
/// way, less the radius there.
TEST(Distances, OfCapsulesAreThoseOfABallOnItsWay) {
  std::mt19937 random(2);
  for (int k = 0; k < 200; ++k) {
    const Vec3 from = random_place(random), to = random_place(random), x = random_place(random);
    const double first = 0.3, last = 0.3 + 0.9 * (from - to).norm() * (k % 3 - 1) / 2.0;
    double least = INFINITY;
    for (int i = 0; i <= 20'000; ++i) {
      const double s = i / 20'000.0;
      least = std::min(least, (x - from - s * (to - from)).norm() - (1.0 - s) * first - s * last);
    }
    EXPECT_NEAR(capsule_distance(x, from, to, first, last), least, 1e-6);
  }
}

/// They are distances: no steeper than 1, and as steep almost everywhere.
TEST(Distances, HaveSlopeOne) {
  std::mt19937 random(3);
  const std::vector<std::function<double(const Vec3&)>> functions{
      [](const Vec3& x) {
        return box_distance(x, {1.0, 2.0, 0.5}, 0.1);
      },
      [](const Vec3& x) {
        return cylinder_distance(x, {0, 0, -1}, {0.3, 1, 1}, 0.4, 0.1);
      },
      [](const Vec3& x) { return torus_distance(x, 1.0, 0.3); },
      [](const Vec3& x) { return honeycomb_distance(x, 0.7, 0.1); },
      [](const Vec3& x) { return bars_distance(x, 0.7, 0.1); }};
  for (std::size_t f = 0; f < functions.size(); ++f) {
    int num_steep = 0;
    for (int k = 0; k < 200; ++k) {
      const Vec3 x = random_place(random);
      Vec3 gradient;
      for (int i = 0; i < 3; ++i) {
        const Vec3 step = 1e-6 * Vec3::Unit(i);
        gradient[i] = (functions[f](x + step) - functions[f](x - step)) / 2e-6;
      }
      EXPECT_LE(gradient.norm(), 1.0 + 1e-6) << f;
      num_steep += gradient.norm() > 1.0 - 1e-6;
    }
    EXPECT_GT(num_steep, 195) << f;  // but for places with two nearest points
  }
}

TEST(Shapes, HaveTheVolumesOfTheirFormulas) {
  ShapePart torus = part("torus");
  torus.major_radius = 0.5;
  torus.minor_radius = 0.15;
  EXPECT_NEAR(volume_of({torus}, 0.03), 2 * pi * pi * 0.5 * 0.15 * 0.15, 1e-3);

  ShapePart capsule = part("capsule");
  capsule.radius = 0.2;
  EXPECT_NEAR(volume_of({capsule}, 0.04), pi * 0.04 * 1.0 + 4.0 / 3.0 * pi * 0.008, 2e-3);

  ShapePart cylinder = part("cylinder");
  cylinder.radius = 0.3;
  EXPECT_NEAR(volume_of({cylinder}, 0.04), pi * 0.09, 4e-3);  // edges are cut off

  ShapePart moebius = part("band");
  moebius.thickness = 0.08;
  moebius.width = 0.3;
  // the centre of the cross-section goes around once (Pappus)
  EXPECT_NEAR(volume_of({moebius}, 0.02), 2 * pi * 0.5 * 0.08 * 0.3, 2e-3);

  ShapePart path = part("path");
  path.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
  path.radius = 0.1;
  path.end_radius = 0.05;
  EXPECT_EQ(assess_quality(make_shape({.size = 0.03, .parts = {path}})).num_components, 1);

  ShapePart formula = part("formula");
  formula.formula = "x^2 + 4*y^2 + 4*z^2 - 1";
  EXPECT_NEAR(volume_of({formula}, 0.05), 4.0 / 3.0 * pi / 4.0, 4e-3);
}

TEST(Shapes, AreJoinedAndCut) {
  const double both = 2.0 * 4.0 / 3.0 * pi * 0.027;
  const auto two = [](double distance, const char* operation, double blend) {
    ShapePart second = sphere({distance, 0, 0}, 0.3);
    second.operation = operation;
    second.blend = blend;
    return std::vector<ShapePart>{sphere(Vec3::Zero(), 0.3), second};
  };
  // the lens of two balls of radius r at the distance d
  const double d = 0.3, r = 0.3;
  const double lens = pi * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12.0;
  EXPECT_NEAR(volume_of(two(d, "union", 0.0), 0.02), both - lens, 1e-3);
  EXPECT_NEAR(volume_of(two(d, "intersection", 0.0), 0.02), lens, 1e-3);
  EXPECT_NEAR(volume_of(two(d, "difference", 0.0), 0.02), 0.5 * both - lens, 1e-3);
  // a fillet adds to the union, and takes from the others
  EXPECT_GT(volume_of(two(0.55, "union", 0.2), 0.03),
            volume_of(two(0.55, "union", 0.0), 0.03) + 1e-3);
  EXPECT_LT(volume_of(two(d, "difference", 0.1), 0.03), 0.5 * both - lens - 1e-3);
  // apart, they are two pieces; a wide fillet makes one of them
  EXPECT_EQ(
      assess_quality(make_shape({.size = 0.05, .parts = two(0.65, "union", 0.0)})).num_components,
      2);
  EXPECT_EQ(
      assess_quality(make_shape({.size = 0.05, .parts = two(0.65, "union", 0.5)})).num_components,
      1);
}

TEST(Shapes, ArePlacedRepeatedMirroredAndCopied) {
  ShapePart ball = sphere({0.5, 0, 0}, 0.1);
  ball.repeat = {6, {.degrees = 60.0}};
  const auto function = make_shape_function(std::vector{ball});
  for (int k = 0; k < 6; ++k) {
    const Vec3 centre(0.5 * std::cos(pi / 3 * k), 0.5 * std::sin(pi / 3 * k), 0.0);
    EXPECT_NEAR(function.solid.phi(centre), -0.1, 1e-12);
    EXPECT_NEAR(function.solid.phi(2.0 * centre), 0.4, 1e-12);
  }
  EXPECT_NEAR(function.solid.box.high[0], 0.6, 1e-9);

  ball.repeat = {};
  ball.placement = {.scale = 2.0, .degrees = 90.0, .translate = {0, 0, 1}};
  EXPECT_NEAR(make_shape_function(std::vector{ball}).solid.phi({0, 1, 1}), -0.2, 1e-12);
  ball.mirror = Vec3::UnitZ();
  EXPECT_NEAR(make_shape_function(std::vector{ball}).solid.phi({0, 1, -1}), -0.2, 1e-12);

  // a hollow ball: itself again, smaller
  ShapePart outer = sphere(Vec3::Zero(), 0.5), inner = part("copy");
  outer.name = "ball";
  inner.of = "ball";
  inner.operation = "difference";
  inner.grow = -0.1;
  EXPECT_NEAR(volume_of({outer, inner}, 0.03), 4.0 / 3.0 * pi * (0.125 - 0.064), 2e-3);

  ShapePart group = part("group");
  group.parts = {outer, inner};
  group.placement = {.scale = 0.5, .translate = {1, 2, 3}};
  EXPECT_NEAR(make_shape_function(std::vector{group}).solid.phi({1, 2, 3}), 0.2, 1e-12);
}

TEST(Shapes, MarkRegions) {
  ShapePart core = sphere(Vec3::Zero(), 0.3);
  core.operation = "mark";
  core.region = "core";
  ShapePart left = box({2, 2, 2});
  left.center = {-1, 0, 0};
  left.operation = "mark";
  left.region = "left";
  const TetMesh mesh = make_shape({.size = 0.05, .parts = {sphere(Vec3::Zero(), 0.5), left, core}});
  const QualityReport report = assess_quality(mesh);
  ASSERT_EQ(report.regions.size(), 3u);
  for (const RegionSummary& region : report.regions) {
    const double ball = 4.0 / 3.0 * pi * 0.125, inner = 4.0 / 3.0 * pi * 0.027;
    // half the shell, or all of the core, up to the size of the tets
    EXPECT_NEAR(region.volume, region.name == "core" ? inner : 0.5 * (ball - inner), 0.03)
        << region.name;
  }
}

TEST(Shapes, LatticesNeedAnEnd) {
  ShapePart lattice = part("lattice");
  lattice.cell = 0.4;
  lattice.thickness = 0.12;
  EXPECT_EQ(test::rejected_place([&] { make_shape_function(std::vector{lattice}); }), "/parts");
  lattice.operation = "intersection";
  for (const char* kind : {"bars", "honeycomb", "gyroid"}) {
    lattice.lattice = kind;
    const TetMesh mesh = make_shape({.size = 0.04, .parts = {box({1.0, 1.0, 0.4}), lattice}});
    EXPECT_TRUE(find_problems(mesh, kind).empty());
    EXPECT_EQ(assess_quality(mesh).num_components, 1) << kind;
  }
  // walls take 1 - (1 - t/c)^2 of the plane
  lattice.lattice = "honeycomb";
  lattice.cell = 0.5;
  lattice.thickness = 0.1;
  const Vec3 period(0.5, 0.5 * std::numbers::sqrt3, 0.3);
  EXPECT_NEAR(volume_of({box(4.0 * period), lattice}, 0.05) / (4.0 * period).prod(), 1.0 - 0.64,
              0.01);
}

TEST(Shapes, SayWhatIsWrongWithThem) {
  const auto place = [](ShapePart wrong) {
    return test::rejected_place([&] {
      make_shape({.parts = {sphere(Vec3::Zero(), 1.0), std::move(wrong)}});
    });
  };
  EXPECT_EQ(place(sphere(Vec3::Zero(), 0.0)), "/parts/1/radius");
  EXPECT_EQ(place(part("path")), "/parts/1/points");
  EXPECT_EQ(place(part("copy")), "/parts/1/of");
  EXPECT_EQ(place(part("group")), "/parts/1/parts");
  ShapePart wrong = part("capsule");
  wrong.end_radius = 2.0;
  EXPECT_EQ(place(wrong), "/parts/1/end_radius");
  wrong = part("formula");
  wrong.formula = "x + t";
  EXPECT_EQ(place(wrong), "/parts/1/formula");
  wrong.formula = "x +";
  EXPECT_EQ(place(wrong), "/parts/1/formula");
  wrong = box(Vec3::Ones());
  wrong.rounding = 0.6;
  EXPECT_EQ(place(wrong), "/parts/1/rounding");
  wrong = part("group");
  wrong.parts = {sphere(Vec3::Zero(), -1.0)};
  EXPECT_EQ(place(wrong), "/parts/1/parts/0/radius");
  wrong = part("sphere");
  wrong.operation = "mark";
  EXPECT_EQ(place(wrong), "/parts/1/region");
  wrong.operation = "difference";
  EXPECT_EQ(test::rejected_place([&] { make_shape({.parts = {wrong}}); }), "/parts/0/operation");
  EXPECT_EQ(test::rejected_place([] { make_shape({.size = 3.0}); }), "/size");
}

}  // namespace
}  // namespace sinew::mesh::shape_tests
