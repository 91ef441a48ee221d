// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include <sinew/core/formula_grammar.hpp>

namespace sinew::core {
namespace {

/// What is known between two brackets, or outside of all.
struct Level {
  bool is_call = false;       ///< the brackets belong to a function
  bool has_compared = false;  ///< since the last operator that combines or ends comparisons
};

class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  std::optional<FormulaProblem> run() {
    while (at_ < text_.size()) {
      if (auto problem = read_token()) return problem;
    }
    return std::nullopt;
  }

 private:
  std::optional<FormulaProblem> read_token() {
    const char c = text_[at_];
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
      return std::nullopt;
    }
    if (byte < 0x20 || byte == 0x7F)
      return problem(fmt::format("there is a control character (code {})", byte), "remove it");
    if (c == '"' || c == '\'')
      return problem("there is a quotation mark", "a formula is made of numbers; remove it");
    if (std::isalpha(byte) || c == '_') {
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
      follows_word_ = true;
      return std::nullopt;
    }
    const bool followed_word = follows_word_;
    follows_word_ = false;
    const std::string_view two = text_.substr(at_, 2);
    if (two == "==" || two == "!=" || two == "<=" || two == ">=") return compare(2);
    if (c == '<' || c == '>') return compare(1);
    if (c == '=')
      return problem("'=' would set a variable",
                     "write == to compare, <= or >= for at most and at least");
    if (two == "&&" || two == "||") {
      level().has_compared = false;
      ++at_;
    } else if (c == '?' || c == ':') {
      level().has_compared = false;
    } else if (c == '(') {
      levels_.push_back({.is_call = followed_word});
    } else if (c == ')') {
      if (levels_.size() > 1) levels_.pop_back();  // one too many is muParser's to tell
    } else if (c == ',') {
      if (!level().is_call)
        return problem("',' is not between the arguments of a function",
                       "write decimals with a point, as in 0.5");
      level().has_compared = false;
    }
    ++at_;
    return std::nullopt;
  }

  std::optional<FormulaProblem> compare(std::size_t length) {
    if (level().has_compared)
      return problem("a comparison is compared again",
                     "a < b < c means (a < b) < c; write a < b && b < c");
    level().has_compared = true;
    at_ += length;
    return std::nullopt;
  }

  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  Level& level() { return levels_.back(); }

  FormulaProblem problem(std::string_view what, std::string hint) const {
    return {fmt::format("{} at character {}", what, at_ + 1), std::move(hint)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Level> levels_{Level{}};
  bool follows_word_ = false;
};

}  // namespace

std::optional<FormulaProblem> find_formula_problem(std::string_view text) {
  return Scan(text).run();
}

}  // namespace sinew::core
