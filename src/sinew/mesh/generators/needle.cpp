// SPDX-License-Identifier: Apache-2.0
// Every cross-section is a hexagon of triangles, rounded: ring k has 6 k vertices. Going up from
// the point of the tip, each level has one ring more than the last until the shaft begins, so that
// the tets of the tip are as well shaped as the six that a tip without rings would have.
//
// With the level j, the ring k <= j and the step i <= k along one of six sectors as coordinates,
// the needle is a lattice cut off at planes that are made of faces of kuhn_tets.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/kuhn.hpp>

namespace sinew::mesh {
namespace {

class NeedleMaker {
 public:
  explicit NeedleMaker(const NeedleSettings& settings)
      : settings_(settings), levels_(settings.cells + settings.axial_cells) {
    for (int level = 0; level <= levels_; ++level) add_level(level);
  }

  TetMesh make() {
    for (int sector = 0; sector < 6; ++sector)
      for (int j = 0; j < levels_; ++j)
        for (int k = 0; k <= std::min(j, settings_.cells - 1); ++k)
          for (int i = 0; i <= k; ++i) add_cell(sector, j, k, i);
    return std::move(mesh_);
  }

 private:
  double height(int level) const {
    const auto& [radius, length, tip_length, cells, axial_cells] = settings_;
    if (level <= cells) return tip_length * level / cells;
    return tip_length + (length - tip_length) * (level - cells) / axial_cells;
  }

  void add_level(int level) {
    first_of_level_.push_back(mesh_.num_vertices());
    mesh_.vertices.emplace_back(0.0, 0.0, height(level));
    for (int ring = 1; ring <= std::min(level, settings_.cells); ++ring)
      for (int i = 0; i < 6 * ring; ++i) {
        const double distance = settings_.radius * ring / settings_.cells;
        const double angle = std::numbers::pi * i / (3.0 * ring);
        mesh_.vertices.emplace_back(distance * std::cos(angle), distance * std::sin(angle),
                                    height(level));
      }
  }

  int vertex(int sector, int level, int ring, int step) const {
    if (ring == 0) return first_of_level_[level];
    const int inner_rings = 1 + 3 * ring * (ring - 1);
    return first_of_level_[level] + inner_rings + (sector * ring + step) % (6 * ring);
  }

  /// Those tets of a cell of the lattice that are in the needle.
  void add_cell(int sector, int j, int k, int i) {
    for (const std::array<int, 4>& tet : kuhn_tets) {
      Tet corners;
      bool is_part = true;
      for (std::size_t c = 0; c < 4; ++c) {
        const int level = j + (tet[c] & 1);
        const int ring = k + (tet[c] >> 1 & 1);
        const int step = i + (tet[c] >> 2 & 1);
        is_part = is_part && step <= ring && ring <= level;
        if (is_part) corners[c] = vertex(sector, level, ring, step);
      }
      if (!is_part) continue;
      mesh_.tets.push_back(corners);
      mesh_.regions.push_back(0);
    }
  }

  const NeedleSettings& settings_;
  int levels_;
  TetMesh mesh_;
  std::vector<int> first_of_level_;
};

}  // namespace

TetMesh make_needle(const NeedleSettings& settings) {
  require_positive("/radius", settings.radius);
  require_positive("/length", settings.length);
  require_positive("/tip_length", settings.tip_length);
  if (settings.tip_length >= settings.length)
    reject_parameter("/tip_length", "nothing is left of the rod",
                     "make the tip shorter than the needle");
  require_count("/cells", settings.cells);
  require_count("/axial_cells", settings.axial_cells);
  const double cells = settings.cells;
  require_at_most("/cells", 6.0 * cells * cells * (cells + 3.0 * settings.axial_cells),
                  max_generated_tets, "tets");
  return NeedleMaker(settings).make();
}

}  // namespace sinew::mesh
