// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

namespace sinew::cli {

std::vector<Target> rosenbrock_targets() {
  return {rosenbrock_table2(), rosenbrock_fig1()};
}

}  // namespace sinew::cli
