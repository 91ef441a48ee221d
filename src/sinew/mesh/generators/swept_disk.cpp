// SPDX-License-Identifier: Apache-2.0
// Generators that sweep a disk of cells: cylinder, torus and coil spring.
//
// The disk is an inner n x n square, slightly rounded, with layers around it. A vertex is black
// when i + j + layer is even, which every cell edge changes by one.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/cross_section.hpp>
#include <sinew/mesh/generators/layers.hpp>

namespace sinew::mesh {
namespace {

Vec2 disk_block_point(int i, int j, int n) {
  const Vec2 square(2.0 * i / n - 1.0, 2.0 * j / n - 1.0);
  const double norm = square.norm();
  if (norm == 0.0) return Vec2::Zero();
  const Vec2 round = square * (square.cwiseAbs().maxCoeff() / norm);
  return inner_block_ratio * ((1.0 - inner_block_rounding) * square + inner_block_rounding * round);
}

/// The boundary of the n x n square, once around counter-clockwise.
std::vector<std::array<int, 2>> square_perimeter(int n) {
  std::vector<std::array<int, 2>> perimeter;
  perimeter.reserve(4 * static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) perimeter.push_back({i, 0});
  for (int i = 0; i < n; ++i) perimeter.push_back({n, i});
  for (int i = 0; i < n; ++i) perimeter.push_back({n - i, n});
  for (int i = 0; i < n; ++i) perimeter.push_back({0, n - i});
  return perimeter;
}

/// The unit disk, cut into cells.
CrossSection make_disk(int n, int layers) {
  CrossSection disk;
  const auto block_point = [n](int i, int j) { return i + (n + 1) * j; };
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) disk.points.push_back(disk_block_point(i, j, n));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      disk.add_cell({block_point(i, j), block_point(i + 1, j), block_point(i, j + 1),
                     block_point(i + 1, j + 1)},
                    i + j);

  // points of layer 0 are those of the square itself; the angle runs evenly around the circle
  const std::vector<std::array<int, 2>> perimeter = square_perimeter(n);
  const int around = 4 * n;
  const int first = static_cast<int>(disk.points.size());
  const std::vector<double> fractions = graded_fractions(layers);
  for (int layer = 1; layer <= layers; ++layer)
    for (int a = 0; a < around; ++a) {
      const double angle = 2.0 * std::numbers::pi * a / around - 0.75 * std::numbers::pi;
      const Vec2& inside = disk.points[block_point(perimeter[a][0], perimeter[a][1])];
      const Vec2 outside(std::cos(angle), std::sin(angle));
      const double s = fractions[layer];
      disk.points.push_back((1.0 - s) * inside + s * outside);
    }
  const auto layer_point = [&](int a, int layer) {
    a %= around;
    if (layer == 0) return block_point(perimeter[a][0], perimeter[a][1]);
    return first + (layer - 1) * around + a;
  };
  for (int layer = 0; layer < layers; ++layer)
    for (int a = 0; a < around; ++a)
      disk.add_cell({layer_point(a, layer), layer_point(a, layer + 1), layer_point(a + 1, layer),
                     layer_point(a + 1, layer + 1)},
                    perimeter[a][0] + perimeter[a][1] + layer);
  return disk;
}

double disk_cells(int n, int layers) {
  return static_cast<double>(n) * n + 4.0 * static_cast<double>(n) * layers;
}

}  // namespace

TetMesh make_cylinder(const CylinderSettings& settings) {
  require_positive("/radius", settings.radius);
  require_positive("/length", settings.length);
  require_count("/cells", settings.cells);
  require_count("/layers", settings.layers);
  require_count("/axial_cells", settings.axial_cells);
  require_affordable("/cells", disk_cells(settings.cells, settings.layers) * settings.axial_cells);
  const CrossSection disk = make_disk(settings.cells, settings.layers);
  return sweep(disk, settings.axial_cells, false, [&](const Vec2& point, int station) {
    return Vec3(settings.radius * point[0], settings.radius * point[1],
                settings.length * station / settings.axial_cells);
  });
}

TetMesh make_torus(const TorusSettings& settings) {
  require_positive("/major_radius", settings.major_radius);
  require_positive("/minor_radius", settings.minor_radius);
  if (settings.minor_radius >= settings.major_radius)
    reject_parameter("/minor_radius", "the tube would reach through the axis",
                     "make the minor radius smaller than the major radius");
  require_count("/cells", settings.cells);
  require_count("/layers", settings.layers);
  require_count("/ring_cells", settings.ring_cells);
  // the colours must match where the ring closes, and two cells would share all their vertices
  if (settings.ring_cells % 2 != 0 || settings.ring_cells < 4)
    reject_parameter("/ring_cells", fmt::format("{} cells do not close", settings.ring_cells),
                     "give an even number of at least 4");
  require_affordable("/cells", disk_cells(settings.cells, settings.layers) * settings.ring_cells);
  const CrossSection disk = make_disk(settings.cells, settings.layers);
  return sweep(disk, settings.ring_cells, true, [&](const Vec2& point, int station) {
    const double angle = 2.0 * std::numbers::pi * station / settings.ring_cells;
    const double distance = settings.major_radius + settings.minor_radius * point[0];
    // the disk's second axis points down so that (outward, down, onward) is right-handed
    return Vec3(distance * std::cos(angle), distance * std::sin(angle),
                -settings.minor_radius * point[1]);
  });
}

TetMesh make_coil_spring(const CoilSpringSettings& settings) {
  require_positive("/coil_radius", settings.coil_radius);
  require_positive("/wire_radius", settings.wire_radius);
  require_positive("/pitch", settings.pitch);
  if (!std::isfinite(settings.turns) || settings.turns <= 0.0)
    reject_parameter("/turns", fmt::format("{} turns make no coil", settings.turns),
                     "give a number greater than 0");
  if (settings.wire_radius >= settings.coil_radius)
    reject_parameter("/wire_radius", "the wire would reach through the axis",
                     "make the wire radius smaller than the coil radius");
  const double around = 2.0 * std::numbers::pi * settings.coil_radius;
  const double length = std::hypot(around, settings.pitch);  // of one turn
  // neighbouring turns are pitch * around/length apart, across the wire
  if (settings.turns > 1.0 && settings.pitch * around / length <= 2.0 * settings.wire_radius)
    reject_parameter("/pitch", "neighbouring turns would overlap",
                     fmt::format("make the pitch clearly larger than the thickness of the wire, "
                                 "{:.6g} m",
                                 2.0 * settings.wire_radius));
  require_count("/cells", settings.cells);
  require_count("/layers", settings.layers);
  require_count("/wire_cells", settings.wire_cells);
  // a cell that turns by a third of the circle or more may be inside out
  if (settings.wire_cells < 4.0 * settings.turns)
    reject_parameter(
        "/wire_cells",
        fmt::format("{} cells are too few for {} turns", settings.wire_cells, settings.turns),
        "give at least four per turn");
  require_affordable("/cells", disk_cells(settings.cells, settings.layers) * settings.wire_cells);
  const CrossSection disk = make_disk(settings.cells, settings.layers);
  return sweep(disk, settings.wire_cells, false, [&](const Vec2& point, int station) {
    const double turn = settings.turns * station / settings.wire_cells;
    const double angle = 2.0 * std::numbers::pi * turn;
    const Vec3 outward(std::cos(angle), std::sin(angle), 0.0);
    const Vec3 onward = Vec3(-around * outward[1], around * outward[0], settings.pitch) / length;
    const Vec3 third = onward.cross(outward);
    return Vec3(settings.coil_radius * outward + settings.pitch * turn * Vec3::UnitZ() +
                settings.wire_radius * (point[0] * outward + point[1] * third));
  });
}

}  // namespace sinew::mesh
