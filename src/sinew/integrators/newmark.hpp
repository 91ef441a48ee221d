// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Newmark's method.
IntegratorEntry newmark();

}  // namespace sinew::integrators
