// SPDX-License-Identifier: Apache-2.0
// The formulas that a run evaluates, and where in the scene they were written: when a step fails,
// they are asked whether one of them was the cause.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sinew/core/expression.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/compile/diagnostics.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// Tells `diagnostics` if the text is not a formula. Scenes that were read from JSON have been
/// through this; those made by programs have not.
std::optional<core::Expression> parse_expression(const std::string& text, const std::string& place,
                                                 const Catalog& catalog, Diagnostics& diagnostics);
/// Three of them, with 0 for what is not a formula; their places are PLACE/0 to PLACE/2.
std::array<core::Expression, 3> parse_expressions(const Formulas& texts, const std::string& place,
                                                  const Catalog& catalog, Diagnostics& diagnostics);

class FormulaWatch {
 public:
  void add(std::shared_ptr<const core::Expression> formula, std::string place);
  /// Three that live in `owner`; their places are PLACE/0 to PLACE/2.
  void add(const std::shared_ptr<const void>& owner,
           const std::array<core::Expression, 3>& formulas, const std::string& place);

  /// The first formula that had no finite value when it was last evaluated for times from `from` to
  /// `to` [s], with its place and the time; empty if all were finite.
  std::string explain(double from, double to) const;
  /// The same as an error at the place of the formula; whether there was one.
  bool report(double from, double to, Diagnostics& diagnostics) const;

 private:
  struct Watched {
    std::shared_ptr<const core::Expression> formula;
    std::string place;
  };
  struct Found {
    const Watched* formula = nullptr;  ///< none: nothing found
    std::string what;
  };
  Found find(double from, double to) const;

  std::vector<Watched> formulas_;
};

}  // namespace sinew::scene
