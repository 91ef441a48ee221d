// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

/// Generalized-alpha of Chung and Hulbert.
IntegratorEntry generalized_alpha();

}  // namespace sinew::integrators
