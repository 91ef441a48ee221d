// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "../scene_runs.hpp"

namespace sinew::cli {

/// The largest stable step of the classical Runge-Kutta method: 2 sqrt 2 over the largest frequency
/// [s].
double stable_rk4_step(const std::string& scene, const Changes& changes = {});

}  // namespace sinew::cli
