// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <sinew/core/types.hpp>

namespace sinew::dynamics {

/// Everything a system needs to restart. A plain value: copy it, compare it, save it.
struct State {
  Vec q;           ///< positions of the free dofs [m]
  Vec v;           ///< velocities of the free dofs [m/s]
  double t = 0.0;  ///< time [s]
  Vec internal;    ///< internal variables of the system: plastic strains, friction memory

  /// Bit for bit.
  friend bool operator==(const State& a, const State& b) {
    const auto same = [](const Vec& x, const Vec& y) { return x.size() == y.size() && x == y; };
    return a.t == b.t && same(a.q, b.q) && same(a.v, b.v) && same(a.internal, b.internal);
  }
};

/// How the dofs of a system after an edit come from those before it.
struct DofMap {
  std::vector<Index> source;  ///< source[i]: the old dof that new dof i continues; -1: it is new,
                              ///< or other things are attached to it now
};

}  // namespace sinew::dynamics
