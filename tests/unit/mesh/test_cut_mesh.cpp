// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <random>
#include <set>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/geometry/blade.hpp>
#include <sinew/mesh/closed_surface.hpp>
#include <sinew/mesh/cut_mesh.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/mesh/surfaces.hpp>
#include <sinew/mesh/validate.hpp>

namespace sinew::mesh {
namespace {

double volume(const TetMesh& mesh) {
  double sum = 0.0;
  for (int t = 0; t < mesh.num_tets(); ++t) sum += signed_volume(mesh, t);
  return sum;
}

std::vector<double> volumes_of_pieces(const TetMesh& mesh) {
  const std::vector<int> pieces = pieces_of(mesh);
  std::vector<double> volumes(
      static_cast<std::size_t>(*std::max_element(pieces.begin(), pieces.end()) + 1), 0.0);
  for (int t = 0; t < mesh.num_tets(); ++t)
    volumes[static_cast<std::size_t>(pieces[static_cast<std::size_t>(t)])] +=
        signed_volume(mesh, t);
  return volumes;
}

using Places = std::array<std::array<double, 3>, 3>;

/// Area of the boundary, without the faces that lie on each other as a cut leaves them.
struct Areas {
  double outside = 0.0;
  double opened = 0.0;  ///< of one side
};
Areas areas(const TetMesh& mesh) {
  std::map<Places, std::vector<double>> faces;
  for (const Triangle& triangle : extract_surface(mesh).triangles) {
    Places places;
    std::array<Vec3, 3> x;
    for (std::size_t k = 0; k < 3; ++k) {
      x[k] = mesh.vertices[static_cast<std::size_t>(triangle[k])];
      places[k] = {x[k][0], x[k][1], x[k][2]};
    }
    std::sort(places.begin(), places.end());
    faces[places].push_back(0.5 * (x[1] - x[0]).cross(x[2] - x[0]).norm());
  }
  Areas sum;
  for (const auto& [places, found] : faces)
    (found.size() == 2 ? sum.opened : sum.outside) += found[0];
  return sum;
}

CutSurface surface_of(const TetMesh& mesh, const geometry::Blade& blade, double snap) {
  CutSurface surface{.places = mesh.vertices, .snap = snap};
  for (const Vec3& x : mesh.vertices) surface.sides.push_back(blade.side(x));
  return surface;
}

TetMesh uncut_bar() {
  return make_bar({.size = {1.0, 0.2, 0.3}, .cells = {10, 2, 3}});
}

TEST(CutMesh, APlaneLeavesTwoPiecesOfTheRightVolumeThatTouchNowhere) {
  for (const double at : {0.437, 0.5, 0.4001}) {  // inside cells, along faces, close to vertices
    TetMesh mesh = uncut_bar();
    const auto blade = geometry::make_plane_blade({at, 0, 0}, Vec3::UnitX(), Vec3::UnitZ());

    const CutReport report = cut_mesh(mesh, surface_of(mesh, *blade, 0.0));

    require_valid(mesh, "cut bar", Torn::allowed);
    ASSERT_EQ(report.parents.size(), mesh.tets.size());
    ASSERT_EQ(mesh.regions.size(), mesh.tets.size());
    std::vector<double> volumes = volumes_of_pieces(mesh);
    std::sort(volumes.begin(), volumes.end());
    ASSERT_EQ(volumes.size(), 2u) << at;
    // within least_snap of an edge of 0.1 the surface goes through vertices
    const double moved = 0.06 * CutSurface::least_snap * 0.1;
    const double exact = at == 0.4001 ? 0.4 : at;
    EXPECT_NEAR(volumes[0], 0.06 * exact, 1e-14 + (at == 0.4001 ? moved : 0.0));
    EXPECT_NEAR(volumes[0] + volumes[1], 0.06, 1e-15);
    EXPECT_TRUE(is_closed(extract_surface(mesh).triangles));
    const Areas found = areas(mesh);
    EXPECT_NEAR(found.opened, 0.06, 1e-14);
    EXPECT_NEAR(found.outside, 2.0 * (0.2 + 0.3 + 0.06), 1e-13);
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) EXPECT_GT(signed_volume(mesh, int(t)), 0.0);
  }
}

TEST(CutMesh, ACutThatEndsInsideLeavesOnePieceWithASlit) {
  TetMesh mesh = uncut_bar();
  const auto blade = geometry::make_plane_blade({0.437, 0, 0}, Vec3::UnitX(), Vec3::UnitZ());
  CutSurface surface = surface_of(mesh, *blade, 0.0);
  surface.is_open = [](const Vec3& x) { return x.z() > 0.15; };

  const CutReport report = cut_mesh(mesh, surface);

  require_valid(mesh, "slit bar", Torn::allowed);
  EXPECT_GT(report.num_opened, 0);
  EXPECT_EQ(volumes_of_pieces(mesh).size(), 1u);
  EXPECT_NEAR(volume(mesh), 0.06, 1e-15);
  const Areas found = areas(mesh);
  EXPECT_NEAR(found.outside, 2.0 * (0.2 + 0.3 + 0.06), 1e-13);
  // the slit ends on a row of the faces that the plane has within the tets: 0.15 by 0.2 and a part
  // of the cells in which it ends
  EXPECT_GT(found.opened, 0.2 * 0.1);
  EXPECT_LT(found.opened, 0.2 * 0.25);
}

TEST(CutMesh, ManyShortCutsDoWhatOneLongCutDoes) {
  TetMesh mesh = uncut_bar();
  const auto blade = geometry::make_plane_blade({0.437, 0, 0}, Vec3(1, 0.3, 0.2), Vec3::UnitZ());
  int cuts = 0;
  for (double front = 0.0; front < 0.35; front += 0.01) {
    CutSurface surface = surface_of(mesh, *blade, 0.01);
    surface.is_open = [front](const Vec3& x) { return x.z() < front; };
    const bool is_due = meets(mesh, surface);
    const CutReport report = cut_mesh(mesh, surface);
    EXPECT_EQ(is_due, report.changed_anything());
    if (report.changed_anything()) ++cuts;
    require_valid(mesh, "half cut bar", Torn::allowed);
    ASSERT_NEAR(volume(mesh), 0.06, 1e-14);
  }
  EXPECT_GT(cuts, 5);
  EXPECT_EQ(volumes_of_pieces(mesh).size(), 2u);
  EXPECT_NEAR(areas(mesh).outside, 2.0 * (0.2 + 0.3 + 0.06), 1e-12);
}

TEST(CutMesh, AddedVerticesAreWhereTheySayAndCopiesLieOnEachOther) {
  const TetMesh before = uncut_bar();
  TetMesh mesh = before;
  const auto blade = geometry::make_plane_blade({0.437, 0, 0}, Vec3(1, 0.3, 0.2), Vec3::UnitZ());
  const CutReport report = cut_mesh(mesh, surface_of(mesh, *blade, 0.01));
  ASSERT_EQ(before.vertices.size() + report.added.size(), mesh.vertices.size());
  for (std::size_t v = 0; v < before.vertices.size(); ++v)
    EXPECT_EQ(mesh.vertices[v], before.vertices[v]);
  int copies = 0;
  for (std::size_t k = 0; k < report.added.size(); ++k) {
    const auto& [from, weight] = report.added[k];
    const std::size_t v = before.vertices.size() + k;
    ASSERT_LT(std::max(from[0], from[1]), int(v));
    EXPECT_EQ(mesh.vertices[v], between(mesh.vertices[std::size_t(from[0])],
                                        mesh.vertices[std::size_t(from[1])], weight));
    copies += from[0] == from[1];
    EXPECT_TRUE(report.is_changed[v]);
  }
  EXPECT_GE(2 * copies, int(report.added.size()));
  // a vertex that is not changed has the tets it had
  const auto tets_around = [](const TetMesh& m, int vertex) {
    std::set<Tet> tets;
    for (const Tet& tet : m.tets)
      if (std::find(tet.begin(), tet.end(), vertex) != tet.end()) tets.insert(tet);
    return tets;
  };
  int unchanged = 0;
  for (int v = 0; v < before.num_vertices(); ++v) {
    if (report.is_changed[std::size_t(v)]) continue;
    // their other corners may have been copied, their number and volume stay
    EXPECT_EQ(tets_around(mesh, v).size(), tets_around(before, v).size());
    ++unchanged;
  }
  EXPECT_GT(unchanged, before.num_vertices() / 2);
}

TEST(CutMesh, TwoCutsThatCrossLeaveFourPieces) {
  TetMesh mesh = uncut_bar();
  const auto one = geometry::make_plane_blade({0.437, 0, 0}, Vec3(1, 0.3, 0.2), Vec3::UnitZ());
  const auto other = geometry::make_plane_blade({0.5, 0.11, 0}, Vec3(0.2, 1, 0.1), Vec3::UnitZ());
  cut_mesh(mesh, surface_of(mesh, *one, 0.02));
  cut_mesh(mesh, surface_of(mesh, *other, 0.02));
  require_valid(mesh, "quartered bar", Torn::allowed);
  EXPECT_EQ(volumes_of_pieces(mesh).size(), 4u);
  EXPECT_NEAR(volume(mesh), 0.06, 1e-14);
}

/// A body with vertices where no grid has them.
TetMesh random_body(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  TetMesh mesh;
  switch (random() % 4) {
    case 0:
      mesh = make_bar({.size = {1.0, 0.3, 0.4}, .cells = {7, 2, 3}});
      break;
    case 1:
      mesh = make_ball({.radius = 0.5, .cells = 2, .core_layers = 1, .shell_layers = 1});
      break;
    case 2:
      mesh = make_torus(
          {.major_radius = 0.4, .minor_radius = 0.15, .cells = 1, .layers = 1, .ring_cells = 16});
      break;
    default:
      mesh =
          make_cylinder({.radius = 0.3, .length = 1.0, .cells = 2, .layers = 1, .axial_cells = 6});
  }
  const Mat3 turn = Eigen::AngleAxisd(6.0 * uniform(random),
                                      Vec3(uniform(random), uniform(random), 0.3).normalized())
                        .toRotationMatrix();
  const TetMesh smooth = mesh;
  for (double size = 0.03;; size *= 0.5) {
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      mesh.vertices[v] = turn * (smooth.vertices[v] +
                                 size * Vec3(uniform(random), uniform(random), uniform(random)));
    if (find_problems(mesh, "").empty()) return mesh;
  }
}

/// A hilly sheet that is larger than any of the bodies.
std::unique_ptr<geometry::Blade> random_sheet(std::mt19937& random, const Vec3& centre) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const Vec3 normal = Vec3(uniform(random), uniform(random), uniform(random)).normalized();
  const Vec3 a = normal.unitOrthogonal(), b = normal.cross(a);
  constexpr int n = 8;
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      vertices.emplace_back(centre + 3.0 * ((2.0 * i / n - 1.0) * a + (2.0 * j / n - 1.0) * b) +
                            0.05 * uniform(random) * normal);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int k = (n + 1) * i + j;
      triangles.push_back({k, k + n + 1, k + 1});
      triangles.push_back({k + 1, k + n + 1, k + n + 2});
    }
  return geometry::make_mesh_blade(vertices, triangles, a);
}

TEST(CutMesh, RandomCutsThroughRandomBodiesLeaveValidMeshes) {
  constexpr int bodies = 100;
  int whole_cuts = 0, split_bodies = 0, slits = 0;
  for (int seed = 0; seed < bodies; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    TetMesh mesh = random_body(random);
    const double total = volume(mesh), outside = areas(mesh).outside;
    for (int cut = 0; cut < 2 + seed % 3; ++cut) {
      const Vec3 point = mesh.vertices[random() % mesh.vertices.size()] +
                         0.02 * Vec3(uniform(random), uniform(random), uniform(random));
      const Vec3 way = Vec3(uniform(random), uniform(random), uniform(random)).normalized();
      const int kind = static_cast<int>(random() % 3);
      std::unique_ptr<geometry::Blade> blade;
      if (kind == 0) blade = geometry::make_plane_blade(point, way, way.unitOrthogonal());
      if (kind == 1)
        blade = geometry::make_path_blade(
            std::vector<Vec3>{point - 0.4 * way, point, point + 0.3 * way.unitOrthogonal()},
            Vec3(uniform(random), uniform(random), 2.0));
      if (kind == 2) blade = random_sheet(random, point);
      const double snaps[] = {0.0, 0.01, 0.1, 0.4};
      CutSurface surface = surface_of(mesh, *blade, snaps[random() % 4]);
      const bool is_whole = random() % 2 == 0;
      if (!is_whole)
        surface.is_open = [&](const Vec3& x) {
          return blade->covers(x) && blade->progress(x) < blade->progress(point);
        };
      const std::size_t pieces = volumes_of_pieces(mesh).size();

      const CutReport report = cut_mesh(mesh, surface);

      ASSERT_EQ(find_problems(mesh, "cut", Torn::allowed).size(), 0u);
      EXPECT_NEAR(volume(mesh), total, 1e-12 * total);
      // a vertex on the face of a neighbour that knows nothing of it would leave faces without a
      // partner; the lips of earlier cuts have none any more once they are cut themselves
      if (cut == 0) {
        EXPECT_NEAR(areas(mesh).outside, outside, 1e-10 * outside);
      }
      if (report.num_opened > 0 && !is_whole) ++slits;
      if (!is_whole) continue;
      ++whole_cuts;
      // nothing hangs together that was on both sides, beyond what the snapping moved
      const std::vector<int> piece = pieces_of(mesh);
      std::map<int, std::array<double, 2>> range;
      double slack = 0.0;
      for (std::size_t t = 0; t < mesh.tets.size(); ++t)
        for (const int vertex : mesh.tets[t]) {
          if (vertex >= int(surface.sides.size())) continue;
          const double side = surface.sides[std::size_t(vertex)];
          auto& [low, high] = range.try_emplace(piece[t], std::array{1e9, -1e9}).first->second;
          low = std::min(low, side);
          high = std::max(high, side);
        }
      for (const Edge& edge : edges_of(mesh))
        slack = std::max(
            slack,
            (mesh.vertices[std::size_t(edge[0])] - mesh.vertices[std::size_t(edge[1])]).norm());
      slack *= std::max(surface.snap, CutSurface::least_snap) * 2.0;
      for (const auto& [number, bounds] : range)
        EXPECT_FALSE(bounds[0] < -slack && bounds[1] > slack) << bounds[0] << " " << bounds[1];
      if (volumes_of_pieces(mesh).size() > pieces) ++split_bodies;
    }
  }
  EXPECT_GT(whole_cuts, 100);
  EXPECT_GT(split_bodies, 80);
  EXPECT_GT(slits, 60);
}

}  // namespace
}  // namespace sinew::mesh
