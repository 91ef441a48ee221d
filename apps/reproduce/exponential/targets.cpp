// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

namespace sinew::cli {

std::vector<Target> exponential_targets() {
  return {exp_fig5()};
}

}  // namespace sinew::cli
