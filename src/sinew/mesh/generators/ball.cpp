// SPDX-License-Identifier: Apache-2.0
// The ball: an inner n x n x n block of cells, slightly rounded, with six blocks of layers around.
//
// Lattice points (i, j, k) in 0..n number the block; those on its surface are repeated once per
// layer. A vertex is black when i + j + k + layer is even, which every cell edge changes by one.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/hex_split.hpp>
#include <sinew/mesh/generators/layers.hpp>

namespace sinew::mesh {
namespace {

using Lattice = std::array<int, 3>;

class BallBuilder {
 public:
  explicit BallBuilder(const BallSettings& settings)
      : settings_(settings), n_(settings.cells), has_shell_(settings.shell_thickness > 0.0) {}

  TetMesh build() {
    mesh_.region_names[0] = "core";
    if (has_shell_) mesh_.region_names[1] = "shell";
    add_block_vertices();
    add_layer_vertices();
    add_block_cells();
    for (int axis = 0; axis < 3; ++axis)
      for (const bool high : {false, true}) add_layer_cells(axis, high);
    return std::move(mesh_);
  }

 private:
  int num_layers() const {
    return settings_.core_layers + (has_shell_ ? settings_.shell_layers : 0);
  }

  int lattice_index(const Lattice& p) const { return p[0] + (n_ + 1) * (p[1] + (n_ + 1) * p[2]); }

  /// The lattice point in the cube [-1, 1]^3, spaced so that equal steps are equal angles.
  Vec3 in_cube(const Lattice& p) const {
    Vec3 x;
    for (int axis = 0; axis < 3; ++axis)
      x[axis] = std::tan(std::numbers::pi / 4.0 * (2.0 * p[axis] / n_ - 1.0));
    return x;
  }

  /// The lattice point in the rounded block, whose faces lie at distance 1 along the axes.
  Vec3 in_block(const Lattice& p) const {
    const Vec3 cube = Vec3(p[0], p[1], p[2]) * (2.0 / n_) - Vec3::Ones();
    const Vec3 direction = in_cube(p);
    const double norm = direction.norm();
    if (norm == 0.0) return Vec3::Zero();
    const Vec3 ball = direction * (cube.cwiseAbs().maxCoeff() / norm);
    return (1.0 - inner_block_rounding) * cube + inner_block_rounding * ball;
  }

  bool on_surface(const Lattice& p) const {
    return std::any_of(p.begin(), p.end(), [&](int i) { return i == 0 || i == n_; });
  }

  template <class Action>
  void for_each_point(int end, const Action& action) const {
    for (int k = 0; k < end; ++k)
      for (int j = 0; j < end; ++j)
        for (int i = 0; i < end; ++i) action(Lattice{i, j, k});
  }

  double core_radius() const { return settings_.radius - settings_.shell_thickness; }

  void add_block_vertices() {
    for_each_point(n_ + 1, [&](const Lattice& p) {
      mesh_.vertices.push_back(inner_block_ratio * core_radius() * in_block(p));
    });
  }

  void add_layer_vertices() {
    surface_index_.assign(mesh_.vertices.size(), -1);
    std::vector<Lattice> surface;
    for_each_point(n_ + 1, [&](const Lattice& p) {
      if (!on_surface(p)) return;
      surface_index_[lattice_index(p)] = static_cast<int>(surface.size());
      surface.push_back(p);
    });
    num_surface_ = static_cast<int>(surface.size());
    first_layer_vertex_ = mesh_.num_vertices();

    const auto add_layers = [&](int count, const auto& position) {
      const std::vector<double> fractions = graded_fractions(count);
      for (int layer = 1; layer <= count; ++layer)
        for (const Lattice& p : surface) mesh_.vertices.push_back(position(p, fractions[layer]));
    };
    add_layers(settings_.core_layers, [&](const Lattice& p, double s) -> Vec3 {
      const Vec3& inside = mesh_.vertices[lattice_index(p)];
      return (1.0 - s) * inside + s * core_radius() * in_cube(p).normalized();
    });
    if (!has_shell_) return;
    add_layers(settings_.shell_layers, [&](const Lattice& p, double s) -> Vec3 {
      return (core_radius() + s * settings_.shell_thickness) * in_cube(p).normalized();
    });
  }

  /// Layer 0 is the surface of the block itself.
  int layer_vertex(const Lattice& p, int layer) const {
    const int index = lattice_index(p);
    if (layer == 0) return index;
    return first_layer_vertex_ + (layer - 1) * num_surface_ + surface_index_[index];
  }

  void add_block_cells() {
    for_each_point(n_, [&](const Lattice& p) {
      std::array<int, 8> corners;
      for (int c = 0; c < 8; ++c)
        corners[c] = lattice_index({p[0] + (c & 1), p[1] + ((c >> 1) & 1), p[2] + (c >> 2)});
      split_hex(mesh_, corners, (p[0] + p[1] + p[2]) % 2 == 0, 0);
    });
  }

  /// The layers over one face of the block; `high` is the face at n along the axis.
  void add_layer_cells(int axis, bool high) {
    // (u, v, outward) is right-handed
    const int u = (axis + (high ? 1 : 2)) % 3;
    const int v = (axis + (high ? 2 : 1)) % 3;
    Lattice p{};
    p[axis] = high ? n_ : 0;
    for (int layer = 0; layer < num_layers(); ++layer)
      for (p[u] = 0; p[u] < n_; ++p[u])
        for (p[v] = 0; p[v] < n_; ++p[v]) {
          std::array<int, 8> corners;
          for (int c = 0; c < 8; ++c) {
            Lattice corner = p;
            corner[u] += c & 1;
            corner[v] += (c >> 1) & 1;
            corners[c] = layer_vertex(corner, layer + (c >> 2));
          }
          const int region = layer < settings_.core_layers ? 0 : 1;
          split_hex(mesh_, corners, (p[0] + p[1] + p[2] + layer) % 2 == 0, region);
        }
  }

  BallSettings settings_;
  int n_;
  bool has_shell_;
  TetMesh mesh_;
  std::vector<int> surface_index_;  ///< of each lattice point; -1 inside
  int num_surface_ = 0;
  int first_layer_vertex_ = 0;
};

}  // namespace

TetMesh make_ball(const BallSettings& settings) {
  require_positive("/radius", settings.radius);
  if (!(settings.shell_thickness >= 0.0) || settings.shell_thickness >= settings.radius)
    reject_parameter("/shell_thickness", "the shell must be thinner than the radius",
                     "give a thickness from 0 (no shell) to less than the radius");
  require_count("/cells", settings.cells);
  require_count("/core_layers", settings.core_layers);
  require_count("/shell_layers", settings.shell_layers);
  const double n = settings.cells;
  const double layers = static_cast<double>(settings.core_layers) + settings.shell_layers;
  require_affordable("/cells", n * n * (n + 6.0 * layers));
  return BallBuilder(settings).build();
}

}  // namespace sinew::mesh
