// SPDX-License-Identifier: Apache-2.0
// What the search finds, and what it remembers, against all pairs of all features.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <sinew/geometry/continuous_collision.hpp>
#include <sinew/physics/contact/contact_search.hpp>

namespace sinew::physics {
namespace {

constexpr int sheet_cells = 10;
constexpr double sheet_edge = 1.0 / sheet_cells;

struct Sheets {
  std::vector<Vec3> rest;
  std::vector<ContactPart> parts;
  std::vector<int> edges;

  /// A square of side 1, with sides of all triangles about as long.
  void add(double height, double radius) {
    ContactPart part{.name = "sheet", .radius = radius};
    const int first = static_cast<int>(rest.size());
    const auto vertex = [&](int i, int j) { return first + i * (sheet_cells + 1) + j; };
    for (int i = 0; i <= sheet_cells; ++i)
      for (int j = 0; j <= sheet_cells; ++j)
        rest.emplace_back(sheet_edge * i, sheet_edge * j, height);
    for (int i = 0; i < sheet_cells; ++i)
      for (int j = 0; j < sheet_cells; ++j) {
        part.triangles.push_back({vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)});
        part.triangles.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
      }
    for (const auto& [a, b, c] : part.triangles) edges.insert(edges.end(), {a, b, b, c, c, a});
    parts.push_back(std::move(part));
  }
};

/// All of them, one by one.
class AllPairs {
 public:
  AllPairs(const ContactSurface& surface, double reach) : surface_(surface), reach_(reach) {
    const ContactFeatures& of = surface.bodies();
    for (std::size_t i = 0; i < of.points.size(); ++i)
      for (std::size_t j = 0; j < of.triangles.size(); ++j)
        add(geometry::Feature::point_triangle, of.points, i, of.triangles, j);
    for (std::size_t i = 0; i < of.edges.size(); ++i)
      for (std::size_t j = i + 1; j < of.edges.size(); ++j)
        add(geometry::Feature::edge_edge, of.edges, i, of.edges, j);
    std::sort(pairs_.begin(), pairs_.end());
  }

  std::vector<ContactPair> contacts(const PaddedField& x) const {
    std::vector<ContactPair> found;
    for (const ContactPair& pair : pairs_)
      if (geometry::closest(pair.feature, corners_of(pair, x)).distance - pair.thickness <
          begin(pair))
        found.push_back(pair);
    return found;
  }
  /// Part of the way on which nothing touches, at least and at most.
  std::array<double, 2> free_part(const PaddedField& from, const PaddedField& to) const {
    std::array<double, 2> least{1.0, 1.0};
    for (const ContactPair& pair : pairs_) {
      if (!(begin(pair) > 0.0)) continue;
      for (std::size_t k = 0; k < 2; ++k)
        least[k] = std::min(least[k], geometry::free_part(pair.feature, corners_of(pair, from),
                                                          corners_of(pair, to), pair.thickness,
                                                          k == 0 ? 1e-3 : 1e-6));
    }
    return least;
  }

 private:
  template <std::size_t N, std::size_t M>
  void add(geometry::Feature feature, const ContactFeatures::Of<N>& a, std::size_t i,
           const ContactFeatures::Of<M>& b, std::size_t j) {
    if (share_vertex(a.vertices[i], b.vertices[j])) return;
    ContactPair pair{.feature = feature,
                     .parts = {a.parts[i], b.parts[j]},
                     .thickness = surface_.radius(a.parts[i]) + surface_.radius(b.parts[j])};
    std::copy(a.vertices[i].begin(), a.vertices[i].end(), pair.vertices.begin());
    std::copy(b.vertices[j].begin(), b.vertices[j].end(), pair.vertices.begin() + N);
    pairs_.push_back(pair);
  }
  double begin(const ContactPair& pair) const {
    if (pair.parts[0] != pair.parts[1]) return reach_;
    geometry::Corners rest;
    for (int k = 0; k < 4; ++k)
      rest.col(k) = surface_.numbering().rest(pair.vertices[static_cast<std::size_t>(k)]);
    return std::min(reach_,
                    0.5 * (geometry::closest(pair.feature, rest).distance - pair.thickness));
  }

  const ContactSurface& surface_;
  double reach_;
  std::vector<ContactPair> pairs_;
};

/// Sheets that are rolled up, wave and fly.
PaddedField rolled_up(const Numbering& numbering, double curvature, double wave, double turn,
                      const Vec3& shift, double noise, std::mt19937& random) {
  PaddedField x(numbering.num_vertices());
  std::normal_distribution<double> normal(0.0, noise);
  const Mat3 rotation = Eigen::AngleAxisd(turn, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (int v = 0; v < numbering.num_vertices(); ++v) {
    const Vec3& at = numbering.rest(v);
    // a spiral, so that turns do not go through each other
    const double k = curvature / (1.0 + 0.1 * at[0]);
    Vec3 to = at;
    if (k > 0.0) {
      const double radius = 1.0 / k - at[2];
      to = Vec3(radius * std::sin(k * at[0]), at[1], 1.0 / k - radius * std::cos(k * at[0]));
    }
    to[1] += wave * std::sin(9.0 * at[0]);
    x.vector(v) = rotation * to + shift + Vec3(normal(random), normal(random), normal(random));
  }
  return x;
}

class Search : public testing::TestWithParam<double> {};

TEST_P(Search, FindsWhatAllPairsHave) {
  const double radius = GetParam(), reach = 0.02;
  Sheets sheets;
  sheets.add(0.0, radius);
  sheets.add(0.1, radius);
  const Numbering numbering(sheets.rest, sheets.edges, {});
  const auto surface =
      std::make_shared<const ContactSurface>(sheets.parts, ContactRules{}, numbering);
  const ContactSearch search(surface, reach, Obstacles::by_features);
  const AllPairs all(*surface, reach);
  ContactSearch::Memory memory;
  std::mt19937 random(7);
  PaddedField last = rolled_up(numbering, 0.0, 0.0, 0.0, Vec3::Zero(), 0.0, random);
  EXPECT_TRUE(search.contacts(last, core::serial_executor(), memory).empty());
  std::size_t most = 0, none = 0, limited = 0;
  for (int step = 0; step < 24; ++step) {
    const double s = step / 23.0;
    const PaddedField next =
        rolled_up(numbering, 9.0 * s, 0.05 * s, 0.3 * step, Vec3(0.4 * step, 0, 0),
                  step % 3 == 2 ? 0.1 * sheet_edge * s : 1e-5, random);
    const double part = search.free_part(last, next, core::serial_executor(), memory);
    const auto [least, largest] = all.free_part(last, next);
    EXPECT_GE(part, least) << step;
    EXPECT_LE(part, largest) << step;
    limited += part < 1.0 ? 1 : 0;
    std::vector<ContactPair> found;
    for (const Contact& contact : search.contacts(next, core::serial_executor(), memory))
      found.push_back(contact.pair);
    const std::vector<ContactPair> expected = all.contacts(next);
    EXPECT_EQ(found, expected) << step << ": " << found.size() << " of " << expected.size();
    // what is remembered makes no difference
    ContactSearch::Memory fresh;
    EXPECT_EQ(part, search.free_part(last, next, core::serial_executor(), fresh)) << step;
    most = std::max(most, expected.size());
    none += expected.empty() ? 1 : 0;
    last = next;
  }
  // there was something to miss, and something to leave out
  EXPECT_GT(most, 100U);
  EXPECT_GT(none, 2U);
  EXPECT_GT(limited, 5U);
}

INSTANTIATE_TEST_SUITE_P(Thickness, Search, testing::Values(0.0, 0.005));

TEST(LocalShapes, SeesWhatIsOpen) {
  Sheets sheets;
  sheets.add(0.0, 0.0);
  const Numbering numbering(sheets.rest, sheets.edges, {});
  const ContactSurface surface(sheets.parts, ContactRules{}, numbering);
  const ClusteredPart clusters(surface, 0);
  const LocalShapes shapes(surface, 0, clusters);
  std::mt19937 random(3);
  std::vector<LocalShapes::Fit> from, to;
  const auto open = [&](double curvature, double wave, double turn) {
    const PaddedField flat = rolled_up(numbering, 0.0, 0.0, 0.0, Vec3::Zero(), 0.0, random),
                      rolled =
                          rolled_up(numbering, curvature, wave, turn, Vec3(5, 0, 0), 0.0, random);
    shapes.fit(clusters.of_part(flat), core::serial_executor(), from);
    shapes.fit(clusters.of_part(rolled), core::serial_executor(), to);
    int count = 0;
    for (int c = 0; c < clusters.num_clusters(); ++c)
      count += shapes.stays_open(c, from[std::size_t(c)], to[std::size_t(c)], 1e-3, 1e-3) ? 1 : 0;
    return count;
  };
  EXPECT_EQ(open(0.0, 0.0, 0.3), clusters.num_clusters());    // turns and flies
  EXPECT_EQ(open(0.3, 0.005, 0.0), clusters.num_clusters());  // bends
  EXPECT_EQ(open(30.0, 0.0, 0.0), 0);                         // rolled up tightly
}

}  // namespace
}  // namespace sinew::physics
