// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <sinew/physics/elements/padded_field.hpp>
#include <sinew/physics/loads/load_spec.hpp>

namespace sinew::physics {

/// Forces on vertices that depend on time alone. Their potential is -sum of force . position.
class VertexLoads {
 public:
  /// `rest` and the fields below are in the internal order of the vertices.
  VertexLoads(std::vector<VertexLoad> loads, std::span<const int> internal_of_user,
              std::span<const Vec3> rest);

  bool empty() const { return loads_.empty(); }
  bool depends_on_time() const { return depends_on_time_; }
  void add_force(double t, PaddedField& f) const;

 private:
  std::vector<VertexLoad> loads_;  // with internal vertex numbers
  std::span<const Vec3> rest_;
  bool depends_on_time_ = false;
};

}  // namespace sinew::physics
