// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Forward Euler.
IntegratorEntry explicit_euler();

}  // namespace sinew::integrators
