// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Semi-implicit backward Euler: one linear solve per step.
IntegratorEntry si();

}  // namespace sinew::integrators
