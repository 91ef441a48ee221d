// SPDX-License-Identifier: Apache-2.0
// The solvers of linear systems that a scene asks for.
#pragma once

#include <sinew/integrators/integrator.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// For what the guard redoes: factors of one step only, so that nothing need be remembered. The
/// reducer must outlive what is made with them.
integrators::Services direct_solvers(const IntegratorSpec& asked, const Catalog& catalog,
                                     const la::Reducer& reducer);
/// For the method itself.
integrators::Services linear_solvers(const IntegratorSpec& asked, const Catalog& catalog,
                                     const la::Reducer& reducer);

}  // namespace sinew::scene
