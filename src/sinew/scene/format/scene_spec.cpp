// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

Formula::Formula(double value) : text(fmt::format("{}", value)) {}

std::vector<std::string> builtin_load_types() {
  return {"gravity", "force", "pulse", "pressure", "wind"};
}

}  // namespace sinew::scene
