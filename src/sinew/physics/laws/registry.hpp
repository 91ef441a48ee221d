// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <sinew/physics/elements/element_set.hpp>
#include <sinew/physics/elements/spring_element.hpp>
#include <sinew/physics/named_constant.hpp>
#include <sinew/physics/term.hpp>

namespace sinew::physics {

using SpringElements = std::vector<SpringElement>;
/// Boundaries of the vertex order, from la::banded_parts over all elements.
using Parts = std::span<const int>;

/// One row of the table of spring laws: how the tension of a spring grows with its length. Made by
/// spring_law_entry() (law_entry.hpp) from a struct with energy, tension and stiffness.
struct SpringLawEntry {
  std::string_view name;
  std::string_view title;
  std::string_view formula;
  std::string_view remark;
  std::vector<NamedConstant> constants{};  ///< at most max_law_constants
  // as functions of the length
  double (*energy)(const SpringElement&, double length);     ///< [J]
  double (*tension)(const SpringElement&, double length);    ///< dW/dl [N]
  double (*stiffness)(const SpringElement&, double length);  ///< d^2 W/dl^2 [N/m]
  // as loops
  std::unique_ptr<ElementSet> (*make_elastic)(SpringElements, Parts);
  std::unique_ptr<ElementSet> (*make_about_rest)(SpringElements, Parts);
  std::unique_ptr<ElementSet> (*make_along)(SpringElements, Parts);
  std::unique_ptr<Term> (*make_plastic)(SpringElements, Parts, double energy_scale);
};

/// Every built-in law, in the order of the documentation.
std::span<const SpringLawEntry> spring_laws();

/// nullptr when there is no such law.
const SpringLawEntry* find_spring_law(std::string_view name);

}  // namespace sinew::physics
