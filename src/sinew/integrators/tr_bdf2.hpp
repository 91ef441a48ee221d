// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Half a step of the trapezoidal rule, then BDF2.
IntegratorEntry tr_bdf2();

}  // namespace sinew::integrators
