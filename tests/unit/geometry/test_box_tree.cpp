// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include <sinew/geometry/box_tree.hpp>

namespace sinew::geometry {
namespace {

struct BoxSet {
  const char* name;
  std::vector<Box> boxes;
};

class BoxSamples {
 public:
  explicit BoxSamples(unsigned seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3 vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Box box(const Vec3& near, double size) {
    Box box;
    for (int k = 0; k < 2; ++k) box.extend(Vec3(near + vector(size)));
    return box;
  }

  std::vector<Box> scattered(int count) {
    std::vector<Box> boxes;
    for (int i = 0; i < count; ++i) boxes.push_back(box(vector(1.0), 0.1));
    return boxes;
  }

  std::vector<Box> clustered(int count) {
    std::vector<Box> boxes;
    for (int i = 0; i < count; ++i) {
      const double scale = std::pow(10.0, -(i % 7));
      boxes.push_back(box(Vec3(i % 3, 0, 0) + vector(scale), scale));
    }
    return boxes;
  }

  /// On whole numbers, so that many only touch; of no extent in some or all directions.
  std::vector<Box> flat(int count) {
    std::vector<Box> boxes;
    for (int i = 0; i < count; ++i) {
      Vec3 low = vector(4.0);
      for (double& x : low) x = std::round(x);
      Vec3 high = low;
      high[i % 3] += i % 2;
      boxes.push_back({low, high});
    }
    return boxes;
  }

  /// Some empty, endless, or no numbers.
  std::vector<Box> broken(int count) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<Box> boxes = scattered(count);
    for (int i = 0; i < count; i += 5) boxes[i] = Box{};
    for (int i = 1; i < count; i += 7) boxes[i].low[i % 3] = nan;
    for (int i = 2; i < count; i += 50)
      boxes[i] = {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
    return boxes;
  }

  std::vector<BoxSet> all() {
    return {{"none", {}},
            {"one", scattered(1)},
            {"two", scattered(2)},
            {"five", scattered(5)},
            {"scattered", scattered(700)},
            {"clustered", clustered(600)},
            {"identical", std::vector<Box>(50, box(vector(1.0), 1.0))},
            {"empty", std::vector<Box>(40)},
            {"flat", flat(500)},
            {"broken", broken(500)}};
  }

 private:
  std::mt19937 random_;
};

std::vector<IndexPair> pairs_by_force(const std::vector<Box>& a, const std::vector<Box>& b) {
  std::vector<IndexPair> pairs;
  for (int i = 0; i < std::ssize(a); ++i)
    for (int j = 0; j < std::ssize(b); ++j)
      if (a[i].overlaps(b[j])) pairs.push_back({i, j});
  return pairs;
}

std::vector<IndexPair> pairs_by_force(const std::vector<Box>& boxes) {
  std::vector<IndexPair> pairs = pairs_by_force(boxes, boxes);
  std::erase_if(pairs, [](const IndexPair& p) { return p[0] >= p[1]; });
  return pairs;
}

std::vector<int> found_by(const BoxTree& tree, const Box& box) {
  std::vector<int> found;
  tree.query(box, [&](int primitive) { found.push_back(primitive); });
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Box, OverlapsWhatItTouches) {
  const Box a{Vec3(0, 0, 0), Vec3(1, 1, 1)}, b{Vec3(1, 1, 1), Vec3(2, 2, 2)};
  const Box c{Vec3(1.5, 0, 0), Vec3(2, 1, 1)};
  EXPECT_TRUE(a.overlaps(b));
  EXPECT_FALSE(a.overlaps(c));
  EXPECT_TRUE(a.grown(0.5).overlaps(c));
  EXPECT_FALSE(Box{}.overlaps(a));
  EXPECT_FALSE(Box{}.overlaps(Box{}));
  EXPECT_EQ(a.area(), 6.0);
  EXPECT_EQ(Box{}.area(), 0.0);
  EXPECT_EQ(c.squared_distance(Vec3(0, 2, 0.5)), 1.5 * 1.5 + 1.0);
  EXPECT_EQ(a.squared_distance(Vec3(0.5, 0.5, 0.5)), 0.0);
}

TEST(BoxTree, FindsAllPairsWithinOne) {
  BoxSamples samples(1);
  for (const auto& [name, boxes] : samples.all())
    EXPECT_EQ(overlapping_pairs(BoxTree(boxes)), pairs_by_force(boxes)) << name;
}

TEST(BoxTree, FindsAllPairsOfTwo) {
  BoxSamples samples(2);
  const std::vector<BoxSet> sets = samples.all();
  long found = 0;
  for (const auto& [name, a] : sets)
    for (const auto& [other, b] : sets) {
      const std::vector<IndexPair> pairs = overlapping_pairs(BoxTree(a), BoxTree(b));
      EXPECT_EQ(pairs, pairs_by_force(a, b)) << name << " and " << other;
      found += std::ssize(pairs);
    }
  EXPECT_GT(found, 100000);
}

TEST(BoxTree, OfOneTreeTwiceAreAllPairsOfPlaces) {
  BoxSamples samples(3);
  const std::vector<Box> boxes = samples.scattered(100);
  const BoxTree tree(boxes);
  EXPECT_EQ(overlapping_pairs(tree, tree), pairs_by_force(boxes, boxes));
}

TEST(BoxTree, AsksAboutEveryPairOnce) {
  BoxSamples samples(4);
  const std::vector<Box> boxes = samples.scattered(500);
  std::vector<IndexPair> asked;
  const auto odd = [](int i, int j) { return (i + j) % 2 == 1; };
  const std::vector<IndexPair> pairs =
      overlapping_pairs(BoxTree(boxes), core::serial_executor(), [&](int i, int j) {
        asked.push_back({i, j});
        return odd(i, j);
      });
  std::vector<IndexPair> expected = pairs_by_force(boxes);
  std::sort(asked.begin(), asked.end());
  EXPECT_EQ(asked, expected);
  std::erase_if(expected, [&](const IndexPair& p) { return !odd(p[0], p[1]); });
  EXPECT_EQ(pairs, expected);
}

TEST(BoxTree, FindsWhatABoxOverlaps) {
  BoxSamples samples(5);
  for (const auto& [name, boxes] : samples.all()) {
    const BoxTree tree(boxes);
    for (int k = 0; k < 50; ++k) {
      const Box box = samples.box(samples.vector(1.0), k % 2 == 0 ? 0.3 : 0.0);
      std::vector<int> expected;
      for (int i = 0; i < std::ssize(boxes); ++i)
        if (box.overlaps(boxes[i])) expected.push_back(i);
      EXPECT_EQ(found_by(tree, box), expected) << name;
    }
  }
}

TEST(BoxTree, FindsTheNearest) {
  BoxSamples samples(6);
  int found = 0;
  for (const auto& [name, boxes] : samples.all()) {
    const BoxTree tree(boxes);
    for (int k = 0; k < 100; ++k) {
      const Vec3 point = samples.vector(1.5);
      const double bound = k % 2 == 0 ? 0.2 : std::numeric_limits<double>::infinity();
      const auto distance = [&](int i) { return std::sqrt(boxes[i].squared_distance(point)); };
      BoxTree::Nearest expected{-1, bound};
      for (int i = 0; i < std::ssize(boxes); ++i)
        if (distance(i) < expected.distance) expected = {i, distance(i)};
      const BoxTree::Nearest nearest = tree.nearest(point, bound, distance);
      // no number and no end are not far from anything or far from all: any answer will do
      if (std::string(name) == "broken" || std::string(name) == "empty") continue;
      ASSERT_EQ(nearest.primitive, expected.primitive) << name;
      ASSERT_EQ(nearest.distance, expected.distance) << name;
      if (nearest.primitive >= 0) ++found;
    }
  }
  EXPECT_GT(found, 300);
}

TEST(BoxTree, NearestIncludesTheBound) {
  const std::vector<Box> boxes{{Vec3(1, 0, 0), Vec3(1, 0, 0)}};
  const BoxTree tree(boxes);
  const auto distance = [](int) { return 1.0; };
  EXPECT_EQ(tree.nearest(Vec3::Zero(), 1.0, distance).primitive, 0);
  EXPECT_EQ(tree.nearest(Vec3::Zero(), 0.999, distance).primitive, -1);
  EXPECT_EQ(tree.nearest(Vec3::Zero(), 0.999, distance).distance, 0.999);
  EXPECT_EQ(BoxTree().nearest(Vec3::Zero(), 1.0, distance).primitive, -1);
}

TEST(BoxTree, KnowsNewPlacesOfTheSamePrimitives) {
  BoxSamples samples(7);
  for (const auto& [name, boxes] : samples.all()) {
    BoxTree tree(boxes);
    std::vector<Box> moved = boxes;
    for (Box& box : moved) {
      const Vec3 way = samples.vector(1.0);
      box = {box.low + way, box.high + way};
    }
    tree.refit(moved);
    EXPECT_EQ(overlapping_pairs(tree), pairs_by_force(moved)) << name;
  }
  BoxTree tree(samples.scattered(3));
  EXPECT_THROW(tree.refit(samples.scattered(4)), std::invalid_argument);
}

TEST(BoxTree, CostShowsThatTheOrderIsLost) {
  BoxSamples samples(8);
  std::vector<Box> boxes = samples.scattered(2000);
  BoxTree tree(boxes);
  const double built = tree.cost();
  std::vector<Box> turned = boxes;  // another order in space is no loss if neighbours stay so
  for (Box& box : turned)
    box = {Vec3(-box.high[1], box.low[0], box.low[2]), Vec3(-box.low[1], box.high[0], box.high[2])};
  tree.refit(turned);
  EXPECT_NEAR(tree.cost(), built, 1e-9 * built);
  std::shuffle(boxes.begin(), boxes.end(), std::mt19937(1));
  tree.refit(boxes);
  EXPECT_GT(tree.cost(), 10.0 * built);
  EXPECT_LT(BoxTree(boxes).cost(), 1.1 * built);
  EXPECT_EQ(BoxTree().cost(), 0.0);
}

TEST(BoxTree, DoesNotDependOnTheNumberOfThreads) {
  BoxSamples samples(9);
  std::vector<Box> boxes = samples.clustered(5000);
  const std::vector<Box> moved = samples.scattered(5000);
  const auto wanted = [](int i, int j) { return (i * 7 + j) % 3 != 0; };
  const BoxTree other(samples.scattered(800));
  BoxTree serial(boxes);
  const std::vector<IndexPair> before = overlapping_pairs(serial);
  serial.refit(moved);
  for (const int threads : {2, 3, 8}) {
    const core::Executor executor(threads);
    BoxTree tree(boxes, executor);
    EXPECT_EQ(overlapping_pairs(tree, executor), before);
    tree.refit(moved, executor);
    EXPECT_EQ(tree.cost(), serial.cost());
    EXPECT_EQ(overlapping_pairs(tree, executor, wanted),
              overlapping_pairs(serial, core::serial_executor(), wanted));
    EXPECT_EQ(overlapping_pairs(other, tree, executor), overlapping_pairs(other, serial));
    // the order too in which a query comes to its primitives
    std::vector<int> a, b;
    tree.query(tree.bounds(), [&](int i) { a.push_back(i); });
    serial.query(serial.bounds(), [&](int i) { b.push_back(i); });
    EXPECT_EQ(a, b);
  }
}

}  // namespace
}  // namespace sinew::geometry
