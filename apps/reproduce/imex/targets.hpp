// SPDX-License-Identifier: Apache-2.0
// Targets of the paper on mixed steps (Fierz et al. 2011): one file each.
#pragma once

#include <vector>

#include "../target.hpp"

namespace sinew::cli {

Target imex_fig3_7();

std::vector<Target> imex_targets();

}  // namespace sinew::cli
