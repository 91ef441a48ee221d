// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sinew::cli {

/// Help pages without what only the parser needs: kinds of numbers, their ranges, and which options
/// exclude each other, all of which a mistake is answered with.
class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(28); }

  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    std::string text = CLI::Formatter::make_group(group, is_positional, std::move(options));
    // the first ones follow the usage, others a blank line already
    const bool is_first = is_positional || group == "Options";
    return !is_first && text.starts_with('\n') ? text.substr(1) : text;
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_positional() || option->get_items_expected_max() == 0) return {};
    const std::string type = option->get_type_name();
    return " " + type.substr(0, type.find(':'));
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    if (option->get_required()) text += "; required";
    if (!option->get_default_str().empty()) text += "; default " + option->get_default_str();
    return text;
  }
};

}  // namespace sinew::cli
