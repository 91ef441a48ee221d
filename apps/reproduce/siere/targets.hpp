// SPDX-License-Identifier: Apache-2.0
// Targets of the SIERE paper (Chen et al. 2020): one file each.
#pragma once

#include <vector>

#include "../target.hpp"

namespace sinew::cli {

Target siere_table2();
Target siere_fig2();
Target siere_fig4();
Target siere_fig5();
Target siere_fig6();
Target siere_fig7();
Target siere_fig8();
Target siere_fig9();
Target siere_fig10();
Target siere_fig11_12();
Target siere_fig13();
Target siere_fig14();
Target siere_fig15();
Target siere_fig16();
Target siere_fig17();
Target siere_fig18_19();
Target siere_s60();

std::vector<Target> siere_targets();

}  // namespace sinew::cli
