// SPDX-License-Identifier: Apache-2.0
// Options of a method as data: scene parser, schema, `sinew info` and the factory read one table.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinew::integrators {

using OptionValue = std::variant<double, long, std::string>;

struct OptionInfo {
  std::string name{};
  std::string summary{};  ///< with its unit
  OptionValue default_value{};
  double minimum = 0.0;  ///< for numbers
  double maximum = std::numeric_limits<double>::infinity();
  /// For texts: all that are allowed. For numbers: words that may stand in their place.
  std::vector<std::string> choices{};
  bool word_by_default = false;  ///< a number whose default is the first of these words
  /// Choices that cost too much beyond this number of unknowns.
  std::vector<std::string> small_choices{};
  long small_limit = 0;

  bool takes_number_or_word() const {
    return !std::holds_alternative<std::string>(default_value) && !choices.empty();
  }
  /// Whether a value that suits another method's option of this name suits this one.
  bool accepts(const OptionValue& value) const {
    if (const auto* word = std::get_if<std::string>(&value))
      return std::find(choices.begin(), choices.end(), *word) != choices.end();
    return value.index() == default_value.index();
  }
  OptionValue initial() const {
    return word_by_default ? OptionValue(choices.front()) : default_value;
  }
};

/// Values by name; the factory of a method is given all of its options.
class Options {
 public:
  Options() = default;
  /// The defaults of a table of options.
  explicit Options(const std::vector<OptionInfo>& table) {
    for (const OptionInfo& option : table) values_[option.name] = option.initial();
  }

  void set(const std::string& name, OptionValue value) { values_[name] = std::move(value); }
  double number(const std::string& name) const { return std::get<double>(values_.at(name)); }
  long integer(const std::string& name) const { return std::get<long>(values_.at(name)); }
  const std::string& text(const std::string& name) const {
    return std::get<std::string>(values_.at(name));
  }
  /// Whether a word was given, maybe in place of a number.
  bool is_word(const std::string& name) const {
    return std::holds_alternative<std::string>(values_.at(name));
  }
  const std::map<std::string, OptionValue>& values() const { return values_; }

 private:
  std::map<std::string, OptionValue> values_;
};

}  // namespace sinew::integrators
