// SPDX-License-Identifier: Apache-2.0
// What the numbers of a scene mean. No formula depends on it: units of one system belong together.
// Wall times are in seconds in all of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::core {

class UnitSystem {
 public:
  struct Replacement {
    std::string_view si, own;
  };

  constexpr UnitSystem(std::string_view name, double second, std::span<const Replacement> units)
      : name_(name), second_(second), units_(units) {}

  std::string_view name() const { return name_; }
  /// Its unit of time [s].
  double second() const { return second_; }
  /// The unit that stands where SI has this one.
  std::string unit(std::string_view si) const;

 private:
  std::string_view name_;
  double second_;
  std::span<const Replacement> units_;
};

/// By its name in scenes: "si", or "md" for molecules, in nm, ps and u, and so kJ/mol. Of a name
/// that is not known, SI.
const UnitSystem& unit_system(std::string_view name);
const UnitSystem& si_units();
std::vector<std::string> unit_system_names();

}  // namespace sinew::core
