// SPDX-License-Identifier: Apache-2.0
// A figure or table of a paper that can be computed again.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "claim.hpp"

namespace sinew::cli {

class Reproduction;

struct Target {
  std::string name;
  std::string paper;    ///< "Chen et al. 2020"
  std::string summary;  ///< what is shown, for the list
  std::vector<Statement> statements;
  /// Judges every statement, once.
  std::function<void(Reproduction&)> run;
};

/// All of them, by paper.
const std::vector<Target>& targets();
/// Throws InputError with the nearest name.
const Target& find_target(const std::string& name);

}  // namespace sinew::cli
