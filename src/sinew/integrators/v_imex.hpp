// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Variational implicit-explicit method.
IntegratorEntry v_imex();

}  // namespace sinew::integrators
