// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

namespace sinew::cli {

std::vector<Target> survey_targets() {
  return {survey_example2(), survey_fig3(), survey_fig4(), survey_fig5(),
          survey_fig6(),     survey_fig7(), survey_fig8(), survey_fig9()};
}

}  // namespace sinew::cli
