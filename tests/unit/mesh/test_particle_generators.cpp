// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <gtest/gtest.h>

#include <sinew/mesh/closed_surface.hpp>
#include <sinew/mesh/generators.hpp>

#include "rejected_place.hpp"

namespace sinew::mesh {
namespace {

using test::rejected_place;

int num_pieces(const TetMesh& mesh) {
  std::vector<int> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int vertex) {
    while (parent[vertex] != vertex) vertex = parent[vertex] = parent[parent[vertex]];
    return vertex;
  };
  int pieces = mesh.num_vertices();
  for (const auto& [a, b] : mesh.bars) {
    const int first = root(a), second = root(b);
    if (first == second) continue;
    parent[first] = second;
    --pieces;
  }
  return pieces;
}

bool has_coincident_vertices(const TetMesh& mesh) {
  const double unit = 1e-7 * bounding_diagonal(mesh);
  std::vector<std::array<long, 3>> places;
  for (const Vec3& x : mesh.vertices)
    places.push_back(
        {std::lround(x[0] / unit), std::lround(x[1] / unit), std::lround(x[2] / unit)});
  std::sort(places.begin(), places.end());
  return std::adjacent_find(places.begin(), places.end()) != places.end();
}

/// Directed edges of all triangles, sorted.
std::vector<Edge> directed_edges(const TetMesh& mesh) {
  std::vector<Edge> edges;
  for (const Triangle& triangle : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) edges.push_back({triangle[i], triangle[(i + 1) % 3]});
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// Positive if the triangles of a closed surface point outward.
double volume_within(const TetMesh& mesh) {
  return enclosed_volume(mesh.vertices, mesh.triangles);
}

std::map<std::string, int> bars_by_region(const TetMesh& mesh) {
  std::map<std::string, int> counts;
  for (const int region : mesh.bar_regions) ++counts[mesh.region_names.at(region)];
  return counts;
}

/// In how many ways the particles that are not held can begin to move without changing the length
/// of a bar: by how much the columns of the rigidity matrix R, one row per bar, exceed its rank,
/// which is that of the smaller R^T R.
template <class Held>
int num_motions(const TetMesh& mesh, const Held& is_held) {
  std::vector<int> columns;
  int count = 0;
  for (const Vec3& x : mesh.vertices) {
    columns.push_back(is_held(x) ? -1 : count);
    if (!is_held(x)) count += 3;
  }
  Mat gram = Mat::Zero(count, count);
  for (const auto& [a, b] : mesh.bars) {
    const Vec3 direction = (mesh.vertices[b] - mesh.vertices[a]).normalized();
    const Mat3 block = direction * direction.transpose();
    const std::array<int, 2> ends{columns[a], columns[b]};
    for (const int row : ends)
      for (const int col : ends)
        if (row >= 0 && col >= 0) gram.block<3, 3>(row, col) += (row == col ? 1.0 : -1.0) * block;
  }
  Eigen::ColPivHouseholderQR<Mat> qr(gram);
  qr.setThreshold(1e-9);
  return count - static_cast<int>(qr.rank());
}

int num_motions(const TetMesh& mesh) {
  return num_motions(mesh, [](const Vec3&) { return false; });
}

bool on_the_ground(const Vec3& x) {
  return x[2] == 0.0;
}

/// What holds of every network, however small.
void expect_sound(const TetMesh& mesh, int pieces = 1) {
  EXPECT_TRUE(mesh.tets.empty());
  ASSERT_FALSE(mesh.bars.empty());
  EXPECT_FALSE(has_coincident_vertices(mesh));
  EXPECT_EQ(num_pieces(mesh), pieces);
  for (const auto& [a, b] : mesh.bars) ASSERT_NE(a, b);
  EXPECT_EQ(edges_of(mesh).size(), mesh.bars.size()) << "a bar twice, or a triangle without bars";
  ASSERT_EQ(mesh.bar_regions.size(), mesh.bars.size());
  const std::set<int> used(mesh.bar_regions.begin(), mesh.bar_regions.end());
  if (mesh.region_names.empty()) {
    EXPECT_EQ(used, std::set<int>{0});
  } else {
    std::set<int> named;
    for (const auto& [number, name] : mesh.region_names) named.insert(number);
    EXPECT_EQ(used, named);
  }
  const std::vector<Edge> edges = directed_edges(mesh);
  EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end())
      << "triangles of different orientation";
}

TEST(ParticleGenerators, InTheTableMakeSoundNetworksByDefault) {
  int count = 0;
  for (const GeneratorEntry& generator : generators()) {
    const TetMesh mesh = generator.make(generator.default_values());
    if (mesh.bars.empty() || generator.name == "truss") continue;
    SCOPED_TRACE(generator.name);
    const bool is_bundle = generator.name == "polymer";
    expect_sound(mesh, generator.name == "brush" ? 1500 : is_bundle ? 36 : 1);
    ++count;
  }
  EXPECT_EQ(count, 11);
}

TEST(Rope, IsAChainAlongX) {
  const TetMesh rope = make_rope({.length = 2.0, .particles = 5});
  expect_sound(rope);
  EXPECT_EQ(rope.bars, (std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  EXPECT_EQ(rope.vertices[1], Vec3(0.5, 0.0, 0.0));
  EXPECT_EQ(bounding_box(rope).high, Vec3(2.0, 0.0, 0.0));
  EXPECT_EQ(make_rope({}).num_vertices(), 80);
}

TEST(Cloth, HasBarsAlongLinesAndBothDiagonals) {
  const TetMesh cloth = make_cloth({});
  EXPECT_EQ(cloth.num_vertices(), 21 * 21);
  EXPECT_EQ(cloth.triangles.size(), 800u);
  EXPECT_EQ(bars_by_region(cloth),
            (std::map<std::string, int>{{"structural", 2 * 20 * 21}, {"shear", 2 * 20 * 20}}));
  const TetMesh strip = make_cloth({.size = {0.5, 2.0}, .cells = {1, 3}});
  expect_sound(strip);
  EXPECT_EQ(bounding_box(strip).high, Vec3(0.5, 2.0, 0.0));
  for (const auto& [a, b, c] : strip.triangles)
    EXPECT_GT(
        (strip.vertices[b] - strip.vertices[a]).cross(strip.vertices[c] - strip.vertices[a])[2],
        0.0);
}

TEST(Cloth, HasDiagonalsThatAlternate) {
  const TetMesh cloth = make_cloth({.size = {2.0, 2.0}, .cells = {2, 2}});
  std::vector<int> triangles_around(9, 0);
  for (const Triangle& triangle : cloth.triangles)
    for (const int vertex : triangle) ++triangles_around[vertex];
  EXPECT_EQ(triangles_around, (std::vector<int>{2, 2, 2, 2, 8, 2, 2, 2, 2}));
}

TEST(Foil, Has502Bars) {
  const TetMesh foil = make_foil({});
  EXPECT_EQ(foil.num_vertices(), 100);
  EXPECT_EQ(foil.bars.size(), 502u);
  EXPECT_EQ(foil.triangles.size(), 162u);
  EXPECT_EQ(bars_by_region(foil),
            (std::map<std::string, int>{{"structural", 180}, {"shear", 162}, {"bending", 160}}));
  expect_sound(make_foil({.particles = {3, 2}}));
}

TEST(TrussTower, StandsOnFourLegsThatMerge) {
  const TetMesh tower = make_truss_tower({});
  EXPECT_EQ(tower.num_vertices(), 5004);
  EXPECT_EQ(tower.bars.size(), 34520u);
  const BoundingBox box = bounding_box(tower);
  EXPECT_TRUE(box.low.isApprox(Vec3(-62.5, -62.5, 0.0)));
  EXPECT_TRUE(box.high.isApprox(Vec3(62.5, 62.5, 300.0)));
  for (std::size_t i = 0; i < tower.bars.size(); ++i) {
    const Vec3& a = tower.vertices[tower.bars[i][0]];
    const Vec3& b = tower.vertices[tower.bars[i][1]];
    EXPECT_EQ(tower.bar_regions[i], 0.5 * (a[2] + b[2]) < 120.0 ? 0 : 1);
    if (std::max(a[2], b[2]) < 50.0) {  // below the first platform
      EXPECT_GT(a[0] * b[0], 0.0);
      EXPECT_GT(a[1] * b[1], 0.0);
    }
  }
}

TEST(TrussTower, CannotMoveWhenItsFeetAreHeld) {
  for (const int cells : {1, 2})
    for (const int levels : {2, 4}) {
      const TetMesh tower = make_truss_tower({.leg_cells = cells, .levels = levels});
      expect_sound(tower);
      EXPECT_EQ(num_motions(tower, on_the_ground), 0) << cells << ' ' << levels;
    }
}

TEST(Dome, HasTheSizesThatAreDocumentedAndStandsOnItsRim) {
  const DomeSettings settings;
  const TetMesh dome = make_dome(settings);
  EXPECT_EQ(dome.num_vertices(), 930);
  EXPECT_EQ(dome.bars.size(), 4495u);
  // of the rim: two rings, bars between them, and two diagonals each
  EXPECT_EQ(bars_by_region(dome), (std::map<std::string, int>{{"rim", 5 * 31}, {"shell", 4340}}));
  EXPECT_EQ(std::count_if(dome.vertices.begin(), dome.vertices.end(), on_the_ground), 2 * 31);
  double narrowest = 1.0, highest = 0.0;
  for (const Vec3& x : dome.vertices) {
    EXPECT_GE(x[2], 0.0);
    narrowest = std::min(narrowest, x.head<2>().norm());
    highest = std::max(highest, x[2]);
  }
  EXPECT_NEAR(bounding_box(dome).high[0], settings.base_radius, 1e-12);
  EXPECT_LT(highest, settings.rise);
  EXPECT_GT(highest, 0.9 * settings.rise);
  EXPECT_LT(narrowest, settings.hole_radius);
}

TEST(Dome, IsRigid) {
  for (const int around : {3, 6, 7}) {
    const TetMesh dome = make_dome({.around = around, .rings = 4, .rim_rings = 2});
    expect_sound(dome);
    EXPECT_EQ(num_motions(dome), 6);
    EXPECT_EQ(num_motions(dome, on_the_ground), 0);
  }
  EXPECT_EQ(num_motions(make_dome({.rise = 0.1, .around = 8, .rings = 2})), 6) << "half a ball";
  EXPECT_EQ(num_motions(make_dome({.rise = 0.15, .around = 5, .rings = 5})), 6) << "more than half";
}

TEST(TorusLattice, HasTheSizesThatAreDocumentedAndIsRigid) {
  const TetMesh torus = make_torus_lattice({});
  EXPECT_EQ(torus.num_vertices(), 684);
  EXPECT_EQ(torus.bars.size(), 2508u);
  EXPECT_TRUE(bounding_box(torus).high.isApprox(Vec3(0.4, 0.4, 0.1)));
  for (const auto& [cells, ring_cells] :
       {std::array{2, 3}, std::array{2, 8}, std::array{2, 13}, std::array{4, 4}}) {
    const TetMesh small = make_torus_lattice({.cells = cells, .ring_cells = ring_cells});
    expect_sound(small);
    EXPECT_EQ(num_motions(small), 6) << cells << ' ' << ring_cells;
  }
}

TEST(BeamLattice, HasTheSizesThatAreDocumentedAndIsRigid) {
  const TetMesh beam = make_beam_lattice({});
  EXPECT_EQ(beam.num_vertices(), 650);
  EXPECT_EQ(beam.bars.size(), 3481u);
  EXPECT_EQ(bounding_box(beam).high, Vec3(1.0, 0.16, 0.16));
  for (const std::array<int, 3>& cells : {std::array{1, 1, 1}, std::array{4, 2, 3}}) {
    const TetMesh small = make_beam_lattice({.size = {1.0, 0.5, 0.5}, .cells = cells});
    expect_sound(small);
    EXPECT_EQ(num_motions(small), 6);
  }
}

TEST(BeamLattice, MayBeLarge) {
  const TetMesh beam = make_beam_lattice({.size = {1.0, 1.0, 1.0}, .cells = {45, 45, 45}});
  EXPECT_EQ(beam.num_vertices(), 46 * 46 * 46);
  EXPECT_EQ(beam.bars.size(), 3u * 45 * 46 * 46 + 3u * 45 * 45 * 46 + 45u * 45 * 45);
  expect_sound(beam);
}

TEST(SphereLattice, HasTwoSpheresOfWhichTheOuterHasTriangles) {
  const SphereLatticeSettings settings;
  const TetMesh sphere = make_sphere_lattice(settings);
  const int half = sphere.num_vertices() / 2;
  EXPECT_EQ(sphere.num_vertices(), 952);
  EXPECT_EQ(sphere.bars.size(), 4u * 952 - 12);
  EXPECT_EQ(sphere.triangles.size(), 2u * half - 4);
  EXPECT_EQ(bars_by_region(sphere),
            (std::map<std::string, int>{
                {"outer", 3 * half - 6}, {"inner", 3 * half - 6}, {"radial", 2 * half}}));
  for (int i = 0; i < sphere.num_vertices(); ++i)
    EXPECT_NEAR(sphere.vertices[i].norm(), i < half ? settings.radius : settings.inner_radius,
                1e-15);
  for (const Triangle& triangle : sphere.triangles)
    for (const int vertex : triangle) EXPECT_LT(vertex, half);
  EXPECT_TRUE(is_closed(sphere.triangles));
  const double exact = 4.0 / 3.0 * std::numbers::pi * std::pow(settings.radius, 3);
  EXPECT_LT(volume_within(sphere), exact);
  EXPECT_GT(volume_within(sphere), 0.98 * exact);
}

TEST(SphereLattice, IsRigid) {
  for (const int rings : {2, 3, 6})
    for (const int around : {3, 4, 9}) {
      const TetMesh sphere = make_sphere_lattice({.rings = rings, .around = around});
      expect_sound(sphere);
      EXPECT_TRUE(is_closed(sphere.triangles));
      EXPECT_EQ(num_motions(sphere), 6) << rings << ' ' << around;
    }
}

TEST(Brush, IsMadeOfRigidBristlesThatHangDown) {
  const TetMesh brush = make_brush({});
  EXPECT_EQ(brush.num_vertices(), 30000);
  EXPECT_EQ(bars_by_region(brush),
            (std::map<std::string, int>{
                {"axial", 1500 * 16}, {"ring", 1500 * 20}, {"diagonal", 1500 * 42}}));
  const BoundingBox box = bounding_box(brush);
  EXPECT_TRUE(box.low.isApprox(Vec3(0.0, 0.0, -0.01)));
  EXPECT_TRUE(box.high.isApprox(Vec3(49 * 5e-4 + 1.2e-4, 29 * 5e-4 + 1.2e-4, 0.0)));
  const TetMesh small = make_brush({.bristles = {2, 1}, .segments = 3});
  expect_sound(small, 2);
  EXPECT_EQ(num_motions(small), 2 * 6);
}

TEST(Vehicle, HasTheSizesThatAreDocumentedAndAClosedSurface) {
  const TetMesh car = make_vehicle({});
  EXPECT_EQ(car.num_vertices(), 119796);
  EXPECT_EQ(car.bars.size(), 1022166u);
  EXPECT_TRUE(is_closed(car.triangles));
  // a little over half of the box around it
  EXPECT_NEAR(volume_within(car) / (4.2 * 1.75 * 1.4), 0.58, 0.05);
  const BoundingBox box = bounding_box(car);
  EXPECT_NEAR(box.low[0], 0.0, 1e-12);
  EXPECT_NEAR(box.high[0], 4.2, 1e-12);
  EXPECT_NEAR(box.size()[1], 1.75, 1e-3);
  EXPECT_NEAR(box.low[1], -box.high[1], 1e-12);
  EXPECT_GT(box.low[2], 0.1);
  EXPECT_NEAR(box.high[2], 1.4, 1e-12);
}

TEST(Vehicle, IsOneRigidPieceHoweverCoarse) {
  const TetMesh car = make_vehicle({.resolution = 12});
  expect_sound(car);
  EXPECT_TRUE(is_closed(car.triangles));
  EXPECT_EQ(num_motions(car), 6);
  for (const int resolution : {13, 20, 31}) expect_sound(make_vehicle({.resolution = resolution}));
  expect_sound(make_vehicle({.size = {4.0, 0.1, 0.1}, .resolution = 20}));
}

TEST(ParticleGenerators, RejectWhatMakesNoSense) {
  const double nan = std::nan("");
  const std::vector<std::pair<std::string, std::function<void()>>> cases{
      {"/length", [] { make_rope({.length = 0.0}); }},
      {"/particles", [] { make_rope({.particles = 1}); }},
      {"/particles", [] { make_rope({.particles = 2000000000}); }},
      {"/size/1",
       [=] {
         make_cloth({.size = {1.0, nan}});
       }},
      {"/cells/0",
       [] {
         make_cloth({.cells = {0, 1}});
       }},
      {"/cells",
       [] {
         make_cloth({.cells = {2147483647, 2147483647}});
       }},
      {"/size/0",
       [] {
         make_foil({.size = {-1.0, 1.0}});
       }},
      {"/particles/1",
       [] {
         make_foil({.particles = {2, 1}});
       }},
      {"/particles",
       [] {
         make_foil({.particles = {100000, 100000}});
       }},
      {"/height", [=] { make_truss_tower({.height = nan}); }},
      {"/top_width", [] { make_truss_tower({.top_width = 125.0}); }},
      {"/top_width", [] { make_truss_tower({.top_width = 1e-300}); }},
      {"/leg_width", [] { make_truss_tower({.leg_width = 50.0}); }},
      {"/leg_cells", [] { make_truss_tower({.leg_cells = 0}); }},
      {"/levels", [] { make_truss_tower({.levels = 1}); }},
      {"/levels", [] { make_truss_tower({.levels = 2147483647}); }},
      {"/platforms", [] { make_truss_tower({.platforms = 0}); }},
      {"/platforms", [] { make_truss_tower({.platforms = 2147483647}); }},
      {"/merge_at", [] { make_truss_tower({.merge_at = 1.0}); }},
      {"/upper_from", [=] { make_truss_tower({.upper_from = nan}); }},
      {"/base_radius", [] { make_dome({.base_radius = 0.0}); }},
      {"/rise", [] { make_dome({.rise = 1e-300}); }},
      {"/thickness", [] { make_dome({.thickness = 0.06}); }},
      {"/hole_radius", [] { make_dome({.hole_radius = 0.095}); }},
      {"/around", [] { make_dome({.around = 2}); }},
      {"/around", [] { make_dome({.around = 2147483647}); }},
      {"/rings", [] { make_dome({.rings = 1}); }},
      {"/rim_rings", [] { make_dome({.rim_rings = 15}); }},
      {"/minor_radius", [] { make_torus_lattice({.minor_radius = 0.3}); }},
      {"/cells", [] { make_torus_lattice({.cells = 3}); }},
      {"/cells", [] { make_torus_lattice({.cells = 2000000000}); }},
      {"/ring_cells", [] { make_torus_lattice({.ring_cells = 2}); }},
      {"/size/2",
       [] {
         make_beam_lattice({.size = {1.0, 1.0, 0.0}});
       }},
      {"/cells/1",
       [] {
         make_beam_lattice({.cells = {1, -1, 1}});
       }},
      {"/cells",
       [] {
         make_beam_lattice({.cells = {1000, 1000, 1000}});
       }},
      {"/inner_radius", [] { make_sphere_lattice({.inner_radius = 0.1}); }},
      {"/rings", [] { make_sphere_lattice({.rings = 1}); }},
      {"/rings", [] { make_sphere_lattice({.rings = 2147483647}); }},
      {"/around", [] { make_sphere_lattice({.around = 2}); }},
      {"/bristles/1",
       [] {
         make_brush({.bristles = {1, 0}});
       }},
      {"/bristles",
       [] {
         make_brush({.bristles = {10000, 10000}});
       }},
      {"/pitch/0",
       [] {
         make_brush({.pitch = {1.2e-4, 1.0}});
       }},
      {"/segments", [] { make_brush({.segments = 0}); }},
      {"/size/0",
       [] {
         make_vehicle({.size = {0.0, 1.0, 1.0}});
       }},
      {"/resolution", [] { make_vehicle({.resolution = 11}); }},
      {"/resolution", [] { make_vehicle({.resolution = 2147483647}); }},
      {"/resolution",
       [] {
         make_vehicle({.size = {1e-9, 1.0, 1.0}});
       }},
  };
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(rejected_place(cases[i].second), cases[i].first) << "case " << i;
}

TEST(Polymer, IsABundleOfZigzagChains) {
  const TetMesh bundle = make_polymer({});
  EXPECT_EQ(bundle.num_vertices(), 1732);
  EXPECT_EQ(bundle.bars.size(), 1732u - 36u);
  ASSERT_EQ(bundle.masses.size(), 1732u);
  ASSERT_EQ(bundle.species.size(), 1732u);
  for (const auto& [a, b] : bundle.bars)
    EXPECT_NEAR((bundle.vertices[a] - bundle.vertices[b]).norm(), 0.154, 1e-12);
  const Vec3 u = bundle.vertices[1] - bundle.vertices[0],
             v = bundle.vertices[2] - bundle.vertices[1];
  EXPECT_NEAR(std::acos(-u.dot(v) / (u.norm() * v.norm())) * 180.0 / std::numbers::pi, 112.0, 1e-9);
  // no two atoms of different chains are closer than bonded ones
  for (std::size_t a = 0; a < 98; ++a)
    for (std::size_t b = 98; b < bundle.vertices.size(); ++b)
      ASSERT_GT((bundle.vertices[a] - bundle.vertices[b]).norm(), 0.3);
  EXPECT_EQ(rejected_place([] { make_polymer({.atoms = 10}); }), "/atoms");
  EXPECT_EQ(rejected_place([] { make_polymer({.angle = 10.0}); }), "/angle");
}

}  // namespace
}  // namespace sinew::mesh
