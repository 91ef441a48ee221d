// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <sinew/scene/compile/formula_watch.hpp>

namespace sinew::scene {
namespace {

constexpr const char* remedy = "it must have a finite value at all times of the run";

}  // namespace

std::optional<core::Expression> parse_expression(const std::string& text, const std::string& place,
                                                 const Catalog& catalog, Diagnostics& diagnostics) {
  try {
    return catalog.expression(text);
  } catch (const core::FormulaError& error) {
    diagnostics.error(place, error.what(), error.hint());
    return std::nullopt;
  }
}

std::array<core::Expression, 3> parse_expressions(const Formulas& texts, const std::string& place,
                                                  const Catalog& catalog,
                                                  Diagnostics& diagnostics) {
  const auto parse = [&](std::size_t k) {
    auto parsed = parse_expression(texts[k], fmt::format("{}/{}", place, k), catalog, diagnostics);
    return parsed ? std::move(*parsed) : core::Expression(0.0);
  };
  return {parse(0), parse(1), parse(2)};
}

void FormulaWatch::add(std::shared_ptr<const core::Expression> formula, std::string place) {
  formulas_.push_back({std::move(formula), std::move(place)});
}

void FormulaWatch::add(const std::shared_ptr<const void>& owner,
                       const std::array<core::Expression, 3>& formulas, const std::string& place) {
  for (std::size_t k = 0; k < 3; ++k)
    add(std::shared_ptr<const core::Expression>(owner, &formulas[k]),
        fmt::format("{}/{}", place, k));
}

FormulaWatch::Found FormulaWatch::find(double from, double to) const {
  // velocities and accelerations of scripts are differences that reach this far beyond a step [s]
  constexpr double reach = 3e-4;
  const double slack = reach + 1e-9 * std::abs(to);
  for (const Watched& watched : formulas_) {
    const auto found = watched.formula->last_not_finite();
    if (found && found->t >= from - slack && found->t <= to + slack)
      return {&watched, core::describe_not_finite(*watched.formula, *found)};
  }
  return {};
}

std::string FormulaWatch::explain(double from, double to) const {
  const Found found = find(from, to);
  if (!found.formula) return {};
  return fmt::format("{} ({}); {}", found.what, found.formula->place, remedy);
}

bool FormulaWatch::report(double from, double to, Diagnostics& diagnostics) const {
  const Found found = find(from, to);
  if (found.formula) diagnostics.error(found.formula->place, found.what, remedy);
  return found.formula != nullptr;
}

}  // namespace sinew::scene
