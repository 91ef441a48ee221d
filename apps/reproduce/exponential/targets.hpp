// SPDX-License-Identifier: Apache-2.0
// Targets of the paper on exponential integrators (Michels et al. 2014): one file each, but for
// those that share a model.
#pragma once

#include <vector>

#include "../target.hpp"

namespace sinew::cli {

Target exp_table2();
Target exp_fig5();
Target exp_fig6();
Target exp_fig9();
Target exp_fig10();
Target exp_fig11();
Target exp_fig13_14();
Target exp_fig16();
Target exp_fig22();
Target exp_fig23();

std::vector<Target> exponential_targets();

}  // namespace sinew::cli
