// SPDX-License-Identifier: Apache-2.0
// Targets of the survey (Ascher et al. 2022): one file each.
#pragma once

#include <vector>

#include "../target.hpp"

namespace sinew::cli {

Target survey_example2();
Target survey_fig3();
Target survey_fig4();
Target survey_fig5();
Target survey_fig6();
Target survey_fig7();
Target survey_fig8();
Target survey_fig9();

std::vector<Target> survey_targets();

}  // namespace sinew::cli
