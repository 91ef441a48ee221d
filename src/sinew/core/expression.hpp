// SPDX-License-Identifier: Apache-2.0
// A formula in x, y, z and t, as written in scene files: "z + 0.1*sin(t)", "t < 0.1 ? 100 : 0"; or
// a component of a function that a program gives in its place.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include <sinew/core/types.hpp>

namespace sinew::core {

class PlaceFunctionCache;

/// A text that is not a formula: what() shows it and says why, hint() what to do about it.
class FormulaError : public std::invalid_argument {
 public:
  FormulaError(const std::string& what, std::string hint)
      : std::invalid_argument(what), hint_(std::move(hint)) {}

  const std::string& hint() const { return hint_; }  ///< may be empty

 private:
  std::string hint_;
};

/// A value that is no number to calculate with, and where and when a formula gave it.
struct NotFinite {
  double value;
  Vec3 x;
  double t;  ///< [s]
};

class Expression {
 public:
  /// A constant.
  explicit Expression(double value = 0.0);
  /// Throws FormulaError if the text is not a formula, or a constant that is not finite.
  explicit Expression(const std::string& text);
  /// One component of a function; `text` is what scenes call it.
  Expression(std::shared_ptr<PlaceFunctionCache> function, int component, std::string text);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  /// Safe to call from several threads.
  double operator()(const Vec3& x, double t) const;
  /// At many places; a function is called once for all of them.
  void evaluate(std::span<const Vec3> places, double t, std::span<double> values) const;

  /// Whether the value can change with t.
  bool depends_on_time() const;
  /// Whether the value can change with x, y or z.
  bool depends_on_position() const;

  /// As it was written; of a constant, its value.
  std::string text() const;
  /// The last evaluation that gave no finite value, at a place and time that were finite. Whoever
  /// finds that a calculation went wrong can ask whether this formula was the cause.
  std::optional<NotFinite> last_not_finite() const;

 private:
  struct Formula;
  std::unique_ptr<Formula> formula_;
  double value_ = 0.0;
};

/// "the formula '1/t' is inf at t = 0 s", with the place where the formula depends on it.
std::string describe_not_finite(const Expression& formula, const NotFinite& found);

}  // namespace sinew::core
