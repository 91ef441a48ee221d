// SPDX-License-Identifier: Apache-2.0
// What of a part others answer for.
#pragma once

#include <sinew/petsc/shared_system.hpp>
#include <sinew/physics/bodies.hpp>

namespace sinew::petsc {

/// Of the part `spec` of the process `rank`: tets that do not count here, faces whose first vertex
/// and loads on vertices that others own.
Surplus make_surplus(const physics::BodiesSpec& spec, const PartNumbers& numbers, int rank,
                     const core::Executor& executor);

}  // namespace sinew::petsc
