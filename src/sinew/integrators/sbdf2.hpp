// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Semi-implicit BDF2: one linear solve per step.
IntegratorEntry sbdf2();

}  // namespace sinew::integrators
