// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

namespace sinew::cli {

std::vector<Target> exponential_targets() {
  return {exp_table2(), exp_fig5(),     exp_fig6(),  exp_fig9(),  exp_fig10(),
          exp_fig11(),  exp_fig13_14(), exp_fig16(), exp_fig22(), exp_fig23()};
}

}  // namespace sinew::cli
