// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/mesh/closed_surface.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/quality.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/mesh/validate.hpp>

#include "rejected_place.hpp"
#include "surface_checks.hpp"

namespace sinew::mesh {
namespace {

using Point2 = Eigen::Vector2d;

double cross2(const Point2& a, const Point2& b) {
  return a[0] * b[1] - a[1] * b[0];
}

/// The face of a gear at z = 0.
struct GearFace {
  std::vector<std::array<Point2, 3>> triangles;  ///< clockwise, as seen from above

  explicit GearFace(const GearSettings& settings) {
    const TetMesh gear = make_gear(settings);
    for (const auto& [a, b, c] : extract_surface(gear).triangles)
      if (gear.vertices[a][2] + gear.vertices[b][2] + gear.vertices[c][2] == 0.0)
        triangles.push_back(
            {gear.vertices[a].head<2>(), gear.vertices[b].head<2>(), gear.vertices[c].head<2>()});
  }

  bool contains(const Point2& p, double margin) const {
    return std::any_of(triangles.begin(), triangles.end(), [&](const auto& t) {
      for (std::size_t i = 0; i < 3; ++i) {
        const Point2 side = t[(i + 1) % 3] - t[i];
        if (cross2(p - t[i], side) <= margin * side.norm()) return false;
      }
      return true;
    });
  }

  /// Points on the sides and in the middle of triangles that reach beyond `radius`.
  std::vector<Point2> samples_beyond(double radius) const {
    std::vector<Point2> points;
    for (const auto& [a, b, c] : triangles) {
      if (std::max({a.norm(), b.norm(), c.norm()}) < radius) continue;
      for (int i = 0; i <= 6; ++i)
        for (int j = 0; i + j <= 6; ++j) points.push_back((i * a + j * b + (6 - i - j) * c) / 6.0);
    }
    return points;
  }
};

/// How many points of the second gear are in the first one when that has turned by `angle` and the
/// second one is ahead of it by `play`, an angle of its own.
int num_overlapping(const GearFace& first, const GearSettings& settings, const GearFace& second,
                    const GearSettings& other, double angle, double play) {
  const double half_turn = std::numbers::pi;
  // a gap of the second one towards the first
  const double ready = half_turn + half_turn / other.teeth;
  const Eigen::Rotation2Dd turn_back(-angle);
  const Eigen::Rotation2Dd turn(ready - angle * settings.radius / other.radius + play);
  const Point2 centre(settings.radius + other.radius, 0.0);
  const double tip = settings.radius + 0.5 * settings.tooth_height;
  int count = 0;
  for (const Point2& sample : second.samples_beyond(other.radius - other.tooth_height)) {
    const Point2 p = centre + turn * sample;
    if (p.norm() < tip && first.contains(turn_back * p, 1e-9)) ++count;
  }
  return count;
}

/// Another gear of the same pitch.
GearSettings mate_of(const GearSettings& settings, int teeth) {
  GearSettings mate = settings;
  mate.teeth = teeth;
  mate.radius = settings.radius * teeth / settings.teeth;
  mate.bore = 0.5 * mate.radius;
  return mate;
}

TEST(Gear, IsValidWhateverTheCounts) {
  std::vector<GearSettings> all{{}};
  all.push_back({.cells = 1, .layers = 1, .tooth_layers = 1, .axial_cells = 1});
  all.push_back({.cells = 3, .layers = 4, .tooth_layers = 5, .axial_cells = 3});
  all.push_back({.teeth = 4, .bore = 0.001, .tooth_height = 0.005, .cells = 1});
  all.push_back({.teeth = 61, .tooth_height = 0.0035, .backlash = 0.0});
  all.push_back({.teeth = 9, .tooth_height = 0.02, .pressure_angle = 28.0});
  for (const GearSettings& settings : all) {
    SCOPED_TRACE(settings.teeth);
    const TetMesh gear = make_gear(settings);
    for (const Problem& problem : find_problems(gear, "gear")) ADD_FAILURE() << problem.to_string();
    const Surface surface = extract_surface(gear);
    EXPECT_TRUE(is_closed(surface.triangles));
    EXPECT_EQ(test::euler_characteristic(surface.triangles), 0) << "one hole";
    EXPECT_EQ(assess_quality(gear).num_components, 1);
    // about as much as the annulus from the hole to the pitch circle
    const double annulus = std::numbers::pi * settings.thickness *
                           (std::pow(settings.radius, 2) - std::pow(settings.bore, 2));
    EXPECT_NEAR(assess_quality(gear).volume / annulus, 1.0, 0.2);
  }
}

TEST(Gear, HasAToothOnTheXAxisAndTheSizesGiven) {
  const GearSettings settings;
  const TetMesh gear = make_gear(settings);
  const BoundingBox box = bounding_box(gear);
  EXPECT_NEAR(box.high[0], settings.radius + settings.tooth_height * 4.0 / 9.0, 1e-15);
  EXPECT_EQ(box.low[2], 0.0);
  EXPECT_EQ(box.high[2], settings.thickness);
  double nearest = 1.0;
  for (const Vec3& x : gear.vertices) nearest = std::min(nearest, x.head<2>().norm());
  EXPECT_NEAR(nearest, settings.bore, 1e-15);
}

TEST(Gear, MeshesWithOthersOfTheSamePitch) {
  std::vector<GearSettings> all{{}};
  all.push_back({.backlash = 0.0, .tooth_layers = 8});
  all.push_back({.teeth = 9, .tooth_height = 0.02, .pressure_angle = 28.0, .tooth_layers = 6});
  for (const GearSettings& settings : all) {
    const GearFace face(settings);
    for (const int teeth : {settings.teeth, 2 * settings.teeth + 1}) {
      const GearSettings mate = mate_of(settings, teeth);
      const GearFace other(mate);
      const double pitch = 2.0 * std::numbers::pi / settings.teeth;
      for (int i = 0; i < 16; ++i) {
        const double angle = pitch * i / 16;
        // the play, half to each side, and what the corners cut off
        const double play = 0.49 * settings.backlash / mate.radius;
        for (const double ahead : {-play, 0.0, play})
          EXPECT_EQ(num_overlapping(face, settings, other, mate, angle, ahead), 0)
              << settings.teeth << " and " << teeth << " at " << i << ", " << ahead;
        for (const double side : {-1.0, 1.0})
          EXPECT_GT(num_overlapping(face, settings, other, mate, angle,
                                    side * (play + 0.1 * pitch * settings.radius / mate.radius)),
                    0)
              << "the teeth do not reach each other";
      }
    }
  }
}

TEST(Needle, IsValidAndHasOnePoint) {
  std::vector<NeedleSettings> all{{}};
  for (const int cells : {1, 2, 3, 6}) all.push_back({.cells = cells, .axial_cells = 30 * cells});
  all.push_back({.tip_length = 0.0005});
  all.push_back({.tip_length = 0.039, .cells = 4, .axial_cells = 1});
  for (const NeedleSettings& settings : all) {
    SCOPED_TRACE(settings.cells);
    const TetMesh needle = make_needle(settings);
    for (const Problem& problem : find_problems(needle, "needle"))
      ADD_FAILURE() << problem.to_string();
    const Surface surface = extract_surface(needle);
    EXPECT_TRUE(is_closed(surface.triangles));
    EXPECT_EQ(test::euler_characteristic(surface.triangles), 2);
    EXPECT_EQ(needle.num_tets(),
              6 * settings.cells * settings.cells * (settings.cells + 3 * settings.axial_cells));
    EXPECT_EQ(needle.vertices[0], Vec3(0.0, 0.0, 0.0));
    EXPECT_EQ(std::count_if(needle.vertices.begin(), needle.vertices.end(),
                            [](const Vec3& x) { return x[2] == 0.0; }),
              1);
    EXPECT_EQ(std::count_if(needle.tets.begin(), needle.tets.end(),
                            [](const Tet& tet) { return std::ranges::count(tet, 0) > 0; }),
              6);
    EXPECT_NEAR(bounding_box(needle).high[2], settings.length, 1e-15);
    for (const Vec3& x : needle.vertices)
      EXPECT_LE(x.head<2>().norm(),
                settings.radius * std::min(1.0, x[2] / settings.tip_length) + 1e-15);
  }
}

TEST(Needle, IsAsWellShapedHoweverFineItIs) {
  for (const int cells : {1, 2, 4, 8}) {
    const NeedleSettings settings{.cells = cells, .axial_cells = 24 * cells};
    const QualityReport report = assess_quality(make_needle(settings));
    EXPECT_GT(report.radius_ratio.min, 0.35) << cells;
    EXPECT_GT(report.min_dihedral, 13.0) << cells;
  }
}

TEST(Needle, VolumeConvergesQuadratically) {
  const NeedleSettings plain;
  const double exact = std::numbers::pi * plain.radius * plain.radius *
                       (plain.length - plain.tip_length * 2.0 / 3.0);
  std::vector<double> errors;
  for (const int cells : {2, 4, 8})
    errors.push_back(1.0 - assess_quality(make_needle({.cells = cells})).volume / exact);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(errors[i] / errors[i + 1], 4.0, 0.3);
}

TEST(GearAndNeedle, RejectWhatMakesNoSense) {
  const double nan = std::nan("");
  const std::vector<std::pair<std::string, std::function<void()>>> cases{
      {"/radius", [] { make_gear({.radius = 0.0}); }},
      {"/teeth", [] { make_gear({.teeth = 3}); }},
      {"/thickness", [=] { make_gear({.thickness = nan}); }},
      {"/bore", [] { make_gear({.bore = 0.0}); }},
      {"/bore", [] { make_gear({.bore = 0.048}); }},
      {"/tooth_height", [] { make_gear({.tooth_height = -0.01}); }},
      {"/tooth_height", [] { make_gear({.tooth_height = 0.02}); }},
      {"/tooth_height", [] { make_gear({.teeth = 40}); }},
      {"/tooth_height", [] { make_gear({.teeth = 150, .tooth_height = 0.013, .backlash = 0.0}); }},
      {"/pressure_angle", [] { make_gear({.pressure_angle = 60.0}); }},
      {"/pressure_angle", [=] { make_gear({.pressure_angle = nan}); }},
      {"/backlash", [] { make_gear({.backlash = -1e-4}); }},
      {"/backlash", [] { make_gear({.backlash = 0.01}); }},
      {"/cells", [] { make_gear({.cells = 0}); }},
      {"/cells", [] { make_gear({.teeth = 2147483647, .cells = 2147483647}); }},
      {"/layers", [] { make_gear({.layers = 0}); }},
      {"/tooth_layers", [] { make_gear({.tooth_layers = 0}); }},
      {"/axial_cells", [] { make_gear({.axial_cells = 0}); }},
      {"/radius", [] { make_needle({.radius = -1.0}); }},
      {"/length", [=] { make_needle({.length = nan}); }},
      {"/tip_length", [] { make_needle({.tip_length = 0.0}); }},
      {"/tip_length", [] { make_needle({.tip_length = 0.04}); }},
      {"/cells", [] { make_needle({.cells = 0}); }},
      {"/cells", [] { make_needle({.cells = 2147483647}); }},
      {"/axial_cells", [] { make_needle({.axial_cells = 0}); }},
  };
  for (const auto& [where, make] : cases) EXPECT_EQ(test::rejected_place(make), where);
}

}  // namespace
}  // namespace sinew::mesh
