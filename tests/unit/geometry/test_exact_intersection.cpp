// SPDX-License-Identifier: Apache-2.0
// The judge of contact, on cases that a person can judge.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <sinew/geometry/closest.hpp>

#include "support/exact_intersection.hpp"

namespace sinew::test {
namespace {

const Triangle unit{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};

TEST(ExactIntersection, OfSegmentAndTriangle) {
  const auto meets = [](const Vec3& p, const Vec3& q) {
    return exactly_intersect(Segment{p, q}, unit);
  };
  const double tiny = 1e-300;
  EXPECT_TRUE(meets({0.2, 0.2, -1}, {0.2, 0.2, 1}));
  EXPECT_TRUE(meets({0.2, 0.2, 0}, {0.2, 0.2, 1})) << "ends on it";
  EXPECT_FALSE(meets({0.2, 0.2, tiny}, {0.2, 0.2, 1}));
  EXPECT_TRUE(meets({0.5, 0.5, -1}, {0.5, 0.5, 1})) << "through a side";
  EXPECT_FALSE(meets({0.5, std::nextafter(0.5, 1.0), -1}, {0.5, std::nextafter(0.5, 1.0), 1}));
  EXPECT_TRUE(meets({0, 0, -1}, {0, 0, 1})) << "through a corner";
  EXPECT_TRUE(meets({-1, 0.5, 0}, {1, 0.5, 0})) << "in its plane";
  EXPECT_TRUE(meets({0.1, 0.1, 0}, {0.2, 0.2, 0})) << "within it";
  EXPECT_FALSE(meets({-1, -tiny, 0}, {1, -tiny, 0}));
  EXPECT_TRUE(meets({-1, 0, 0}, {2, 0, 0})) << "along a side";
  EXPECT_FALSE(meets({1.5, 0, 0}, {2, 0, 0})) << "on the line of a side";
  EXPECT_TRUE(meets({0.3, 0.3, 0}, {0.3, 0.3, 0})) << "a point";
  EXPECT_FALSE(meets({0.6, 0.6, 0}, {0.6, 0.6, 0}));
}

TEST(ExactIntersection, OfWhatHasNoArea) {
  const Triangle line{Vec3(0, 0, 0), Vec3(3, 3, 3), Vec3(1, 1, 1)};
  const Triangle point{Vec3(2, 2, 2), Vec3(2, 2, 2), Vec3(2, 2, 2)};
  EXPECT_TRUE(exactly_intersect(Segment{Vec3(2, 2, 0), Vec3(2, 2, 4)}, line));
  EXPECT_FALSE(exactly_intersect(Segment{Vec3(2, 2, 2.1), Vec3(2, 2, 4)}, line));
  EXPECT_FALSE(exactly_intersect(Segment{Vec3(4, 4, 0), Vec3(4, 4, 8)}, line));
  EXPECT_TRUE(exactly_intersect(line, point));
  EXPECT_TRUE(exactly_intersect(Triangle{Vec3(2, 0, 2), Vec3(2, 4, 2), Vec3(5, 5, 5)}, point));
  EXPECT_FALSE(exactly_intersect(unit, point));
}

TEST(ExactIntersection, OfTriangles) {
  const auto shifted = [](const Vec3& by) {
    return Triangle{unit[0] + by, unit[1] + by, unit[2] + by};
  };
  EXPECT_TRUE(exactly_intersect(unit, unit));
  EXPECT_TRUE(exactly_intersect(unit, shifted({0.25, 0.25, 0})));
  EXPECT_FALSE(exactly_intersect(unit, shifted({0, 0, 1e-300})));
  EXPECT_TRUE(exactly_intersect(unit, shifted({1, 0, 0}))) << "corner on corner";
  EXPECT_FALSE(exactly_intersect(unit, shifted({std::nextafter(1.0, 2.0), 0, 0})));
  const Triangle inner{Vec3(0.1, 0.1, 0), Vec3(0.2, 0.1, 0), Vec3(0.1, 0.2, 0)};
  EXPECT_TRUE(exactly_intersect(unit, inner)) << "one within the other";
  EXPECT_TRUE(exactly_intersect(inner, unit));
}

TEST(ExactIntersection, AgreesWithDistancesWhereTheseAreClear) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int apart = 0, together = 0;
  for (int k = 0; k < 5000; ++k) {
    Triangle t;
    for (Vec3& x : t) x = {uniform(random), uniform(random), uniform(random)};
    const Vec3 p(uniform(random), uniform(random), uniform(random)), q = -p + 0.3 * t[0];
    // distances along the segment are convex: the least by golden section
    const auto distance = [&](double s) {
      geometry::Corners x;
      x << p + s * (q - p), t[0], t[1], t[2];
      return geometry::point_triangle(x).distance;
    };
    double low = 0.0, high = 1.0;
    for (int step = 0; step < 80; ++step) {
      const double a = low + 0.382 * (high - low), b = high - 0.382 * (high - low);
      if (distance(a) < distance(b))
        high = b;
      else
        low = a;
    }
    const bool meets = exactly_intersect(Segment{p, q}, t);
    const double least = distance(0.5 * (low + high));
    if (least > 1e-6) {
      EXPECT_FALSE(meets);
      ++apart;
    } else if (least < 1e-12) {
      EXPECT_TRUE(meets);
      ++together;
    }
  }
  EXPECT_GT(apart, 1000);
  EXPECT_GT(together, 500);
}

TEST(ExactIntersection, FindsPairsOfAMesh) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::uniform_int_distribution<int> vertex(0, 149);
  std::vector<Vec3> vertices;
  for (int i = 0; i < 150; ++i) vertices.emplace_back(uniform(random), uniform(random), 0.2 * i);
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> edges;
  for (int k = 0; k < 150; ++k) {
    const int i = k % 140;
    triangles.push_back({i, i + 1 + k % 5, i + 7});
    edges.push_back({vertex(random), vertex(random)});
  }
  const Intersections found = find_intersections(vertices, triangles, edges);

  Intersections expected;
  const auto at = [&](int i) { return vertices[i]; };
  const auto share = [](const auto& a, const auto& b) {
    return std::any_of(a.begin(), a.end(),
                       [&](int i) { return std::find(b.begin(), b.end(), i) != b.end(); });
  };
  for (int j = 0; j < 150; ++j) {
    const auto& t = triangles[j];
    const Triangle b{at(t[0]), at(t[1]), at(t[2])};
    for (int i = 0; i < 150; ++i) {
      const auto& s = triangles[i];
      if (i < j && !share(s, t) && exactly_intersect(Triangle{at(s[0]), at(s[1]), at(s[2])}, b))
        expected.triangles.push_back({i, j});
      const auto& e = edges[i];
      if (!share(e, t) && exactly_intersect(Segment{at(e[0]), at(e[1])}, b))
        expected.edges.push_back({i, j});
    }
  }
  std::sort(expected.triangles.begin(), expected.triangles.end());
  std::sort(expected.edges.begin(), expected.edges.end());
  EXPECT_EQ(found.triangles, expected.triangles);
  EXPECT_EQ(found.edges, expected.edges);
  EXPECT_GT(found.triangles.size(), 20u);
  EXPECT_GT(found.edges.size(), 20u);
  EXPECT_FALSE(found.empty());
  EXPECT_TRUE(find_intersections({}, {}, {}).empty());
}

}  // namespace
}  // namespace sinew::test
