// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include <sinew/core/executor.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/physics/bodies.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// Friction and some models of contact are about motion: what they do to a body at rest is found by
/// steps, which leave little but equilibrium where they are long.
std::string_view settling_method(const std::optional<ContactSpec>& contact);

/// Takes a body from equilibrium to equilibrium by the method `entry`, while the moved vertices of
/// `spec` follow their scripts. `state` is one of `free`, the same body without scripts: where it
/// begins, and where it ends, at rest. False: a step failed. `on_step` is told the time of the
/// script that was reached [s].
bool settle(const physics::BodiesSpec& spec, const integrators::IntegratorEntry& entry, double dt,
            double end, const core::Executor& executor, const physics::TermSystem& free,
            dynamics::State& state, const std::function<void(double)>& on_step);

}  // namespace sinew::scene
