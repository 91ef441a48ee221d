// SPDX-License-Identifier: Apache-2.0
// A box of particles, bent into the shape of a car: its top becomes bonnet, windscreen, roof, rear
// window and boot. Only the wall, two particles thick, and the parts inside are there. All are made
// of whole cells with both diagonals on every face, each rigid and sharing a face with the next.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/particle_grid.hpp>

namespace sinew::mesh {
namespace {

// Lengths below are parts of the length, the width and the height of the car.

/// Height of the top along the length, from the rear to the front.
constexpr std::array<std::array<double, 2>, 12> side_view{{{0.00, 0.58},
                                                           {0.02, 0.64},
                                                           {0.05, 0.67},
                                                           {0.16, 0.69},
                                                           {0.31, 0.96},
                                                           {0.38, 1.00},
                                                           {0.48, 1.00},
                                                           {0.55, 0.96},
                                                           {0.70, 0.67},
                                                           {0.92, 0.57},
                                                           {0.98, 0.52},
                                                           {1.00, 0.46}}};

constexpr double sill_height = 0.13;
constexpr std::array<double, 2> axles{0.19, 0.81};
constexpr double arch_length = 0.2;
constexpr double arch_height = 0.26;
constexpr double belt_height = 0.64;  // above, the sides lean inwards

/// A part of the interior, as fractions of the grid; one cell thick where low equals high.
struct InnerPart {
  std::array<double, 3> low, high;
};
constexpr std::array<InnerPart, 6> interior{{
    {{0.68, 0.0, 0.0}, {0.68, 1.0, 1.0}},    // bulkhead behind the engine
    {{0.18, 0.0, 0.0}, {0.18, 1.0, 1.0}},    // bulkhead before the boot
    {{0.44, 0.15, 0.0}, {0.44, 0.85, 0.7}},  // front seats: backrest
    {{0.44, 0.15, 0.3}, {0.56, 0.85, 0.3}},  // and cushion
    {{0.26, 0.15, 0.0}, {0.26, 0.85, 0.7}},  // rear seats
    {{0.26, 0.15, 0.3}, {0.38, 0.85, 0.3}},
}};

double top_height(double x) {
  const auto next = std::find_if(side_view.begin() + 1, side_view.end() - 1,
                                 [x](const auto& p) { return p[0] >= x; });
  const auto& [x0, z0] = *(next - 1);
  const auto& [x1, z1] = *next;
  return z0 + (z1 - z0) * (x - x0) / (x1 - x0);
}

double bottom_height(double x) {
  double height = sill_height;
  for (const double axle : axles) {
    const double from_middle = std::abs(x - axle) / (0.5 * arch_length);
    if (from_middle < 1.0)
      height += arch_height * std::pow(std::cos(0.5 * std::numbers::pi * from_middle), 0.75);
  }
  return height;
}

/// From the unit cube to the car, in parts of its size; y from -1/2 to 1/2.
Vec3 car_point(double along, double across, double up) {
  const double side = 2.0 * across - 1.0;  // -1 and 1 at the sides
  const double end = 2.0 * along - 1.0;    // -1 and 1 at the ends
  const double bottom = bottom_height(along);
  const double top = top_height(along) - 0.04 * std::pow(side, 4);
  const double z = bottom + up * (top - bottom);
  const double above_belt = std::max(0.0, z - belt_height) / (1.0 - belt_height);
  const double width = (1.0 - 0.14 * std::pow(end, 6)) * (1.0 - 0.28 * std::pow(above_belt, 1.5));
  // bumpers are curved: their middle is further out than their sides
  const double x = along - 0.03 * side * side * std::pow(end, 7);
  return {x, 0.5 * side * width, z};
}

bool is_inside(const InnerPart& part, const ParticleGrid::Point& point,
               const ParticleGrid::Point& cells) {
  for (std::size_t i = 0; i < 3; ++i) {
    const int low = static_cast<int>(std::lround(part.low[i] * cells[i]));
    const int high = std::max(low + 1, static_cast<int>(std::lround(part.high[i] * cells[i])));
    if (point[i] < low || point[i] > high) return false;
  }
  return true;
}

}  // namespace

TetMesh make_vehicle(const VehicleSettings& settings) {
  for (std::size_t i = 0; i < 3; ++i)
    require_positive("/size/" + std::to_string(i), settings.size[i]);
  require_at_least("/resolution", settings.resolution, 12);
  // cells are nearly cubes where the car is highest
  const double cell = settings.size[0] / settings.resolution;
  const double cells_across = std::max(4.0, std::round(settings.size[1] / cell));
  const double cells_up = std::max(4.0, std::round((1.0 - sill_height) * settings.size[2] / cell));
  require_affordable_particles("/resolution", settings.resolution * cells_across * cells_up);
  const ParticleGrid::Point cells{settings.resolution, static_cast<int>(cells_across),
                                  static_cast<int>(cells_up)};

  TetMesh mesh;
  ParticleGrid grid(mesh, {cells[0] + 1, cells[1] + 1, cells[2] + 1});
  const auto place = [&](const ParticleGrid::Point& point) {
    const Vec3 x =
        car_point(1.0 * point[0] / cells[0], 1.0 * point[1] / cells[1], 1.0 * point[2] / cells[2]);
    return Vec3(settings.size[0] * x[0], settings.size[1] * x[1], settings.size[2] * x[2]);
  };
  const auto has = [&](const ParticleGrid::Point& point) {
    for (std::size_t i = 0; i < 3; ++i)
      if (point[i] <= 1 || point[i] >= cells[i] - 1) return true;
    return std::any_of(interior.begin(), interior.end(),
                       [&](const InnerPart& part) { return is_inside(part, point, cells); });
  };
  grid.add_particles(place, has);

  enum Region { structural, shear, bending };
  mesh.region_names = {{structural, "structural"}, {shear, "shear"}, {bending, "bending"}};
  grid.tie_neighbours(structural);
  grid.tie_all_diagonals(shear);
  for (const ParticleGrid::Point& step :
       {ParticleGrid::Point{2, 0, 0}, ParticleGrid::Point{0, 2, 0}, ParticleGrid::Point{0, 0, 2}})
    grid.tie(step, bending);
  for (int axis = 0; axis < 3; ++axis) {
    grid.add_triangles(axis, 0, false);
    grid.add_triangles(axis, cells[static_cast<std::size_t>(axis)], true);
  }
  return mesh;
}

}  // namespace sinew::mesh
