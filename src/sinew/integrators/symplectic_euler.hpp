// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Symplectic Euler: explicit, one force per step.
IntegratorEntry symplectic_euler();

}  // namespace sinew::integrators
