// SPDX-License-Identifier: Apache-2.0
#include "exponential/targets.hpp"

#include <utility>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>

#include "imex/targets.hpp"
#include "rosenbrock/targets.hpp"
#include "siere/targets.hpp"
#include "survey/targets.hpp"
#include "target.hpp"

namespace sinew::cli {

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> list;
    for (auto paper :
         {siere_targets, exponential_targets, rosenbrock_targets, survey_targets, imex_targets})
      for (Target& target : paper()) list.push_back(std::move(target));
    return list;
  }();
  return all;
}

const Target& find_target(const std::string& name) {
  std::vector<std::string> names;
  for (const Target& target : targets()) {
    if (target.name == name) return target;
    names.push_back(target.name);
  }
  throw InputError({.what = fmt::format("there is nothing to reproduce named '{}'", name),
                    .hint = core::suggestion(name, names)});
}

}  // namespace sinew::cli
