// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/stuffing.hpp>
#include <sinew/mesh/stuffing/octree.hpp>
#include <sinew/mesh/stuffing/sampled_solid.hpp>
#include <sinew/mesh/surface.hpp>

namespace sinew::mesh {
namespace {

/// Beyond this many cells it is more likely a typo.
constexpr double max_cells = 50e6;

class Stuffer {
 public:
  Stuffer(const SampledSolid& solid, const Lattice& lattice) : solid_(solid), lattice_(lattice) {}

  void add(const LatticeTet& tet) {
    std::array<Side, 4> sides;
    for (std::size_t k = 0; k < 4; ++k) sides[k] = solid_.side(tet[k]);
    cut_lattice_tet(tet, sides, [&](const std::array<CutCorner, 4>& corners) {
      Tet added;
      for (std::size_t k = 0; k < 4; ++k) added[k] = vertex(corners[k]);
      mesh_.tets.push_back(added);
      if (signed_volume(mesh_, mesh_.num_tets() - 1) < 0.0)
        std::swap(mesh_.tets.back()[2], mesh_.tets.back()[3]);
    });
  }

  const TetMesh& mesh() const { return mesh_; }
  TetMesh take() { return std::move(mesh_); }
  /// Of a vertex that is one.
  const LatticePoint& lattice_point(int vertex) const { return points_[vertex]; }

 private:
  int vertex(const CutCorner& corner) {
    const std::int64_t from = lattice_.index(corner.point);
    const std::int64_t to = corner.is_cut() ? lattice_.index(corner.outside) : from;
    const auto [entry, is_new] =
        numbers_.try_emplace(from * lattice_.num_points() + to, mesh_.num_vertices());
    if (is_new) {
      mesh_.vertices.push_back(corner.is_cut() ? solid_.cut(corner.point, corner.outside)
                                               : solid_.position(corner.point));
      points_.push_back(corner.point);
    }
    return entry->second;
  }

  const SampledSolid& solid_;
  const Lattice& lattice_;
  TetMesh mesh_;
  std::vector<LatticePoint> points_;  ///< by vertex
  std::unordered_map<std::int64_t, int> numbers_;
};

/// Vertices around which the triangles of the boundary are not one fan.
std::vector<int> find_pinched(const TetMesh& mesh) {
  const std::vector<Triangle> triangles = extract_surface(mesh).triangles;
  std::vector<int> num_around(mesh.vertices.size(), 0);
  std::vector<char> is_pinched(mesh.vertices.size(), 0);
  const auto key = [&](int a, int b) {
    return a * static_cast<std::int64_t>(mesh.num_vertices()) + b;
  };
  std::unordered_map<std::int64_t, int> third;  // corner of the triangle with the directed edge
  third.reserve(3 * triangles.size());
  std::vector<int> first(mesh.vertices.size(), -1);  // a neighbour
  for (const Triangle& triangle : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangle[k], b = triangle[(k + 1) % 3], c = triangle[(k + 2) % 3];
      ++num_around[a];
      first[a] = b;
      if (!third.emplace(key(a, b), c).second) is_pinched[a] = is_pinched[b] = 1;
    }
  std::vector<int> pinched;
  for (int v = 0; v < mesh.num_vertices(); ++v) {
    if (num_around[v] == 0) continue;
    int count = 0;
    if (!is_pinched[v]) {
      int at = first[v];
      do {
        at = third.at(key(v, at));
        ++count;
      } while (at != first[v] && count <= num_around[v]);
    }
    if (count != num_around[v]) pinched.push_back(v);
  }
  return pinched;
}

}  // namespace

TetMesh stuff(const Solid& solid, const StuffingSettings& settings) {
  require_positive("/size", settings.size);
  require_at_most("/size", Lattice::count_cells(solid.box, settings.size), max_cells,
                  "cells in the box", "use larger ones");
  const Lattice lattice(solid.box, settings.size);
  SampledSolid sampled(solid, lattice);
  const Octree octree(lattice, sampled.cells_with(false), settings.coarsening);
  for (;;) {
    Stuffer stuffer(sampled, lattice);
    octree.for_each_tet(sampled.cells_with(true), [&](const LatticeTet& tet) { stuffer.add(tet); });
    if (stuffer.mesh().tets.empty())
      reject_parameter("/size", "no point of the lattice is inside of the solid",
                       "use smaller cells");
    const std::vector<int> pinched = find_pinched(stuffer.mesh());
    if (pinched.empty()) {
      TetMesh mesh = stuffer.take();
      mesh.regions.assign(mesh.tets.size(), 0);
      return mesh;
    }
    // every round there are fewer points on the surface, and without them it is a manifold
    int num_added = 0;
    for (const int vertex : pinched) {
      const LatticePoint& p = stuffer.lattice_point(vertex);
      if (sampled.side(p) != Side::on_surface) continue;
      sampled.add_to_inside(p);
      ++num_added;
    }
    SINEW_ASSERT(num_added > 0, "only points on the surface can be pinched");
  }
}

}  // namespace sinew::mesh
