// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/core/executor.hpp>
#include <sinew/physics/elastic_system.hpp>

namespace sinew::scene {

/// Advances a body by backward Euler in long steps, which leaves little but equilibrium, while the
/// moved vertices of `spec` follow their scripts. `state` is one of `free`, the same body without
/// scripts: where it begins, and where it ends, at rest. False: a step failed.
bool settle(const physics::ElasticSystemSpec& spec, double dt, double end,
            const core::Executor& executor, const physics::ElasticSystem& free,
            dynamics::State& state);

}  // namespace sinew::scene
