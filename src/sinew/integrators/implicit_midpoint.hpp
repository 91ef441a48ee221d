// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Implicit midpoint rule.
IntegratorEntry implicit_midpoint();

}  // namespace sinew::integrators
