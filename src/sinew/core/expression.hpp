// SPDX-License-Identifier: Apache-2.0
// A formula in x, y, z and t, as written in scene files: "z + 0.1*sin(t)", "t < 0.1 ? 100 : 0".
#pragma once

#include <memory>
#include <string>

#include <sinew/core/types.hpp>

namespace sinew::core {

class Expression {
 public:
  /// A constant.
  explicit Expression(double value = 0.0);
  /// Throws std::invalid_argument with a readable message if the text is not a formula.
  explicit Expression(const std::string& text);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  /// Safe to call from several threads.
  double operator()(const Vec3& x, double t) const;

  /// Whether the value can change with t.
  bool depends_on_time() const;
  /// Whether the value can change with x, y or z.
  bool depends_on_position() const;

 private:
  struct Formula;
  std::unique_ptr<Formula> formula_;
  double value_ = 0.0;
};

}  // namespace sinew::core
