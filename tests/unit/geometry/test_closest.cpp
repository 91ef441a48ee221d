// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <sinew/geometry/closest.hpp>
#include <sinew/geometry/cross.hpp>

#include "support/exact_distance.hpp"

namespace sinew::geometry {
namespace {

constexpr std::array<Feature, 5> all_kinds{Feature::point_point, Feature::point_edge,
                                           Feature::point_triangle, Feature::edge_edge,
                                           Feature::point_plane};

/// How many corners are of the first feature, and of both.
int num_first(Feature kind) {
  return kind == Feature::edge_edge ? 2 : 1;
}
int num_corners(Feature kind) {
  return kind == Feature::point_point ? 2 : kind == Feature::point_edge ? 3 : 4;
}

double size_of(Feature kind, const Corners& x) {
  double size = 0.0;
  for (int i = 1; i < num_corners(kind); ++i) size = std::max(size, (x.col(i) - x.col(0)).norm());
  return size;
}

class Samples {
 public:
  explicit Samples(unsigned seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3 vector() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
  Corners corners() {
    return Corners::NullaryExpr([&](Index, Index) { return uniform(-1, 1); });
  }
  /// 1 to 10^-most.
  double small(double most) { return std::pow(10.0, -uniform(0, most)); }

  /// Edges that are nearly or quite parallel, or triangles that are nearly or quite thin; the first
  /// feature near the second or not.
  Corners thin(Feature kind) {
    const Vec3 along = vector();
    const double width = uniform(0, 1) < 0.2 ? 0.0 : small(16);
    Corners x;
    const int a = num_first(kind);
    for (int i = 0; i < 4; ++i) x.col(i) = uniform(-1, 1) * along + width * vector();
    if (kind == Feature::edge_edge) x.col(1) = x.col(0) + along + width * vector();
    const Vec3 apart = (uniform(0, 1) < 0.3 ? 1.0 : small(12)) * vector();
    for (int i = 0; i < a; ++i) x.col(i) += apart;
    return x;
  }

  /// Some corners in one place.
  Corners collapsed(Feature) {
    Corners x = corners();
    for (int i = 1; i < 4; ++i)
      if (uniform(0, 1) < 0.4) x.col(i) = x.col(i - 1);
    return x;
  }

 private:
  std::mt19937 random_;
};

/// The distance is that of the places which the weights say, on both features, and no other places
/// are nearer. `tolerance` in units of the size of the features.
void expect_closest(Feature kind, const Corners& x, double tolerance) {
  const Closest c = closest(kind, x);
  const double size = size_of(kind, x), exact = test::exact_distance(kind, x);
  SCOPED_TRACE(testing::Message() << "kind " << int(kind) << " corners\n" << x);
  ASSERT_NEAR(std::abs(c.distance), exact, tolerance * size);
  EXPECT_EQ(std::abs(c.distance), c.way.norm());
  Vec3 way = Vec3::Zero();
  for (int i = 0; i < num_corners(kind); ++i) way += c.weights[i] * (x.col(i) - x.col(0));
  EXPECT_LE((c.way - way).norm(), tolerance * size * (1.0 + c.weights.cwiseAbs().maxCoeff()));
  double first = 0.0, second = 0.0;
  for (int i = 0; i < 4; ++i) (i < num_first(kind) ? first : second) += c.weights[i];
  EXPECT_NEAR(first, 1.0, 1e-15);
  EXPECT_NEAR(second, -1.0, 1e-14 * (1.0 + c.weights.cwiseAbs().maxCoeff()));
  if (kind == Feature::point_plane) return;
  EXPECT_GE(c.weights.head(num_first(kind)).minCoeff(), 0.0);
  EXPECT_LE(c.weights.tail(4 - num_first(kind)).maxCoeff(), 0.0);
}

TEST(Closest, IsTheExactDistanceOfRandomFeatures) {
  Samples samples(1);
  for (const Feature kind : all_kinds)
    for (int k = 0; k < 2000; ++k) {
      const Corners x = samples.corners();
      // planes have no end: the way to them is as uncertain as they are
      const double sine = cross(x.col(2) - x.col(1), x.col(3) - x.col(1)).norm();
      expect_closest(kind, x, kind == Feature::point_plane ? 1e-14 / sine : 1e-14);
    }
}

TEST(Closest, IsTheExactDistanceOfThinTrianglesAndParallelEdges) {
  Samples samples(2);
  for (const Feature kind : {Feature::point_edge, Feature::point_triangle, Feature::edge_edge})
    for (int k = 0; k < 20000; ++k)
      // less than half the width of a triangle that counts as none
      expect_closest(kind, samples.thin(kind), 1e-10);
}

TEST(Closest, IsTheExactDistanceOfTrianglesThatCountAsSuch) {
  Samples samples(3);
  int seen = 0;
  for (const Feature kind : {Feature::point_triangle, Feature::edge_edge})
    for (int k = 0; k < 20000; ++k) {
      const Corners x = samples.thin(kind);
      if (closest(kind, x).num_free < 2) continue;
      ++seen;
      expect_closest(kind, x, 1e-14);
    }
  EXPECT_GT(seen, 1000);
}

TEST(Closest, IsTheExactDistanceOfFeaturesWithoutExtent) {
  Samples samples(4);
  for (const Feature kind :
       {Feature::point_point, Feature::point_edge, Feature::point_triangle, Feature::edge_edge})
    for (int k = 0; k < 2000; ++k) expect_closest(kind, samples.collapsed(kind), 1e-14);
}

TEST(Closest, KnowsNoWayToAPlaneThatIsNone) {
  Corners x = Corners::Zero();
  x.col(0) << 1, 2, 3;
  x.col(2) << 1, 0, 0;
  x.col(3) << 2, 0, 0;
  const Closest c = point_plane(x);
  EXPECT_EQ(c.distance, 0.0);
  EXPECT_EQ(c.weights.norm(), 0.0);
}

TEST(Closest, WeightsAndNormalAreTheGradient) {
  Samples samples(5);
  const double h = 1e-5;
  for (const Feature kind : all_kinds) {
    int seen = 0;
    for (int k = 0; k < 500; ++k) {
      Corners x = samples.corners();
      const Closest c = closest(kind, x);
      // the second derivative is about 1 / distance, and not known where the kind of way changes
      if (std::abs(c.distance) < 0.1 || c.weights.cwiseAbs().maxCoeff() > 10.0) continue;
      ++seen;
      for (int i = 0; i < num_corners(kind); ++i)
        for (int axis = 0; axis < 3; ++axis) {
          const double place = x(axis, i);
          x(axis, i) = place + h;
          const double above = closest(kind, x).distance;
          x(axis, i) = place - h;
          const double below = closest(kind, x).distance;
          x(axis, i) = place;
          // to first order also at kinks: the distance has continuous derivatives but for touching
          EXPECT_NEAR((above - below) / (2 * h), c.weights[i] * c.normal[axis], 1e-3);
        }
    }
    EXPECT_GT(seen, 100) << int(kind);
  }
}

TEST(Closest, DirectionsAreTheChangeOfTheWay) {
  Samples samples(6);
  for (const Feature kind : all_kinds)
    for (int k = 0; k < 200; ++k) {
      const Corners x = samples.corners();
      const Closest c = closest(kind, x);
      for (int free = 0; free < c.num_free; ++free) {
        EXPECT_LE((x * c.slopes[free] - c.directions[free]).norm(), 1e-14);
        // at the shortest way no place wants to move
        EXPECT_NEAR(c.directions[free].dot(c.way), 0.0, 1e-13);
      }
    }
}

}  // namespace
}  // namespace sinew::geometry
