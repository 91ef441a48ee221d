// SPDX-License-Identifier: Apache-2.0
// Bodies carved out of a box of cells along the surface where a function is zero, as a cut is made
// (cut_mesh.hpp). Tets inside are as good as the cells. At the surface most are good too, since it
// goes through vertices that are near it; some are left as thin as the cells make them, as in
// meshes that come from data. Explicit steps suffer from these few.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/mesh/cut_mesh.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/validate.hpp>

namespace sinew::mesh {
namespace {

/// A ball that moves from one place to another and may grow on the way.
struct Limb {
  Vec3 from, to;
  double from_radius, to_radius;

  double distance(const Vec3& x) const {
    const Vec3 way = to - from;
    const double square = way.squaredNorm();
    const double s = square > 0.0 ? std::clamp(way.dot(x - from) / square, 0.0, 1.0) : 0.0;
    return (x - from - s * way).norm() - (from_radius + s * (to_radius - from_radius));
  }
};

Limb ball(const Vec3& centre, double radius) {
  return {centre, centre, radius, radius};
}

/// Negative inside the union, rounded over `blend` where limbs meet.
double distance_to(const std::vector<Limb>& limbs, double blend, const Vec3& x) {
  double result = limbs.front().distance(x);
  for (std::size_t k = 1; k < limbs.size(); ++k) {
    const double d = limbs[k].distance(x);
    const double h = std::max(blend - std::abs(result - d), 0.0) / blend;
    result = std::min(result, d) - 0.25 * h * h * blend;
  }
  return result;
}

/// Two limbs, left and right of the plane x = 0.
void add_pair(std::vector<Limb>& limbs, Limb limb) {
  limbs.push_back(limb);
  limb.from.x() *= -1.0;
  limb.to.x() *= -1.0;
  limbs.push_back(limb);
}

/// A stocky creature that stands on z = 0 and looks along y [cm].
std::vector<Limb> figure() {
  std::vector<Limb> limbs{{{0, 0, 1.0}, {0, 0, 1.9}, 0.55, 0.5}, ball({0, 0.15, 2.5}, 0.42)};
  limbs.push_back({{0, 0.4, 2.45}, {0, 0.75, 2.35}, 0.26, 0.18});
  limbs.push_back({{0, -0.4, 0.8}, {0, -1.1, 0.45}, 0.3, 0.16});
  add_pair(limbs, {{0.28, 0.05, 2.75}, {0.55, 0, 2.95}, 0.16, 0.12});
  add_pair(limbs, {{0.45, 0, 1.85}, {1.0, 0.25, 1.6}, 0.25, 0.22});
  add_pair(limbs, {{1.0, 0.25, 1.6}, {1.08, 0.75, 1.95}, 0.2, 0.2});
  add_pair(limbs, {{0.35, 0, 0.9}, {0.6, 0.15, 0.3}, 0.35, 0.28});
  add_pair(limbs, {{0.6, 0.1, 0.22}, {0.62, 0.65, 0.18}, 0.22, 0.17});
  return limbs;
}

/// A long creature along x on four legs, its neck and tail raised [cm].
std::vector<Limb> dragon() {
  std::vector<Limb> limbs;
  constexpr int pieces = 14;
  const auto spine = [](double s) {
    const double x = -9.2 + 18.4 * s;
    return Vec3(x, 1.6 * std::sin(8.0 * s),
                5.0 + 5.5 * std::pow(s, 4.0) + 4.5 * std::pow(1 - s, 5.0));
  };
  const auto radius = [](double s) {
    return 0.5 + 2.1 * std::exp(-18.0 * (s - 0.52) * (s - 0.52)) + 0.4 * s;
  };
  for (int k = 0; k < pieces; ++k) {
    const double s = 1.0 * k / pieces, t = (k + 1.0) / pieces;
    limbs.push_back({spine(s), spine(t), radius(s), radius(t)});
  }
  limbs.push_back({spine(1.0), spine(1.0) + Vec3(0.3, 1.2, 1.2), 1.5, 1.1});
  for (const double x : {-2.6, 3.0})
    for (const double y : {-1.0, 1.0}) {
      limbs.push_back({{x, 1.4 * y, 4.2}, {x + 0.6, 3.2 * y, 2.2}, 1.3, 0.9});
      limbs.push_back({{x + 0.6, 3.2 * y, 2.2}, {x + 1.4, 3.4 * y, 0.8}, 0.8, 0.7});
    }
  return limbs;
}

/// Two lobes [cm].
std::vector<Limb> liver() {
  return {{{-4.0, -1.0, 7.0}, {-1.5, 1.5, 8.0}, 5.2, 5.0},
          {{-1.5, 1.5, 8.0}, {5.5, 1.0, 9.5}, 4.0, 2.6},
          {{-4.5, 0.0, 5.5}, {-3.0, -2.0, 4.0}, 3.5, 2.8}};
}

/// Puts vertices that are near the surface on it, but for a share of them.
void snap_most(const TetMesh& mesh, double slivers, CutSurface& surface) {
  constexpr double near = 0.35;  // part of an edge
  std::vector<double> closest(surface.sides.size(), 1.0);
  for (const Edge& edge : edges_of(mesh)) {
    const auto a = static_cast<std::size_t>(edge[0]), b = static_cast<std::size_t>(edge[1]);
    const double from = surface.sides[a], to = surface.sides[b];
    if (!(from * to < 0.0)) continue;
    const double weight = from / (from - to);
    closest[a] = std::min(closest[a], weight);
    closest[b] = std::min(closest[b], 1.0 - weight);
  }
  std::mt19937 random(1);
  for (std::size_t v = 0; v < closest.size(); ++v) {
    if (closest[v] >= near) continue;
    const double drawn = static_cast<double>(random()) / static_cast<double>(random.max());
    if (drawn >= slivers) surface.sides[v] = 0.0;
  }
}

TetMesh carve(const std::vector<Limb>& limbs, double blend, const CarvedSettings& settings) {
  require_positive("/scale", settings.scale);
  if (!(settings.slivers >= 0.0 && settings.slivers <= 1.0))
    reject_parameter("/slivers", "must be from 0 to 1", "it is a share of the vertices");
  require_count("/cells", settings.cells);
  if (!(settings.snap >= CutSurface::least_snap && settings.snap <= 0.5))
    reject_parameter("/snap", "must be from 0.001 to 0.5", "it is a part of an edge");
  Vec3 low = limbs.front().from, high = low;
  for (const Limb& limb : limbs)
    for (const auto& [x, r] : {std::pair(limb.from, limb.from_radius), {limb.to, limb.to_radius}}) {
      low = low.cwiseMin(x - Vec3::Constant(r));
      high = high.cwiseMax(x + Vec3::Constant(r));
    }
  // half a cell of room, by a share at which no vertex of the grid lies on the surface by design
  const double cell = (high - low).maxCoeff() / settings.cells;
  low -= Vec3::Constant(0.61 * cell);
  high += Vec3::Constant(0.61 * cell);
  BarSettings box;
  double num_cells = 1.0;
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    box.size[i] = high[k] - low[k];
    box.cells[i] = std::max(1, static_cast<int>(std::lround(box.size[i] / cell)));
    num_cells *= box.cells[i];
  }
  require_affordable("/cells", num_cells);
  TetMesh mesh = make_bar(box);
  for (Vec3& x : mesh.vertices) x += low;
  const std::vector<Vec3> places = mesh.vertices;
  CutSurface surface{.places = places, .snap = settings.snap};
  for (const Vec3& x : places) surface.sides.push_back(distance_to(limbs, blend, x));
  snap_most(mesh, settings.slivers, surface);
  std::vector<double> sides = surface.sides;
  for (const AddedVertex& added : cut_mesh(mesh, surface).added)
    sides.push_back(added.from[0] == added.from[1] ? sides[static_cast<std::size_t>(added.from[0])]
                                                   : 0.0);
  std::erase_if(mesh.tets, [&](const Tet& tet) {
    Vec3 centre = Vec3::Zero();
    double sum = 0.0;
    for (const int vertex : tet) {
      centre += 0.25 * mesh.vertices[static_cast<std::size_t>(vertex)];
      sum += sides[static_cast<std::size_t>(vertex)];
    }
    // tets that lie in the surface as a whole are left to the function itself
    return sum > 0.0 || (sum == 0.0 && distance_to(limbs, blend, centre) > 0.0);
  });
  if (mesh.tets.empty())
    reject_parameter("/cells", "the cells are larger than the body", "use more of them");
  // the largest piece, should thin limbs have fallen between the cells
  mesh.regions.assign(mesh.tets.size(), 0);
  const std::vector<int> pieces = pieces_of(mesh);
  std::vector<double> volumes(pieces.size(), 0.0);
  for (int t = 0; t < mesh.num_tets(); ++t)
    volumes[static_cast<std::size_t>(pieces[static_cast<std::size_t>(t)])] +=
        signed_volume(mesh, t);
  const auto largest =
      static_cast<int>(std::max_element(volumes.begin(), volumes.end()) - volumes.begin());
  std::vector<Tet> kept;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    if (pieces[t] == largest) kept.push_back(mesh.tets[t]);
  mesh.tets = std::move(kept);
  mesh.regions.assign(mesh.tets.size(), 0);
  repair(mesh);
  for (Vec3& x : mesh.vertices) x *= 0.01 * settings.scale;
  return mesh;
}

}  // namespace

TetMesh make_figure(const CarvedSettings& settings) {
  return carve(figure(), 0.15, settings);
}

TetMesh make_dragon(const CarvedSettings& settings) {
  return carve(dragon(), 0.8, settings);
}

TetMesh make_liver(const CarvedSettings& settings) {
  return carve(liver(), 2.0, settings);
}

}  // namespace sinew::mesh
