// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <mutex>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>
#include <muParser.h>

#include <sinew/core/expression.hpp>

namespace sinew::core {

struct Expression::Formula {
  std::mutex mutex;  // evaluation writes to the variables below
  mu::Parser parser;
  double x = 0.0, y = 0.0, z = 0.0, t = 0.0;
  bool uses_time = false, uses_position = false;
};

Expression::Expression(double value) : value_(value) {}

Expression::Expression(const std::string& text) : formula_(std::make_unique<Formula>()) {
  try {
    mu::Parser& parser = formula_->parser;
    parser.DefineVar("x", &formula_->x);
    parser.DefineVar("y", &formula_->y);
    parser.DefineVar("z", &formula_->z);
    parser.DefineVar("t", &formula_->t);
    parser.DefineConst("pi", std::numbers::pi);
    parser.SetExpr(text);
    const auto& used = parser.GetUsedVar();
    formula_->uses_time = used.contains("t");
    formula_->uses_position = used.contains("x") || used.contains("y") || used.contains("z");
    value_ = parser.Eval();
    if (used.empty()) formula_.reset();  // a constant
  } catch (const mu::Parser::exception_type& error) {
    throw std::invalid_argument(
        fmt::format("'{}' is not a formula in x, y, z and t: {}", text, error.GetMsg()));
  }
}

Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::operator()(const Vec3& x, double t) const {
  if (!formula_) return value_;
  const std::lock_guard lock(formula_->mutex);
  formula_->x = x[0];
  formula_->y = x[1];
  formula_->z = x[2];
  formula_->t = t;
  return formula_->parser.Eval();
}

bool Expression::depends_on_time() const {
  return formula_ && formula_->uses_time;
}

bool Expression::depends_on_position() const {
  return formula_ && formula_->uses_position;
}

}  // namespace sinew::core
