// SPDX-License-Identifier: Apache-2.0
// Surfaces of revolution, and the shapes that are ones: capsule, cylinder and bowl.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/surfaces.hpp>

namespace sinew::mesh {
namespace {

void check_profile(std::span<const ProfilePoint> profile, ProfileKind kind) {
  if (profile.size() < 3)
    reject_parameter("/profile", fmt::format("{} points enclose nothing", profile.size()),
                     "give at least three");
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const auto& [distance, z] = profile[i];
    const bool is_end = i == 0 || i + 1 == profile.size();
    const bool on_axis = is_end && kind == ProfileKind::from_axis_to_axis;
    if (!std::isfinite(distance) || !std::isfinite(z) ||
        (on_axis ? distance != 0.0 : distance <= 0.0))
      reject_parameter(
          fmt::format("/profile/{}", i), fmt::format("({}, {}) is out of place", distance, z),
          on_axis ? "an end on the axis has the distance 0" : "give a distance greater than 0");
  }
}

/// One vertex on the axis, or one per segment.
struct ProfileCircle {
  int first = 0;
  int count = 1;

  int vertex(int segment) const { return first + segment % count; }
};

ProfileCircle add_circle(TetMesh& mesh, const ProfilePoint& point, int segments) {
  const ProfileCircle circle{mesh.num_vertices(), point.distance == 0.0 ? 1 : segments};
  for (int i = 0; i < circle.count; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / circle.count;
    mesh.vertices.emplace_back(point.distance * std::cos(angle), point.distance * std::sin(angle),
                               point.z);
  }
  return circle;
}

void add_band(TetMesh& mesh, const ProfileCircle& from, const ProfileCircle& to, int segments) {
  for (int i = 0; i < segments; ++i) {
    if (from.count > 1)
      mesh.triangles.push_back({from.vertex(i), from.vertex(i + 1), to.vertex(i + 1)});
    if (to.count > 1) mesh.triangles.push_back({from.vertex(i), to.vertex(i + 1), to.vertex(i)});
  }
}

/// Steps along a quarter of a circle that has so many segments.
int quarter_steps(int segments) {
  return (segments - 1) / 4 + 1;
}

/// A quarter of an ellipse between the axis and its widest place; angles from the widest place.
void add_quarter(std::vector<ProfilePoint>& profile, double middle, double radius, double height,
                 double from_degrees, double to_degrees, int steps) {
  for (int i = 0; i <= steps; ++i) {
    const double degrees = from_degrees + (to_degrees - from_degrees) * i / steps;
    const double angle = degrees * std::numbers::pi / 180.0;
    const bool on_axis = std::abs(degrees) == 90.0;  // where the cosine is not quite 0
    profile.push_back(
        {on_axis ? 0.0 : radius * std::cos(angle), middle + height * std::sin(angle)});
  }
}

void require_segments(int segments, double points_of_profile) {
  require_at_least("/segments", segments, 3);
  require_affordable_triangles("/segments", 2.0 * segments * points_of_profile);
}

}  // namespace

TetMesh make_revolved(std::span<const ProfilePoint> profile, ProfileKind kind, int segments) {
  check_profile(profile, kind);
  require_segments(segments, static_cast<double>(profile.size()));
  TetMesh mesh;
  std::vector<ProfileCircle> circles;
  for (const ProfilePoint& point : profile) circles.push_back(add_circle(mesh, point, segments));
  if (kind == ProfileKind::ring) circles.push_back(circles.front());
  for (std::size_t i = 0; i + 1 < circles.size(); ++i)
    add_band(mesh, circles[i], circles[i + 1], segments);
  return mesh;
}

TetMesh make_cylinder_surface(const CylinderSurfaceSettings& settings) {
  require_positive("/radius", settings.radius);
  require_positive("/length", settings.length);
  const double end = 0.5 * settings.length;
  const std::array<ProfilePoint, 4> profile{
      {{0.0, -end}, {settings.radius, -end}, {settings.radius, end}, {0.0, end}}};
  return make_revolved(profile, ProfileKind::from_axis_to_axis, settings.segments);
}

TetMesh make_capsule_surface(const CapsuleSurfaceSettings& settings) {
  const auto& [radius, half_length, segments] = settings;
  require_positive("/radius", radius);
  require_positive("/half_length", half_length);
  const int steps = quarter_steps(segments);
  require_segments(segments, 2.0 * steps);
  std::vector<ProfilePoint> profile;
  add_quarter(profile, -half_length, radius, radius, -90.0, 0.0, steps);
  add_quarter(profile, half_length, radius, radius, 0.0, 90.0, steps);
  return make_revolved(profile, ProfileKind::from_axis_to_axis, segments);
}

TetMesh make_bowl(const BowlSettings& settings) {
  const auto& [radius, depth, thickness, segments] = settings;
  require_positive("/radius", radius);
  require_positive("/depth", depth);
  require_positive("/thickness", thickness);
  const int steps = quarter_steps(segments);
  require_segments(segments, 2.0 * steps);
  const double rim = depth + thickness;
  std::vector<ProfilePoint> profile;
  add_quarter(profile, rim, radius + thickness, rim, -90.0, 0.0, steps);
  add_quarter(profile, rim, radius, depth, 0.0, -90.0, steps);
  return make_revolved(profile, ProfileKind::from_axis_to_axis, segments);
}

}  // namespace sinew::mesh
