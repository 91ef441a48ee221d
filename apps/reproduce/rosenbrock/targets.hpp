// SPDX-License-Identifier: Apache-2.0
// Targets of the paper on exponential Rosenbrock methods (Luan and Michels 2020): one file each.
#pragma once

#include <vector>

#include "../target.hpp"

namespace sinew::cli {

Target rosenbrock_table2();
Target rosenbrock_fig1();

std::vector<Target> rosenbrock_targets();

}  // namespace sinew::cli
