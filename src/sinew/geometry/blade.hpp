// SPDX-License-Identifier: Apache-2.0
// Surfaces to cut along: on which side of one a place is, and how far it reaches.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include <sinew/core/types.hpp>

namespace sinew::geometry {

class Blade {
 public:
  virtual ~Blade() = default;

  /// Distance from the surface, or from how it would go on where it ends; negative on one side [m].
  virtual double side(const Vec3& place) const = 0;
  /// Whether a place on it is part of it, and not of how it would go on.
  virtual bool covers(const Vec3& /*place*/) const { return true; }
  /// How far along its way a place is [m].
  virtual double progress(const Vec3& place) const = 0;
  /// Of its way; none: it goes on and on [m].
  virtual std::optional<double> length() const { return std::nullopt; }
};

/// Without end. `way`: along which it advances.
std::unique_ptr<Blade> make_plane_blade(const Vec3& point, const Vec3& normal, const Vec3& way);

/// What a line through the points, two at least, leaves behind when it moves along `sweep` without
/// end. It advances along the line, whose ends go on straight.
std::unique_ptr<Blade> make_path_blade(std::span<const Vec3> points, const Vec3& sweep);

/// A surface of triangles, all seen counter-clockwise from one side. `way`: along which it
/// advances.
std::unique_ptr<Blade> make_mesh_blade(std::span<const Vec3> vertices,
                                       std::span<const std::array<int, 3>> triangles,
                                       const Vec3& way);

}  // namespace sinew::geometry
