// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

#include <fmt/format.h>
#include <muParser.h>

#include <sinew/core/expression.hpp>
#include <sinew/core/formula_grammar.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/place_function.hpp>
#include <sinew/core/quote.hpp>

namespace sinew::core {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why, std::string hint) {
  throw FormulaError(fmt::format("{} is not a formula in x, y, z and t: {}", in_quotes(text), why),
                     std::move(hint));
}

std::string_view number_text(double value) {
  return std::isnan(value) ? "nan" : value < 0.0 ? "-inf" : "inf";  // nan has a sign to fmt
}

/// For what muParser itself refuses.
std::string hint_for(const mu::Parser::exception_type& error, const mu::Parser& parser) {
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN: {
      std::vector<std::string> names{"x", "y", "z", "t", "pi"};
      for (const auto& [name, function] : parser.GetFunDef()) names.push_back(name);
      return suggestion(error.GetToken(), names);
    }
    case mu::ecTOO_MANY_PARAMS:
      return "write decimals with a point, as in 0.5";
    case mu::ecUNEXPECTED_VAR:
    case mu::ecUNEXPECTED_VAL:
      return "products need a *, as in 2*x";
    default:
      return {};
  }
}

}  // namespace

struct Expression::Formula {
  std::mutex mutex;  // evaluation writes to the variables below
  std::string text;
  std::shared_ptr<PlaceFunctionCache> function;  // nullptr: the parser's formula
  int component = 0;
  mu::Parser parser;
  double x = 0.0, y = 0.0, z = 0.0, t = 0.0;
  bool uses_time = false, uses_position = false;
  std::optional<NotFinite> last_not_finite;

  double parsed_value(const Vec3& place, double time) {
    x = place[0];
    y = place[1];
    z = place[2];
    t = time;
    return parser.Eval();
  }
  void watch(double value, const Vec3& place, double time) {
    if (!std::isfinite(value) && place.allFinite() && std::isfinite(time))
      last_not_finite = {value, place, time};
  }
};

Expression::Expression(double value) : value_(value) {}

Expression::Expression(const std::string& text) : formula_(std::make_unique<Formula>()) {
  if (const auto problem = find_formula_problem(text)) refuse(text, problem->what, problem->hint);
  mu::Parser& parser = formula_->parser;
  try {
    formula_->text = text;
    parser.DefineVar("x", &formula_->x);
    parser.DefineVar("y", &formula_->y);
    parser.DefineVar("z", &formula_->z);
    parser.DefineVar("t", &formula_->t);
    parser.DefineConst("pi", std::numbers::pi);
    parser.SetExpr(text);
    const auto& used = parser.GetUsedVar();
    formula_->uses_time = used.contains("t");
    formula_->uses_position = used.contains("x") || used.contains("y") || used.contains("z");
    const bool is_constant = used.empty();
    value_ = parser.Eval();
    if (!is_constant) return;
  } catch (const mu::Parser::exception_type& error) {
    refuse(text, error.GetMsg(), hint_for(error, parser));
  }
  if (!std::isfinite(value_))
    throw FormulaError(fmt::format("the formula {} is {}", in_quotes(text), number_text(value_)),
                       "it must not divide by zero or take the root of a negative number");
  formula_.reset();
}

Expression::Expression(std::shared_ptr<PlaceFunctionCache> function, int component,
                       std::string text)
    : formula_(std::make_unique<Formula>()) {
  formula_->text = std::move(text);
  formula_->uses_time = function->function().depends_on_time;
  formula_->uses_position = function->function().depends_on_position;
  formula_->component = component;
  formula_->function = std::move(function);
}

Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::operator()(const Vec3& x, double t) const {
  double value = value_;
  evaluate({&x, 1}, t, {&value, 1});
  return value;
}

void Expression::evaluate(std::span<const Vec3> places, double t, std::span<double> values) const {
  if (!formula_) return std::fill(values.begin(), values.end(), value_);
  const std::lock_guard lock(formula_->mutex);
  if (formula_->function)
    formula_->function->evaluate(formula_->component, places, t, values);
  else
    for (std::size_t p = 0; p < places.size(); ++p)
      values[p] = formula_->parsed_value(places[p], t);
  for (std::size_t p = 0; p < places.size(); ++p) formula_->watch(values[p], places[p], t);
}

bool Expression::depends_on_time() const {
  return formula_ && formula_->uses_time;
}

bool Expression::depends_on_position() const {
  return formula_ && formula_->uses_position;
}

std::string Expression::text() const {
  return formula_ ? formula_->text : fmt::format("{}", value_);
}

std::optional<NotFinite> Expression::last_not_finite() const {
  if (!formula_) return std::nullopt;
  const std::lock_guard lock(formula_->mutex);
  return formula_->last_not_finite;
}

std::string describe_not_finite(const Expression& formula, const NotFinite& found) {
  std::string place;
  if (formula.depends_on_position())
    place = fmt::format("[{:.6g}, {:.6g}, {:.6g}] and ", found.x[0], found.x[1], found.x[2]);
  return fmt::format("the formula {} is {} at {}t = {:.6g}", in_quotes(formula.text()),
                     number_text(found.value), place, found.t);
}

}  // namespace sinew::core
