// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

namespace sinew::cli {

std::vector<Target> imex_targets() {
  return {imex_fig3_7()};
}

}  // namespace sinew::cli
