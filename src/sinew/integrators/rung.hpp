// SPDX-License-Identifier: Apache-2.0
// Ways of making a step when the method as asked for does not succeed, from the first to the last.
// The numbers are those of steps.csv.
#pragma once

#include <vector>

namespace sinew::integrators {

enum class Rung {
  as_asked = 0,
  projected = 1,  ///< the same method with the projected tangent
  linear = 2,     ///< a robust method with one linear solve, projected
  nonlinear = 3,  ///< a robust method that solves the nonlinear equations
  refused = 4,    ///< none of them succeeded
};

/// What comes after the method itself, as far as it makes sense for one.
using Rungs = std::vector<Rung>;

}  // namespace sinew::integrators
