// SPDX-License-Identifier: Apache-2.0
#include "human_body.hpp"

namespace sinew::cli {

Changes coarse_body(const Reproduction& reproduction) {
  if (reproduction.scale() != Scale::trial) return {};
  return {{"bodies.0.mesh.size", "0.04"}};
}

}  // namespace sinew::cli
