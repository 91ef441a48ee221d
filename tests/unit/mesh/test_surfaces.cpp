// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <functional>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/mesh/closed_surface.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/surfaces.hpp>
#include <sinew/mesh/validate.hpp>

#include "rejected_place.hpp"
#include "surface_checks.hpp"

namespace sinew::mesh {
namespace {

double volume_enclosed_by(const TetMesh& surface) {
  return enclosed_volume(surface.vertices, surface.triangles);
}

TEST(ClosedSurface, NeedsEveryEdgeInBothDirectionsOnce) {
  const std::vector<Triangle> tet{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  EXPECT_TRUE(is_closed(tet));
  EXPECT_TRUE(is_closed({}));
  EXPECT_FALSE(is_closed(std::span(tet).first(3))) << "a hole";
  std::vector<Triangle> turned = tet;
  std::swap(turned[2][0], turned[2][1]);
  EXPECT_FALSE(is_closed(turned));
  std::vector<Triangle> twice = tet;
  twice.insert(twice.end(), tet.begin(), tet.end());
  EXPECT_FALSE(is_closed(twice));
  EXPECT_FALSE(is_closed(std::vector<Triangle>{{0, 0, 1}, {1, 0, 0}})) << "no triangles";
}

TEST(ClosedSurface, VolumeHasTheSignOfTheOrientationAndIsTheSameFarAway) {
  const std::vector<Triangle> outward{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::vector<Triangle> inward = outward;
  for (Triangle& triangle : inward) std::swap(triangle[0], triangle[1]);
  for (const double far : {0.0, 1e6}) {
    std::vector<Vec3> corners{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    for (Vec3& corner : corners) corner.array() += far;
    EXPECT_NEAR(enclosed_volume(corners, outward), 1.0 / 6.0, 1e-15);
    EXPECT_NEAR(enclosed_volume(corners, inward), -1.0 / 6.0, 1e-15);
  }
  EXPECT_EQ(enclosed_volume({}, {}), 0.0);
}

TEST(Surfaces, AreClosedManifoldsOfTheTopologyOfASphereHoweverCoarse) {
  std::vector<TetMesh> surfaces{make_box_surface({}), make_box_surface({{1e-3, 2.0, 1e3}})};
  for (const int n : {1, 2, 3, 7}) surfaces.push_back(make_sphere_surface({.subdivisions = n}));
  for (const int n : {3, 4, 5, 8, 9, 31}) {
    surfaces.push_back(make_capsule_surface({.segments = n}));
    surfaces.push_back(make_cylinder_surface({.segments = n}));
    surfaces.push_back(make_bowl({.segments = n}));
  }
  for (const TetMesh& surface : surfaces) {
    SCOPED_TRACE(std::to_string(surface.triangles.size()) + " triangles");
    test::expect_sound_surface(surface);
    EXPECT_EQ(test::euler_characteristic(surface.triangles), 2);
    EXPECT_GT(test::least_flatness(surface), 1e-7);
    EXPECT_TRUE(find_problems(surface, "surface").empty());
  }
}

TEST(Surfaces, InTheTableAreSoundAndFreeOfSlivers) {
  int count = 0;
  for (const GeneratorEntry& generator : generators()) {
    const TetMesh surface = generator.make(generator.default_values());
    if (!surface.tets.empty() || !surface.bars.empty()) continue;
    SCOPED_TRACE(generator.name);
    test::expect_sound_surface(surface);
    EXPECT_EQ(test::euler_characteristic(surface.triangles), 2);
    EXPECT_GT(test::least_flatness(surface), 0.02);
    ++count;
  }
  EXPECT_EQ(count, 5);
}

TEST(BoxSurface, IsCentredAndExact) {
  const TetMesh box = make_box_surface({{2.0, 0.5, 0.25}});
  EXPECT_EQ(box.num_vertices(), 8);
  EXPECT_EQ(box.triangles.size(), 12u);
  EXPECT_NEAR(volume_enclosed_by(box), 0.25, 1e-15);
  EXPECT_EQ(bounding_box(box).low, Vec3(-1.0, -0.25, -0.125));
  EXPECT_EQ(bounding_box(box).high, Vec3(1.0, 0.25, 0.125));
}

TEST(SphereSurface, HasItsVerticesOnTheSphere) {
  const TetMesh sphere = make_sphere_surface({.radius = 2.0, .subdivisions = 5});
  EXPECT_EQ(sphere.triangles.size(), 20u * 25);
  EXPECT_EQ(sphere.num_vertices(), 10 * 25 + 2);
  for (const Vec3& x : sphere.vertices) EXPECT_NEAR(x.norm(), 2.0, 1e-14);
  EXPECT_GT(test::least_flatness(sphere), 0.5) << "all triangles nearly regular";
}

TEST(CapsuleSurface, KeepsItsDistanceFromTheSegment) {
  const TetMesh capsule = make_capsule_surface({.radius = 0.3, .half_length = 0.5, .segments = 20});
  for (const Vec3& x : capsule.vertices)
    EXPECT_NEAR((x - std::clamp(x[2], -0.5, 0.5) * Vec3::UnitZ()).norm(), 0.3, 1e-15);
  EXPECT_NEAR(bounding_box(capsule).low[2], -0.8, 1e-15);
  EXPECT_NEAR(bounding_box(capsule).high[2], 0.8, 1e-15);
}

TEST(Bowl, IsOpenUpwardsAndHasTheThicknessOfItsWall) {
  const TetMesh bowl = make_bowl({.radius = 0.3, .depth = 0.3, .thickness = 0.1, .segments = 24});
  EXPECT_EQ(bounding_box(bowl).low[2], 0.0);
  EXPECT_NEAR(bounding_box(bowl).high[2], 0.4, 1e-15);
  const Vec3 middle(0.0, 0.0, 0.4);
  for (const Vec3& x : bowl.vertices) {
    const double distance = (x - middle).norm();
    EXPECT_LT(std::min(std::abs(distance - 0.3), std::abs(distance - 0.4)), 1e-14);
  }
  // the inside faces upwards and towards the axis, the outside away from it
  for (const auto& [a, b, c] : bowl.triangles) {
    const Vec3 centre = (bowl.vertices[a] + bowl.vertices[b] + bowl.vertices[c]) / 3.0;
    const Vec3 normal =
        (bowl.vertices[b] - bowl.vertices[a]).cross(bowl.vertices[c] - bowl.vertices[a]);
    if (centre[2] > 0.4 - 1e-12) {
      EXPECT_GT(normal[2], 0.0) << "the rim";
      continue;
    }
    const bool is_inside = (centre - middle).norm() < 0.35;
    EXPECT_EQ(normal.dot(middle - centre) > 0.0, is_inside);
  }
}

TEST(Surfaces, VolumesConvergeQuadraticallyToTheExactOnes) {
  struct Case {
    std::string name;
    std::function<TetMesh(int)> make;
    double exact_over_pi;
  };
  const std::vector<Case> cases{
      {"sphere", [](int n) { return make_sphere_surface({.radius = 0.3, .subdivisions = n}); },
       4.0 / 3.0 * 0.027},
      {"capsule",
       [](int n) {
         return make_capsule_surface({.radius = 0.3, .half_length = 0.5, .segments = 4 * n});
       },
       0.09 + 4.0 / 3.0 * 0.027},
      {"cylinder",
       [](int n) {
         return make_cylinder_surface({.radius = 0.3, .length = 2.0, .segments = 4 * n});
       },
       2.0 * 0.09},
      {"bowl",
       [](int n) {
         return make_bowl({.radius = 0.3, .depth = 0.2, .thickness = 0.1, .segments = 4 * n});
       },
       2.0 / 3.0 * (0.16 * 0.3 - 0.09 * 0.2)},
  };
  for (const Case& shape : cases) {
    SCOPED_TRACE(shape.name);
    std::vector<double> errors;
    for (const int n : {4, 8, 16})
      errors.push_back(1.0 - volume_enclosed_by(shape.make(n)) /
                                 (shape.exact_over_pi * std::numbers::pi));
    EXPECT_LT(std::abs(errors[2]), 0.01);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(errors[i] / errors[i + 1], 4.0, 0.3);
  }
}

TEST(Revolved, RingsAreTori) {
  std::vector<ProfilePoint> circle;
  for (int i = 0; i < 40; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 40;
    circle.push_back({0.3 + 0.1 * std::cos(angle), 0.1 * std::sin(angle)});
  }
  const TetMesh torus = make_revolved(circle, ProfileKind::ring, 60);
  test::expect_sound_surface(torus);
  EXPECT_EQ(test::euler_characteristic(torus.triangles), 0);
  EXPECT_NEAR(volume_enclosed_by(torus) / (2.0 * std::pow(std::numbers::pi, 2) * 0.3 * 0.01), 1.0,
              0.01);
}

TEST(Surfaces, RejectWhatMakesNoSense) {
  const double nan = std::nan("");
  const auto revolve = [](std::vector<ProfilePoint> profile, ProfileKind kind, int segments) {
    make_revolved(profile, kind, segments);
  };
  const auto axis = ProfileKind::from_axis_to_axis;
  const std::vector<ProfilePoint> cone{{0.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}};
  const std::vector<std::pair<std::string, std::function<void()>>> cases{
      {"/size/2",
       [=] {
         make_box_surface({{1.0, 1.0, nan}});
       }},
      {"/radius", [] { make_sphere_surface({.radius = 0.0}); }},
      {"/subdivisions", [] { make_sphere_surface({.subdivisions = 0}); }},
      {"/subdivisions", [] { make_sphere_surface({.subdivisions = 2147483647}); }},
      {"/half_length", [] { make_capsule_surface({.half_length = 0.0}); }},
      {"/segments", [] { make_capsule_surface({.segments = 2}); }},
      {"/segments", [] { make_capsule_surface({.segments = 2147483647}); }},
      {"/length", [] { make_cylinder_surface({.length = -1.0}); }},
      {"/segments", [] { make_cylinder_surface({.segments = -2147483647}); }},
      {"/radius", [] { make_bowl({.radius = INFINITY}); }},
      {"/depth", [] { make_bowl({.depth = 0.0}); }},
      {"/thickness", [] { make_bowl({.thickness = 0.0}); }},
      {"/segments", [] { make_bowl({.segments = 100000}); }},
      {"/segments", [=] { revolve(cone, axis, 2); }},
      {"/profile/0", [=] { revolve(cone, ProfileKind::ring, 8); }},
      {"/profile",
       [=] {
         revolve({{0.0, 0.0}, {0.0, 1.0}}, axis, 8);
       }},
      {"/profile/2",
       [=] {
         revolve({{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}}, axis, 8);
       }},
      {"/profile/1",
       [=] {
         revolve({{0.0, 0.0}, {-1.0, 0.0}, {0.0, 1.0}}, axis, 8);
       }},
      {"/profile/1",
       [=] {
         revolve({{0.0, 0.0}, {1.0, nan}, {0.0, 1.0}}, axis, 8);
       }},
  };
  for (const auto& [where, make] : cases) EXPECT_EQ(test::rejected_place(make), where);
}

}  // namespace
}  // namespace sinew::mesh
