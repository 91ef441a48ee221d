// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <random>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/geometry/blade.hpp>

namespace sinew::geometry {
namespace {

using Triangle = std::array<int, 3>;

/// A sphere of radius 1 made of a cube whose faces have n x n squares.
void make_sphere(int n, std::vector<Vec3>& vertices, std::vector<Triangle>& triangles) {
  std::map<std::array<long, 3>, int> known;
  const auto add = [&](const Vec3& x) {
    const std::array<long, 3> key{std::lround(1e6 * x[0]), std::lround(1e6 * x[1]),
                                  std::lround(1e6 * x[2])};
    const auto [found, is_new] = known.try_emplace(key, int(vertices.size()));
    if (is_new) vertices.push_back(x.normalized());
    return found->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0})
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const auto corner = [&](int a, int b) {
            Vec3 x;
            x[axis] = side;
            x[(axis + 1) % 3] = 2.0 * (i + a) / n - 1.0;
            x[(axis + 2) % 3] = 2.0 * (j + b) / n - 1.0;
            return add(x);
          };
          const int p = corner(0, 0), q = corner(1, 0), r = corner(1, 1), s = corner(0, 1);
          if (side > 0.0) {
            triangles.push_back({p, q, r});
            triangles.push_back({p, r, s});
          } else {
            triangles.push_back({p, r, q});
            triangles.push_back({p, s, r});
          }
        }
}

TEST(Blade, OfTrianglesKnowsInsideFromOutside) {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
  make_sphere(8, vertices, triangles);
  const auto blade = make_mesh_blade(vertices, triangles, Vec3::UnitX());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  for (int k = 0; k < 3000; ++k) {
    const Vec3 x(uniform(random), uniform(random), uniform(random));
    // the faces are up to 0.03 inside of the sphere
    EXPECT_NEAR(blade->side(x), x.norm() - 1.0, 0.035) << x.transpose();
    EXPECT_TRUE(blade->covers(x));
    // by looking at all triangles
    double least = 1e9;
    for (const Vec3& v : vertices) least = std::min(least, (x - v).norm());
    EXPECT_LE(std::abs(blade->side(x)), least + 1e-12);
  }
  EXPECT_EQ(blade->progress(Vec3(0.3, 0.7, 0.1)), 0.3);
}

TEST(Blade, OfTrianglesEndsAtItsRim) {
  const std::vector<Vec3> vertices{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {0, 2, 3}};
  const auto blade = make_mesh_blade(vertices, triangles, Vec3::UnitX());
  EXPECT_DOUBLE_EQ(blade->side({0.3, 0.4, 0.2}), 0.2);
  EXPECT_DOUBLE_EQ(blade->side({0.3, 0.4, -0.2}), -0.2);
  EXPECT_DOUBLE_EQ(blade->side({0.5, 0.5, -0.2}), -0.2);  // over the edge between them
  EXPECT_TRUE(blade->covers({0.3, 0.4, 0.0}));
  EXPECT_TRUE(blade->covers({0.5, 0.5, 0.0}));
  EXPECT_FALSE(blade->covers({1.3, 0.4, 0.0}));
  EXPECT_FALSE(blade->covers({-0.1, -0.1, 0.0}));
}

TEST(Blade, OfAPathGoesAroundItsCorners) {
  // an L in the plane z = 7, drawn along z
  const std::vector<Vec3> points{{0, 0, 7}, {2, 0, 7}, {2, 3, 7}};
  const auto blade = make_path_blade(points, Vec3(0, 0, 2));
  ASSERT_TRUE(blade->length());
  EXPECT_DOUBLE_EQ(*blade->length(), 5.0);
  for (const double z : {-3.0, 0.0, 20.0}) {
    EXPECT_NEAR(std::abs(blade->side({1, 0.5, z})), 0.5, 1e-14);
    EXPECT_NEAR(std::abs(blade->side({1, -0.5, z})), 0.5, 1e-14);
    EXPECT_LT(blade->side({1, 0.5, z}) * blade->side({1, -0.5, z}), 0.0);
    // outside of the corner is one side, inside the other
    EXPECT_NEAR(std::abs(blade->side({3, -1, z})), std::sqrt(2.0), 1e-14);
    EXPECT_GT(blade->side({3, -1, z}) * blade->side({1, -0.5, z}), 0.0);
    EXPECT_GT(blade->side({3, 2, z}) * blade->side({1, -0.5, z}), 0.0);
    EXPECT_GT(blade->side({1.5, 2, z}) * blade->side({1, 0.5, z}), 0.0);
    // before its beginning it goes on straight, without being part of the cut
    EXPECT_NEAR(std::abs(blade->side({-4, 0.5, z})), 0.5, 1e-14);
    EXPECT_FALSE(blade->covers({-4, 0, z}));
    EXPECT_TRUE(blade->covers({0.1, 0, z}));
    EXPECT_FALSE(blade->covers({2, 3.1, z}));
    EXPECT_NEAR(blade->progress({2.1, 1, z}), 3.0, 1e-14);
  }
}

}  // namespace
}  // namespace sinew::geometry
