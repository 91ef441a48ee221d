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

  double number(const std::string& name) const { return values(name, 1)[0]; }
  Vec3 vector(const std::string& name) const {
    const std::vector<double>& value = values(name, 3);
    return {value[0], value[1], value[2]};
  }

 private:
  const std::vector<double>& values(const std::string& name, std::size_t wanted) const {
    const auto found = numbers.find(name);
    SINEW_ASSERT(found != numbers.end(), "a term asks for a parameter that it has not listed");
    SINEW_ASSERT(found->second.size() == wanted,
                 "a term asks for another number of values than its parameter has");
    return found->second;
  }
};

struct TermEntry {
  std::string name;
  std::string summary{};
  std::vector<TermParameter> parameters{};
  std::function<std::unique_ptr<Term>(const TermArguments&)> make;
};

}  // namespace sinew::physics
