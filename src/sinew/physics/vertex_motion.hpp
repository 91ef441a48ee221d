// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

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
};

}  // namespace sinew::physics
