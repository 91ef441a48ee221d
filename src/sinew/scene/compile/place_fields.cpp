// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <sinew/scene/compile/formula_watch.hpp>
#include <sinew/scene/compile/place_fields.hpp>

namespace sinew::scene {

PlaceField PlaceFields::make(const Formula& formula, const std::string& place) {
  auto parsed = parse_expression(formula.text, place, catalog_, diagnostics_);
  if (!parsed) reported_.insert(place);
  auto expression =
      std::make_shared<const core::Expression>(parsed ? std::move(*parsed) : core::Expression(0.0));
  if (expression->depends_on_time())
    diagnostics_.error(place, "what a body is made of cannot change with time",
                       "a formula in x, y and z");
  return {std::move(expression), place};
}

double PlaceFields::evaluate(const PlaceField& field, const Vec3& at, const Range& range) {
  const double value = (*field.formula)(at, 0.0);
  if (range.contains(value) || !reported_.insert(field.place).second) return value;
  const auto found = field.formula->last_not_finite();
  diagnostics_.error(field.place,
                     found && !std::isfinite(value)
                         ? core::describe_not_finite(*field.formula, *found)
                         : fmt::format("the formula gives {:.6g} at [{:.6g}, {:.6g}, {:.6g}]",
                                       value, at[0], at[1], at[2]),
                     range.to_string());
  return value;
}

DampingSpec rayleigh(const DampingSpec& damping) {
  if (!damping.modal) return damping;
  const double low = 2.0 * std::numbers::pi * damping.modal->frequencies[0];
  const double high = 2.0 * std::numbers::pi * damping.modal->frequencies[1];
  DampingSpec result = damping;
  result.mass = 2.0 * damping.modal->ratio * low * high / (low + high);
  result.stiffness = 2.0 * damping.modal->ratio / (low + high);
  return result;
}

}  // namespace sinew::scene
