// SPDX-License-Identifier: Apache-2.0
// Targets of the paper on exponential integrators (Michels et al. 2014): one file each.
#pragma once

#include <vector>

#include "../target.hpp"

namespace sinew::cli {

Target exp_fig5();

std::vector<Target> exponential_targets();

}  // namespace sinew::cli
