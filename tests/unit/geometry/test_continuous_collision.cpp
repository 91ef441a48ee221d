// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <sinew/geometry/continuous_collision.hpp>

#include "support/collision_cases.hpp"
#include "support/exact_collision.hpp"
#include "support/exact_distance.hpp"

namespace sinew::geometry {
namespace {

constexpr std::array<Feature, 5> every_kind{Feature::point_point, Feature::point_edge,
                                            Feature::point_triangle, Feature::edge_edge,
                                            Feature::point_plane};

class WaySamples {
 public:
  explicit WaySamples(unsigned seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Corners corners(double size) {
    return Corners::NullaryExpr([&](Index, Index) { return uniform(-size, size); });
  }

 private:
  std::mt19937 random_;
};

/// A point above the middle of a triangle, or an edge across another, at this height.
Corners above(Feature kind, double height) {
  Corners x;
  if (kind == Feature::edge_edge)
    x << -1, 1, 0, 0, 0, 0, -1, 1, height, height, 0, 0;
  else if (kind == Feature::point_edge)
    x << 0, -1, 1, 0, 0, 0, 0, 0, height, 0, 0, 0;
  else if (kind == Feature::point_point)
    x << 0, 0, 0, 0, 0, 0, 0, 0, height, 0, 0, 0;
  else
    x << 0, -1, 1, 0, 0, -1, -1, 2, height, 0, 0, 0;
  return x;
}

TEST(ExactCollision, KnowsContactsOfAllSorts) {
  const double next = std::nextafter(0.5, 1.0), last = std::nextafter(0.5, 0.0);
  for (const Feature kind :
       {Feature::point_point, Feature::point_edge, Feature::point_triangle, Feature::edge_edge}) {
    const Corners from = above(kind, 1.0), to = above(kind, -1.0);
    EXPECT_TRUE(test::exactly_touch(kind, from, to, 1.0));
    EXPECT_TRUE(test::exactly_touch(kind, from, to, next));
    EXPECT_TRUE(test::exactly_touch(kind, from, to, 0.5)) << "at the very end";
    EXPECT_FALSE(test::exactly_touch(kind, from, to, last));
    EXPECT_FALSE(test::exactly_touch(kind, from, to, 0.0));
    EXPECT_TRUE(test::exactly_touch(kind, above(kind, 0.0), to, 0.0)) << "at the start";
    // just past it
    Corners aside_from = from, aside_to = to;
    const double past = kind == Feature::point_triangle ? std::nextafter(1.0, 2.0) : 1e-300;
    for (Corners* x : {&aside_from, &aside_to}) {
      if (kind == Feature::edge_edge)
        x->row(1).head(2).array() += std::nextafter(1.0, 2.0);
      else
        x->row(1)[0] -= past;
    }
    EXPECT_FALSE(test::exactly_touch(kind, aside_from, aside_to, 1.0));
  }
}

TEST(ExactCollision, KnowsMotionWithinAPlane) {
  Corners from = above(Feature::point_triangle, 0.0), to = from;
  from.col(0) << -5, 0, 0;
  to.col(0) << 5, 0, 0;
  EXPECT_TRUE(test::exactly_touch(Feature::point_triangle, from, to, 1.0));
  EXPECT_FALSE(test::exactly_touch(Feature::point_triangle, from, to, 0.4));
  to.col(0) << -5, 5, 0;
  EXPECT_FALSE(test::exactly_touch(Feature::point_triangle, from, to, 1.0));
  // edges on one line that approach end to end
  from << 0, 1, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0;
  to << 0, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0;
  EXPECT_TRUE(test::exactly_touch(Feature::edge_edge, from, to, 1.0));
  EXPECT_FALSE(test::exactly_touch(Feature::edge_edge, from, to, std::nextafter(1.0, 0.0)));
}

TEST(FreePart, KeepsAShareOfTheGap) {
  for (const Feature kind : every_kind) {
    EXPECT_NEAR(free_part(kind, above(kind, 1.0), above(kind, -1.0)), 0.45, 0.01);
    EXPECT_NEAR(free_part(kind, above(kind, 1.0), above(kind, 0.0), 0.5), 0.45, 0.01);
    EXPECT_NEAR(free_part(kind, above(kind, 1.0), above(kind, -1.0), 0.0, 0.5), 0.25, 0.01);
    EXPECT_EQ(free_part(kind, above(kind, 1.0), above(kind, 0.11)), 1.0);
    EXPECT_LT(free_part(kind, above(kind, 1.0), above(kind, 0.09)), 1.0);
  }
}

TEST(FreePart, IsNothingFromAContact) {
  for (const Feature kind : every_kind) {
    EXPECT_EQ(free_part(kind, above(kind, 0.0), above(kind, 1.0)), 0.0);
    EXPECT_EQ(free_part(kind, above(kind, 1.0), above(kind, 2.0), 1.0), 0.0);
    EXPECT_EQ(free_part(kind, above(kind, 1.0), above(kind, 2.0), 0.99), 1.0);
  }
}

TEST(FreePart, IsAllWhereNothingMoves) {
  for (const Feature kind : every_kind)
    for (const double height : {1.0, 1e-10, 1e-14, 1e-100, 1e-170})
      EXPECT_EQ(free_part(kind, above(kind, height), above(kind, height)), 1.0);
}

TEST(FreePart, LetsFeaturesPartThatAreHardlyApart) {
  for (const Feature kind : every_kind) {
    Corners from = above(kind, 1e-15), to = above(kind, 1.0);
    EXPECT_EQ(free_part(kind, from, to), 1.0);
    for (Corners* x : {&from, &to}) x->row(2).array() += 1.0;
    EXPECT_GT(from(2, 0), from(2, 3));
    EXPECT_EQ(free_part(kind, from, to), 1.0) << "by an ulp or so";
    EXPECT_LT(free_part(kind, from, Corners(2.0 * from - to)), 1e-14) << "but not approach";
  }
}

TEST(FreePart, IsNothingForWhatIsNotFinite) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e308})
    for (const Feature kind : every_kind)
      for (int corner = 0; corner < 2; ++corner) {
        Corners from = above(kind, 1.0), to = above(kind, -1.0);
        to(2, corner) = -value;
        EXPECT_LT(free_part(kind, from, to), 0.5) << value;
        from(1, corner) = value;
        EXPECT_LT(free_part(kind, from, to), 0.5) << value;
      }
  EXPECT_EQ(free_part(Feature::point_point, above(Feature::point_point, 1.0),
                      above(Feature::point_point, -1.0), std::nan("")),
            0.0);
}

TEST(FreePart, HoldsForEverySortOfCase) {
  test::CollisionCases cases(20240611);
  test::CollisionTally tally;
  for (int k = 0; k < 24000; ++k) {
    const test::CollisionCase c = cases.next();
    ASSERT_EQ(test::fault_of(c, tally), "") << test::description(c);
  }
  EXPECT_GT(tally.touch_at_start, 200);
  EXPECT_GT(tally.known_contacts, 2000);
  EXPECT_GT(tally.rounded, 20000);
  EXPECT_GT(tally.whole_way, 10000);
  // hardly more than those that touch or nearly do
  EXPECT_LT(tally.none_of_it, tally.touch_at_start + 240);
  EXPECT_GT(tally.generic_hits, 30);
  EXPECT_LE(tally.generic_short, 1);
  long far_short = 0;
  for (const auto& [family, count] : tally.far_short) far_short += count;
  EXPECT_LT(far_short, 24);
}

TEST(FreePart, SeesAContactThatIsLostInADifference) {
  // found by torture_collision: the volume of the corners ends at 1e-300, after 1e-270
  Corners from, to;
  from.col(0) << 0x1.d8feee07ddap-297, 0x1.cf2250e03c408p-295, 0;
  from.col(1) << -0x1.a31f6eaa8fadp-297, -0x1.dfaa65f2441fep-294, 0;
  from.col(2) << -0x1.e2328a45dea52p-294, 0x1.ba6579c226ce6p-294, 0x1p-301;
  from.col(3) << 0x1.ee21c826c4fcp-298, -0x1.d58f39b4b98cdp-294, 0x1p-307;
  to.col(0) << 0x1.89fba4dddebd4p-294, 0x1.5b43a90a431ap-297, 0;
  to.col(1) << -0x1.63316efe092cdp-294, 0x1.6f4bb98347bbp-297, 0;
  to.col(2) << 0x1.60dd84e5b2f18p-296, 0x1.f369cbcedd78p-297, 0;
  to.col(3) << -0x1.8b9b4e828211p-298, -0x1.9bf52958a465ep-295, 0;
  EXPECT_TRUE(test::exactly_touch(Feature::edge_edge, from, to, 1.0));
  EXPECT_NEAR(free_part(Feature::edge_edge, from, to), 0.985, 0.001);
}

/// The least distance on [0, part], among many times.
double least_distance(Feature kind, const Corners& from, const Corners& to, double part) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= 100; ++k)
    least = std::min(least, std::abs(closest(kind, from + 0.01 * k * part * (to - from)).distance));
  return least;
}

TEST(FreePart, IsNeitherTooLongNorTooShort) {
  WaySamples samples(1);
  int whole = 0, partial = 0;
  for (const Feature kind : every_kind)
    for (int k = 0; k < 2000; ++k) {
      const Corners from = samples.corners(1.0);
      const Corners to = from + samples.corners(samples.uniform(0, 2));
      const double gap = std::abs(closest(kind, from).distance), thickness = 0.5 * (k % 3) * gap;
      const double part = free_part(kind, from, to, thickness);
      if (gap <= 1.0001 * thickness) {
        EXPECT_EQ(part, 0.0);
        continue;
      }
      const double kept = thickness + 0.1 * (gap - thickness);
      EXPECT_GE(least_distance(kind, from, to, part), kept * (1.0 - 1e-9));
      if (part == 1.0) {
        ++whole;
        continue;
      }
      ++partial;
      // at the end of a shorter part the gap is the one to be kept, with some percent to spare
      const double end = std::abs(closest(kind, from + part * (to - from)).distance);
      EXPECT_LE(end, kept + 0.04 * (gap - thickness)) << int(kind) << " " << k;
    }
  EXPECT_GT(whole, 2000);
  EXPECT_GT(partial, 1000);
}

TEST(FreePart, IsAllWhereFeaturesAreClearlyApart) {
  WaySamples samples(2);
  for (const Feature kind : every_kind)
    for (int k = 0; k < 2000; ++k) {
      Corners from = samples.corners(1.0), to = samples.corners(1.0);
      if (kind == Feature::point_plane) to.rightCols(3) = from.rightCols(3);
      // apart by at least one, and the gap at the start is below ten
      const int count = kind == Feature::edge_edge ? 2 : 1;
      const double apart = kind == Feature::point_plane ? 0.0 : 3.0;
      from.row(0).head(count).array() += apart;
      to.row(0).head(count).array() += apart;
      if (kind == Feature::point_plane) to.col(0) = from.col(0);
      EXPECT_EQ(free_part(kind, from, to), 1.0);
    }
}

TEST(FreePart, DoesNotDependOnThePlaceInSpace) {
  WaySamples samples(3);
  for (const Feature kind : every_kind)
    for (int k = 0; k < 500; ++k) {
      // on a lattice that both places share, so that the features are the same
      Corners from = (samples.corners(1.0) * 1024.0).array().round() / 1024.0;
      Corners to = (samples.corners(1.0) * 1024.0).array().round() / 1024.0;
      const double here = free_part(kind, from, to);
      for (Corners* x : {&from, &to}) x->array() += 1e9;
      EXPECT_NEAR(free_part(kind, from, to), here, 1e-3);
    }
}

}  // namespace
}  // namespace sinew::geometry
