// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <sinew/core/types.hpp>

namespace sinew::physics {

/// Where vertices go that are not free.
class VertexMotion {
 public:
  virtual ~VertexMotion() = default;

  /// `index`: of the vertex among those of the motion; `rest`: where it is at rest [m].
  virtual Vec3 position(std::size_t index, const Vec3& rest, double t) const = 0;
  virtual Vec3 velocity(std::size_t index, const Vec3& rest, double t) const = 0;
  virtual Vec3 acceleration(std::size_t index, const Vec3& rest, double t) const = 0;
  virtual bool depends_on_time() const = 0;

  /// Where many vertices are at one time, and their velocities and accelerations [m], [m/s],
  /// [m/s^2]; an empty `a`: not wanted.
  struct Places {
    std::span<const std::size_t> indices;
    std::span<const Vec3> rest;
    std::span<Vec3> x, v, a;
  };
  virtual void evaluate(const Places& places, double t) const {
    for (std::size_t k = 0; k < places.indices.size(); ++k) {
      places.x[k] = position(places.indices[k], places.rest[k], t);
      places.v[k] = velocity(places.indices[k], places.rest[k], t);
      if (!places.a.empty()) places.a[k] = acceleration(places.indices[k], places.rest[k], t);
    }
  }
};

}  // namespace sinew::physics
