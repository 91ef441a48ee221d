// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include <sinew/mesh/closed_surface.hpp>
#include <sinew/mesh/quality.hpp>
#include <sinew/mesh/stuffing.hpp>
#include <sinew/mesh/stuffing/stencils.hpp>
#include <sinew/mesh/stuffing/surface_solid.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/mesh/surfaces.hpp>
#include <sinew/mesh/validate.hpp>

#include "rejected_place.hpp"
#include "surface_checks.hpp"

namespace sinew::mesh::stuffing_tests {
namespace {

Solid unit_ball() {
  return {[](const Vec3& x) { return x.norm() - 1.0; },
          {Vec3::Constant(-1.0), Vec3::Constant(1.0)},
          1.0};
}

/// Its boundary alone, with its vertices numbered anew.
TetMesh skin_of(const TetMesh& mesh) {
  TetMesh skin;
  std::map<int, int> numbers;
  for (const Triangle& triangle : extract_surface(mesh).triangles) {
    Triangle renamed;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [entry, is_new] = numbers.try_emplace(triangle[k], skin.num_vertices());
      if (is_new) skin.vertices.push_back(mesh.vertices[triangle[k]]);
      renamed[k] = entry->second;
    }
    skin.triangles.push_back(renamed);
  }
  return skin;
}

/// Valid, with a boundary that is a manifold and no angle beyond the bounds.
QualityReport expect_well_stuffed(const TetMesh& mesh) {
  for (const Problem& problem : find_problems(mesh, "stuffed"))
    ADD_FAILURE() << problem.to_string();
  test::expect_sound_surface(skin_of(mesh));
  const QualityReport quality = assess_quality(mesh);
  EXPECT_GE(quality.min_dihedral, least_stuffing_angle);
  EXPECT_LE(quality.max_dihedral, largest_stuffing_angle);
  return quality;
}

/// Balls at random, some of them cut out of the others.
Solid random_solid(std::mt19937& random) {
  struct Ball {
    Vec3 centre;
    double radius;
  };
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<Ball> balls;
  for (int k = 0; k < 7; ++k)
    balls.push_back({Vec3(unit(random), unit(random), unit(random)), 0.1 + 0.2 * unit(random)});
  return {[balls](const Vec3& x) {
            double value = INFINITY;
            for (std::size_t k = 0; k < balls.size(); ++k) {
              const double d = (x - balls[k].centre).norm() - balls[k].radius;
              value = k < 5 ? std::min(value, d) : std::max(value, -d);
            }
            return value;
          },
          {Vec3::Constant(-0.3), Vec3::Constant(1.3)},
          1.0};
}

/// Waves whose lengths are about that of the cells: thin walls, holes and pinches everywhere.
Solid noise(double phase, double length) {
  return {
      [phase, length](const Vec3& x) {
        double sum = 0.5;
        int k = 0;
        for (const Vec3& wave : {Vec3(13, 7, 3), Vec3(-5, 11, 9), Vec3(4, -8, 14), Vec3(9, 9, -10)})
          sum += std::sin(wave.dot(x) / length + phase * ++k);
        return std::max(x.norm() - 1.0, sum);
      },
      {Vec3::Constant(-1.0), Vec3::Constant(1.0)}};
}

TEST(Stuffing, FillsRandomShapesWithinTheBounds) {
  std::mt19937 random(1);
  for (int k = 0; k < 12; ++k) {
    SCOPED_TRACE(k);
    const Solid solid = random_solid(random);
    expect_well_stuffed(stuff(solid, {.size = 0.05 + 0.004 * k, .coarsening = k % 3}));
  }
}

TEST(Stuffing, BearsSurfacesThatTheCellsDoNotResolve) {
  for (int k = 0; k < 6; ++k) {
    SCOPED_TRACE(k);
    expect_well_stuffed(stuff(noise(k, 1.0 + 0.5 * k), {.size = 0.08, .coarsening = k % 2}));
  }
}

/// The error of the volume falls with the square of the size.
TEST(Stuffing, ConvergesToTheVolumeOfABall) {
  double last = 0.0;
  for (const double size : {0.3, 0.15, 0.075}) {
    const double error =
        4.0 / 3.0 * std::numbers::pi - expect_well_stuffed(stuff(unit_ball(), {size})).volume;
    EXPECT_GT(error, 0.0);  // corners lie on the ball, and tets inside of it
    if (last > 0.0) {
      EXPECT_NEAR(last / error, 4.0, 0.6);
    }
    last = error;
  }
}

/// Large cells inside change neither the surface nor the volume, and save vertices.
TEST(Stuffing, GradedMeshesHaveTheSameSurface) {
  const TetMesh uniform = stuff(unit_ball(), {.size = 0.08});
  const TetMesh graded = stuff(unit_ball(), {.size = 0.08, .coarsening = 3});
  EXPECT_LT(graded.num_vertices(), 0.9 * uniform.num_vertices());
  const QualityReport before = assess_quality(uniform), after = expect_well_stuffed(graded);
  EXPECT_EQ(before.num_surface_triangles, after.num_surface_triangles);
  EXPECT_NEAR(before.volume, after.volume, 1e-10);
  EXPECT_GT(after.edge_length.max, 1.9 * before.edge_length.max);
  // twice as coarse again where there is room for it
  EXPECT_LT(stuff(unit_ball(), {.size = 0.04, .coarsening = 2}).num_vertices(),
            stuff(unit_ball(), {.size = 0.04, .coarsening = 1}).num_vertices());
}

TEST(Stuffing, PassesOverBlocksWithoutChangingTheMesh) {
  int calls = 0;
  Solid ball = unit_ball();
  ball.phi = [&](const Vec3& x) {
    ++calls;
    return x.norm() - 1.0;
  };
  const TetMesh fast = stuff(ball, {.size = 0.05});
  const int few = std::exchange(calls, 0);
  ball.slope = INFINITY;
  const TetMesh slow = stuff(ball, {.size = 0.05});
  EXPECT_EQ(slow.tets, fast.tets);
  EXPECT_TRUE(slow.vertices == fast.vertices);
  EXPECT_LT(few, 0.7 * calls);
}

/// Two balls that touch in a point, and a wall with a rim that is thinner than the cells.
TEST(Stuffing, LeavesAManifoldWhereBodiesTouch) {
  for (const double gap : {-0.02, -0.01, 0.0, 0.01, 0.02}) {
    SCOPED_TRACE(gap);
    const Solid touching{[gap](const Vec3& x) {
                           const Vec3 shift(0.5 + gap, 0.013, 0.007);
                           return std::min((x - shift).norm(), (x + shift).norm()) - 0.5;
                         },
                         {Vec3(-1.1, -0.6, -0.6), Vec3(1.1, 0.6, 0.6)},
                         1.0};
    expect_well_stuffed(stuff(touching, {.size = 0.07}));
  }
  const Solid lens{[](const Vec3& x) {
                     const Vec3 shift(0, 0, 0.9);
                     return std::max((x - shift).norm(), (x + shift).norm()) - 1.0;
                   },
                   {Vec3::Constant(-0.6), Vec3::Constant(0.6)},
                   1.0};
  EXPECT_EQ(expect_well_stuffed(stuff(lens, {.size = 0.05})).num_components, 1);
}

/// Every configuration of sides, cuts and moved points, at random and at their extremes.
TEST(Stuffing, NoStencilExceedsTheBounds) {
  constexpr double long_share = 0.24999, short_share = 0.41189;
  std::mt19937 random(5);
  const auto unit = [&] { return random() / 4294967295.0; };
  const auto place = [](const LatticePoint& p) { return Vec3(p[0], p[1], p[2]); };
  double least = 180.0, largest = 0.0;
  for (int k = 0; k < 300'000; ++k) {
    const int shift = 2 * static_cast<int>(random() % 2);
    const LatticeTet tet{
        {{1 + shift, 1, 1}, {3 + shift, 1, 1}, {2 + shift, 0, 2}, {2 + shift, 2, 2}}};
    std::array<Side, 4> sides;
    std::array<Vec3, 4> places;
    std::array<int, 4> steps{-1, -1, -1, -1};
    for (std::size_t i = 0; i < 4; ++i) {
      sides[i] = static_cast<Side>(static_cast<int>(random() % 3) - 1);
      places[i] = place(tet[i]);
      if (sides[i] != Side::on_surface) continue;
      steps[i] = static_cast<int>(random() % num_lattice_steps);
      const double share = steps[i] < num_long_steps ? long_share : short_share;
      places[i] += (random() % 2 ? share : share * unit()) * place(lattice_steps[steps[i]]);
    }
    // an edge has one cut: its two ends cannot both have moved there
    bool is_possible = true;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        if (steps[i] >= 0 && steps[j] >= 0)
          is_possible = is_possible && (tet[i] + lattice_steps[steps[i]] != tet[j] ||
                                        tet[j] + lattice_steps[steps[j]] != tet[i]);
    if (!is_possible) continue;
    std::map<std::array<LatticePoint, 2>, double> parts;
    const auto part_of = [&](const CutCorner& cut) {
      const auto [entry, is_new] = parts.try_emplace({cut.point, cut.outside});
      const double share = (cut.point[0] ^ cut.outside[0]) & 1 ? short_share : long_share;
      const auto kind = random() % 3;
      if (is_new)
        entry->second = kind == 0   ? share
                        : kind == 1 ? 1.0 - share
                                    : share + (1.0 - 2.0 * share) * unit();
      return entry->second;
    };
    cut_lattice_tet(tet, sides, [&](const std::array<CutCorner, 4>& cut) {
      std::array<Vec3, 4> x;
      for (std::size_t i = 0; i < 4; ++i) {
        const auto at = std::find(tet.begin(), tet.end(), cut[i].point) - tet.begin();
        x[i] = places[static_cast<std::size_t>(at)];
        if (cut[i].is_cut()) x[i] += part_of(cut[i]) * (place(cut[i].outside) - x[i]);
      }
      if (signed_volume(x) < 0.0) std::swap(x[2], x[3]);
      for (const double angle : dihedral_angles(x)) {
        least = std::min(least, angle);
        largest = std::max(largest, angle);
      }
    });
  }
  EXPECT_GE(least, least_stuffing_angle);
  EXPECT_LT(least, least_stuffing_angle + 0.5);  // the worst cases were among them
  EXPECT_LE(largest, largest_stuffing_angle);
  EXPECT_GT(largest, largest_stuffing_angle - 2.0);
}

TetMesh fill(const TetMesh& surface, double size) {
  return stuff(solid_inside(surface.vertices, surface.triangles), {.size = size});
}

/// Of a sphere and a box: 1 inside, 0 outside, the sum where both are; by the tree as by the sum
/// over all triangles.
TEST(Winding, CountsHowOftenASurfaceGoesAround) {
  TetMesh both = make_sphere_surface({.radius = 0.5, .subdivisions = 10});
  const TetMesh box = make_box_surface({});
  const int first = both.num_vertices();
  both.vertices.insert(both.vertices.end(), box.vertices.begin(), box.vertices.end());
  for (Triangle triangle : box.triangles) {
    for (int& corner : triangle) corner += first;
    both.triangles.push_back(triangle);
  }
  for (int v = first; v < both.num_vertices(); ++v) both.vertices[v][0] += 0.5;
  const Solid solid = solid_inside(both.vertices, both.triangles);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> along(-1.2, 1.2);
  int num_inside = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vec3 x(along(random), along(random), along(random));
    const bool in_box = std::abs(x[0] - 0.5) < 0.5 && std::abs(x[1]) < 0.5 && std::abs(x[2]) < 0.5;
    if (std::abs(x.norm() - 0.495) < 0.01) continue;  // between the sphere and its triangles
    const double expected = (in_box ? 1.0 : 0.0) + (x.norm() < 0.49 ? 1.0 : 0.0);
    EXPECT_NEAR(winding_number(both.vertices, both.triangles, x), expected, 1e-9);
    EXPECT_EQ(solid.phi(x) < 0.0, expected > 0.5);
    num_inside += expected > 0.5;
  }
  EXPECT_GT(num_inside, 100);
}

TEST(SurfaceSolid, IsFilledWhicheverWayItFaces) {
  TetMesh sphere = make_sphere_surface({.radius = 1.0, .subdivisions = 16});
  const double inside = enclosed_volume(sphere.vertices, sphere.triangles);
  const TetMesh filled = fill(sphere, 0.1);
  EXPECT_NEAR(expect_well_stuffed(filled).volume, inside, 0.004 * inside);
  for (Triangle& triangle : sphere.triangles) std::swap(triangle[1], triangle[2]);
  EXPECT_EQ(fill(sphere, 0.1).tets, filled.tets);
}

/// A ball with a hole, and with every third triangle missing, is a ball up to the size of the
/// holes.
TEST(SurfaceSolid, IsFilledInSpiteOfHoles) {
  const TetMesh sphere = make_sphere_surface({.radius = 1.0, .subdivisions = 16});
  const double inside = enclosed_volume(sphere.vertices, sphere.triangles);
  TetMesh capless = sphere, sieve = sphere;
  std::erase_if(capless.triangles,
                [&](const Triangle& t) { return sphere.vertices[t[0]][2] > 0.97; });
  sieve.triangles.clear();
  for (std::size_t t = 0; t < sphere.triangles.size(); ++t)
    if (t % 4 != 0) sieve.triangles.push_back(sphere.triangles[t]);
  for (const TetMesh& broken : {capless, sieve}) {
    ASSERT_LT(broken.triangles.size(), sphere.triangles.size());
    const QualityReport quality = expect_well_stuffed(fill(broken, 0.1));
    EXPECT_EQ(quality.num_components, 1);
    EXPECT_NEAR(quality.volume, inside, 0.05 * inside);
  }
}

/// A box has edges that are cut off: an error of the first order in their cross-section.
TEST(SurfaceSolid, OfABoxConverges) {
  const TetMesh box = make_box_surface({.size = {1.0, 0.7, 0.4}});
  double last = 1.0;
  for (const double size : {0.093, 0.0471, 0.0233}) {
    const double error = std::abs(0.28 - expect_well_stuffed(fill(box, size)).volume);
    EXPECT_LT(error, 0.5 * last);
    last = error;
  }
  EXPECT_LT(last, 1e-3);
}

TEST(Stuffing, RefusesWhatItCannotFill) {
  EXPECT_EQ(test::rejected_place([] { stuff(unit_ball(), {.size = 0.0}); }), "/size");
  EXPECT_EQ(test::rejected_place([] { stuff(unit_ball(), {.size = 1e-4}); }), "/size");
  Solid nothing = unit_ball();
  nothing.phi = [](const Vec3& x) { return x.norm() + 1.0; };
  EXPECT_EQ(test::rejected_place([&] { stuff(nothing, {.size = 0.2}); }), "/size");
  Solid broken = unit_ball();
  broken.phi = [](const Vec3& x) { return x[0] > 0.3 ? NAN : x.norm() - 1.0; };
  EXPECT_EQ(test::rejected_place([&] { stuff(broken, {.size = 0.2}); }), "/phi");
}

}  // namespace
}  // namespace sinew::mesh::stuffing_tests
