// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Two-step backward differentiation formula.
IntegratorEntry bdf2();

}  // namespace sinew::integrators
