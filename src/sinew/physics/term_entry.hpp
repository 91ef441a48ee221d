// SPDX-License-Identifier: Apache-2.0
// A term that scenes can name as the type of a load.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sinew/physics/term_system.hpp>

namespace sinew::physics {

/// One number, or a few that belong together.
struct TermParameter {
  std::string name;
  std::vector<double> defaults;
  std::string description{};  ///< with its unit
};

/// What a scene says, and where the term is to act.
struct TermArguments {
  const TermSite& site;
  std::vector<int> vertices;  ///< selected ones, in the internal order
  std::map<std::string, std::vector<double>> numbers;

  double number(const std::string& name) const { return numbers.at(name).at(0); }
  Vec3 vector(const std::string& name) const {
    const std::vector<double>& value = numbers.at(name);
    return {value.at(0), value.at(1), value.at(2)};
  }
};

struct TermEntry {
  std::string name;
  std::string summary{};
  std::vector<TermParameter> parameters{};
  std::function<std::unique_ptr<Term>(const TermArguments&)> make;
};

}  // namespace sinew::physics
