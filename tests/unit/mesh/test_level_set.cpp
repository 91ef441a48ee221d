// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include <sinew/mesh/closed_surface.hpp>
#include <sinew/mesh/surfaces.hpp>

#include "rejected_place.hpp"
#include "surface_checks.hpp"

namespace sinew::mesh {
namespace {

using Phi = std::function<double(const Vec3&)>;

double ball_phi(const Vec3& x, const Vec3& centre, double radius) {
  return (x - centre).norm() - radius;
}

double torus_phi(const Vec3& x, double major, double minor) {
  return std::hypot(std::hypot(x[0], x[1]) - major, x[2]) - minor;
}

/// Outside of the box from -half to half in all directions.
double box_phi(const Vec3& x, double half) {
  return x.cwiseAbs().maxCoeff() - half;
}

TetMesh level_set(const Phi& phi, double half, int n) {
  return make_level_set(phi, Vec3::Constant(-half), Vec3::Constant(half), {n, n, n});
}

TEST(LevelSet, OfABallConvergesQuadratically) {
  const double exact = 4.0 / 3.0 * std::numbers::pi * 0.027;
  std::vector<double> volume_errors, distance_errors;
  for (const int n : {11, 22, 44, 88}) {
    const Vec3 centre(0.013, -0.007, 0.004);
    const TetMesh ball = level_set([&](const Vec3& x) { return ball_phi(x, centre, 0.3); }, 0.5, n);
    test::expect_sound_surface(ball);
    EXPECT_EQ(test::euler_characteristic(ball.triangles), 2);
    EXPECT_GT(test::least_flatness(ball), 0.05);
    volume_errors.push_back(1.0 - enclosed_volume(ball.vertices, ball.triangles) / exact);
    double worst = 0.0;
    for (const Vec3& x : ball.vertices) worst = std::max(worst, std::abs(ball_phi(x, centre, 0.3)));
    distance_errors.push_back(worst);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(volume_errors[i] / volume_errors[i + 1], 4.0, 0.6);
    EXPECT_NEAR(distance_errors[i] / distance_errors[i + 1], 4.0, 1.0);
  }
}

TEST(LevelSet, OfATorusHasAHole) {
  const TetMesh torus = level_set([](const Vec3& x) { return torus_phi(x, 0.3, 0.1); }, 0.5, 30);
  test::expect_sound_surface(torus);
  EXPECT_EQ(test::euler_characteristic(torus.triangles), 0);
  const double exact = 2.0 * std::numbers::pi * std::numbers::pi * 0.3 * 0.01;
  EXPECT_NEAR(enclosed_volume(torus.vertices, torus.triangles) / exact, 1.0, 0.05);
}

TEST(LevelSet, OfABoxWithSidesOnTheGridIsFlatAndFreeOfSlivers) {
  const TetMesh box = level_set([](const Vec3& x) { return box_phi(x, 0.25); }, 0.5, 40);
  test::expect_sound_surface(box);
  EXPECT_EQ(test::euler_characteristic(box.triangles), 2);
  EXPECT_NEAR(enclosed_volume(box.vertices, box.triangles), 0.125, 3e-3);
  EXPECT_GT(test::least_flatness(box), 0.1);
  for (const Vec3& x : box.vertices) EXPECT_NEAR(box_phi(x, 0.25), 0.0, 1.001e-3 * 0.025);
}

/// Unions, intersections and differences of balls, tori and half-spaces, and sums of balls.
Phi random_phi(std::mt19937& random) {
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto direction = [&] { return Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)); };
  Phi phi = [r = uniform(0.1, 0.4)](const Vec3& x) { return ball_phi(x, Vec3::Zero(), r); };
  for (int part = 0; part < 4; ++part) {
    const Vec3 centre = 0.3 * direction(), normal = direction().normalized();
    const double size = uniform(0.05, 0.25);
    const std::array<Phi, 3> shapes{
        [=](const Vec3& x) { return ball_phi(x, centre, size); },
        [=](const Vec3& x) { return torus_phi(x - centre, size, 0.4 * size); },
        [=](const Vec3& x) { return normal.dot(x) - size; }};
    const Phi shape = shapes[random() % 3];
    const Phi before = phi;
    switch (random() % 4) {
      case 0:
        phi = [=](const Vec3& x) { return std::min(before(x), shape(x)); };
        break;
      case 1:
        phi = [=](const Vec3& x) { return std::max(before(x), -shape(x)); };
        break;
      case 2:
        phi = [=](const Vec3& x) { return before(x) * shape(x); };
        break;
      default:
        phi = [=](const Vec3& x) { return before(x) + 0.5 * shape(x); };
    }
  }
  return [=](const Vec3& x) { return std::max(phi(x), box_phi(x, 0.45)); };
}

/// Whether any point of the grid is inside; level_set() refuses otherwise.
bool has_inside(const Phi& phi, double half, int n) {
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i)
        if (phi(Vec3::Constant(-half) + 2.0 * half / n * Vec3(i, j, k)) < 0.0) return true;
  return false;
}

TEST(LevelSet, OfWhateverShapeIsAClosedManifold) {
  int count = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Phi phi = random_phi(random);
    const int n = 5 + static_cast<int>(random() % 12);
    if (!has_inside(phi, 0.5, n)) continue;
    const TetMesh surface = level_set(phi, 0.5, n);
    test::expect_sound_surface(surface);
    EXPECT_GT(test::least_flatness(surface), 1e-7);
    ++count;
  }
  EXPECT_GT(count, 150);
}

TEST(LevelSet, OfNoiseWithZerosOnTheGridIsAClosedManifold) {
  const int n = 9;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    // values at the points of the grid, taken one by one in the order of evaluation
    const std::array<double, 7> values{0.0, 0.0, -0.0, 1e-300, -1e-300, -1.0, 1.0};
    const std::size_t kinds = 3 + seed % 5;
    const Phi phi = [&](const Vec3& x) {
      const double value = values[7 - kinds + random() % kinds];
      return x.cwiseAbs().maxCoeff() > 0.99 ? std::abs(value) : value;
    };
    const TetMesh surface = level_set(phi, 1.0, n);
    test::expect_sound_surface(surface);
    EXPECT_GT(test::least_flatness(surface), 1e-7);
  }
}

TEST(LevelSet, HasFewShortEdgesWhereTheSurfaceIsSmooth) {
  // planes that graze the points of the grid from both sides
  for (const double shift : {-1e-2, -1e-9, 0.0, 1e-9, 1e-2, 0.1}) {
    SCOPED_TRACE(shift);
    const int n = 20;
    const TetMesh surface = level_set(
        [&](const Vec3& x) { return ball_phi(x, Vec3::Zero(), 0.3 + shift / n); }, 0.5, n);
    test::expect_sound_surface(surface);
    EXPECT_GT(test::least_flatness(surface), 0.05);
    for (const auto& [a, b] : edges_of(surface))
      EXPECT_GT((surface.vertices[a] - surface.vertices[b]).norm(), 0.1 / n);
  }
}

TEST(LevelSet, MayHaveCellsThatAreNoCubes) {
  const TetMesh ball =
      make_level_set([](const Vec3& x) { return ball_phi(x, Vec3(1.0, 2.0, 3.0), 0.4); },
                     Vec3(0.5, 1.5, 2.0), Vec3(1.5, 2.5, 4.0), {20, 11, 17});
  test::expect_sound_surface(ball);
  EXPECT_NEAR(enclosed_volume(ball.vertices, ball.triangles), 4.0 / 3.0 * std::numbers::pi * 0.064,
              0.02);
}

TEST(LevelSet, IsRefusedIfItLeavesTheBoxOrIsEmpty) {
  const double nan = std::nan("");
  const auto shifted_ball = [](const Vec3& centre) {
    level_set([&](const Vec3& x) { return ball_phi(x, centre, 0.3); }, 0.5, 10);
  };
  const auto in_box = [](const Vec3& low, const Vec3& high, const std::array<int, 3>& cells) {
    make_level_set([](const Vec3& x) { return ball_phi(x, Vec3::Zero(), 0.3); }, low, high, cells);
  };
  const Vec3 one = Vec3::Ones();
  const std::vector<std::pair<std::string, std::function<void()>>> cases{
      {"/low/0", [=] { shifted_ball(Vec3(-0.3, 0.0, 0.0)); }},
      {"/high/2", [=] { shifted_ball(Vec3(0.0, 0.0, 0.3)); }},
      {"/phi", [=] { shifted_ball(Vec3(3.0, 0.0, 0.0)); }},
      {"/phi", [=] { level_set([=](const Vec3&) { return nan; }, 0.5, 10); }},
      {"/low/0", [=] { level_set([](const Vec3&) { return -1.0; }, 0.5, 10); }},
      {"/cells/1",
       [=] {
         in_box(-one, one, {5, 0, 5});
       }},
      {"/cells",
       [=] {
         in_box(-one, one, {2147483647, 2147483647, 2147483647});
       }},
      {"/high/1",
       [=] {
         in_box(-one, Vec3(1.0, -1.0, 1.0), {5, 5, 5});
       }},
      {"/high/0",
       [=] {
         in_box(-one, Vec3(nan, 1.0, 1.0), {5, 5, 5});
       }},
  };
  for (const auto& [where, make] : cases) EXPECT_EQ(test::rejected_place(make), where);
}

}  // namespace
}  // namespace sinew::mesh
