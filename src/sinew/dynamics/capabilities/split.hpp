// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <sinew/dynamics/state.hpp>

namespace sinew::dynamics {

struct Workspace;

/// Dofs that are stable explicitly at a given step and those that are not.
struct Partition {
  std::vector<Index> explicit_dofs, implicit_dofs;
};

/// Knows which parts of a system an explicit step can advance.
class Split {
 public:
  virtual ~Split() = default;
  virtual void partition(const State&, double dt, Workspace&, Partition&) const = 0;
};

}  // namespace sinew::dynamics
