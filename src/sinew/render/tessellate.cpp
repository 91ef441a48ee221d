// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/Geometry>

#include <sinew/core/error.hpp>
#include <sinew/render/tessellate.hpp>

namespace sinew::render {
namespace {

void add_quad(Surface& surface, int a, int b, int c, int d) {
  surface.triangles.push_back({a, b, c});
  surface.triangles.push_back({a, c, d});
}

/// Rings of vertices between the two poles; with this many, a radius of 300 pixels is off by less
/// than a sixth of a pixel.
Surface triangles_of(const Sphere& sphere, double) {
  SINEW_ASSERT(sphere.radius > 0.0, "a sphere needs a radius");
  constexpr int rings = 64, sectors = 128;
  Surface surface;
  surface.positions.push_back(sphere.centre - sphere.radius * Vec3::UnitZ());
  for (int i = 1; i < rings; ++i)
    for (int j = 0; j < sectors; ++j) {
      const double polar = std::numbers::pi * i / rings,
                   turn = 2.0 * std::numbers::pi * j / sectors;
      const double r = std::sin(polar);
      surface.positions.push_back(sphere.centre + sphere.radius * Vec3(r * std::cos(turn),
                                                                       r * std::sin(turn),
                                                                       -std::cos(polar)));
    }
  surface.positions.push_back(sphere.centre + sphere.radius * Vec3::UnitZ());
  const int last = static_cast<int>(surface.positions.size()) - 1;
  const auto vertex = [&](int i, int j) {
    return i == 0 ? 0 : i == rings ? last : 1 + (i - 1) * sectors + j % sectors;
  };
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < sectors; ++j)
      add_quad(surface, vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j));
  return surface;
}

Surface triangles_of(const Plane& plane, double default_half_size) {
  SINEW_ASSERT(plane.normal.norm() > 0.0, "a plane needs a normal");
  const double half = plane.half_size > 0.0 ? plane.half_size : default_half_size;
  const Vec3 normal = plane.normal.normalized();
  // one side of the square is level
  const bool level = std::abs(normal.z()) > 0.999;
  const Vec3 across = (level ? Vec3::UnitX() : Vec3(Vec3::UnitZ().cross(normal))).normalized();
  const Vec3 along = normal.cross(across);
  Surface surface;
  for (const auto& [s, t] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
    surface.positions.push_back(plane.point + half * (s * across + t * along));
  add_quad(surface, 0, 1, 2, 3);
  return surface;
}

Surface triangles_of(const Box& box, double) {
  Surface surface;
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0);
    surface.positions.push_back(box.centre + box.rotation * corner.cwiseProduct(box.half_size));
  }
  add_quad(surface, 0, 2, 3, 1);
  add_quad(surface, 4, 5, 7, 6);
  add_quad(surface, 0, 1, 5, 4);
  add_quad(surface, 2, 6, 7, 3);
  add_quad(surface, 0, 4, 6, 2);
  add_quad(surface, 1, 3, 7, 5);
  return surface;
}

}  // namespace

Surface tessellate(const Obstacle& obstacle, double plane_half_size) {
  Surface surface = std::visit(
      [&](const auto& form) { return triangles_of(form, plane_half_size); }, obstacle.form);
  surface.colour = obstacle.colour;
  surface.opacity = obstacle.opacity;
  return surface;
}

}  // namespace sinew::render
