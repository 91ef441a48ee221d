// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Hilber, Hughes and Taylor.
IntegratorEntry hht();

}  // namespace sinew::integrators
