// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <sinew/core/error.hpp>
#include <sinew/render/sampling.hpp>
#include <sinew/render/shape.hpp>
#include <sinew/render/studio.hpp>

namespace sinew::render {
namespace {

// triangles that meet at less than 45 degrees share a smooth surface, those at more than 70 an
// edge; in between one becomes the other, so that a deforming body does not flicker
constexpr float cos_smooth = 0.707f, cos_sharp = 0.342f;

/// The part of a corner's triangle in the normals around it: its angle.
struct CornerAngles {
  Vec3f normal;
  std::array<float, 3> angles;
};

float angle_between(const Vec3f& a, const Vec3f& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

std::vector<CornerAngles> corner_angles(const Shape& shape) {
  std::vector<CornerAngles> corners;
  corners.reserve(shape.triangles.size());
  for (const auto& triangle : shape.triangles) {
    const Vec3f& a = shape.positions[static_cast<std::size_t>(triangle[0])];
    const Vec3f& b = shape.positions[static_cast<std::size_t>(triangle[1])];
    const Vec3f& c = shape.positions[static_cast<std::size_t>(triangle[2])];
    corners.push_back(
        {(b - a).cross(c - a).normalized(),
         {angle_between(b - a, c - a), angle_between(c - b, a - b), angle_between(a - c, b - c)}});
  }
  return corners;
}

/// Corners (3 * triangle + place) by vertex: those of vertex v are [start[v], start[v + 1]).
struct Incidence {
  std::vector<int> start, corners;
};

Incidence incidence(const Shape& shape) {
  Incidence result;
  result.start.assign(shape.positions.size() + 1, 0);
  for (const auto& triangle : shape.triangles)
    for (const int v : triangle) ++result.start[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 1; v < result.start.size(); ++v) result.start[v] += result.start[v - 1];
  result.corners.resize(3 * shape.triangles.size());
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  for (std::size_t t = 0; t < shape.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto v = static_cast<std::size_t>(shape.triangles[t][k]);
      result.corners[static_cast<std::size_t>(next[v]++)] = static_cast<int>(3 * t + k);
    }
  return result;
}

void add_normals(Shape& shape) {
  const std::vector<CornerAngles> triangles = corner_angles(shape);
  const Incidence around = incidence(shape);
  shape.normals.resize(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto v = static_cast<std::size_t>(shape.triangles[t][k]);
      Vec3f sum = Vec3f::Zero();
      for (int c = around.start[v]; c < around.start[v + 1]; ++c) {
        const auto corner = static_cast<std::size_t>(around.corners[static_cast<std::size_t>(c)]);
        const CornerAngles& other = triangles[corner / 3];
        const float share =
            smooth_step(cos_sharp, cos_smooth, triangles[t].normal.dot(other.normal));
        sum += share * other.angles[corner % 3] * other.normal;
      }
      shape.normals[t][k] = sum.normalized();
    }
}

bool usable(const Shape& shape, const std::array<int, 3>& triangle) {
  std::array<Vec3f, 3> p;
  for (std::size_t k = 0; k < 3; ++k) {
    p[k] = shape.positions[static_cast<std::size_t>(triangle[k])];
    // also false for NaN
    if (!(p[k].cwiseAbs().maxCoeff() < 1e6f) || !p[k].allFinite()) return false;
  }
  const Vec3f u = p[1] - p[0], v = p[2] - p[0];
  // the direction of the normal must be more than rounding
  return u.cross(v).norm() > 1e-6f * u.norm() * v.norm() && u.cross(v).norm() > 1e-30f;
}

}  // namespace

Shape make_shape(const Surface& surface, const Vec3& centre, double scale) {
  SINEW_ASSERT(surface.values.empty() || surface.values.size() == surface.positions.size(),
               "a surface has one value per vertex or none");
  Shape shape;
  shape.albedo = to_linear(surface.colour);
  shape.opacity = std::clamp(surface.opacity, 0.0f, 1.0f);
  shape.positions.reserve(surface.positions.size() + 1);
  for (const Vec3& position : surface.positions)
    shape.positions.push_back(((position - centre) / scale).cast<float>());
  shape.positions.push_back(Vec3f::Zero());
  shape.values.reserve(surface.values.size());
  for (const double value : surface.values) shape.values.push_back(static_cast<float>(value));
  const int count = static_cast<int>(surface.positions.size());
  for (const auto& triangle : surface.triangles) {
    for (const int v : triangle)
      SINEW_ASSERT(v >= 0 && v < count, "a triangle has a vertex that does not exist");
    if (usable(shape, triangle)) shape.triangles.push_back(triangle);
  }
  // what no triangle uses must not reach Embree as NaN
  for (Vec3f& position : shape.positions)
    if (!position.allFinite()) position.setZero();
  add_normals(shape);
  return shape;
}

}  // namespace sinew::render
