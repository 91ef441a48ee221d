// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Semi-implicit trapezoidal half step, then semi-implicit BDF2.
IntegratorEntry str_sbdf2();

}  // namespace sinew::integrators
