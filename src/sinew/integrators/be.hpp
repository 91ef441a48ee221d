// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Backward Euler: Newton on the incremental potential.
IntegratorEntry be();

}  // namespace sinew::integrators
