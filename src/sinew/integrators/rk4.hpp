// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// The classical Runge-Kutta method of order 4.
IntegratorEntry rk4();

}  // namespace sinew::integrators
