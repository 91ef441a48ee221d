// SPDX-License-Identifier: Apache-2.0
#include "claim.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include <sinew/core/error.hpp>

namespace sinew::cli {
namespace {

constexpr std::array words{std::pair{Verdict::agrees, std::string_view("agree")},
                           std::pair{Verdict::differs, std::string_view("differ")},
                           std::pair{Verdict::not_comparable, std::string_view("not comparable")}};

}  // namespace

std::string_view to_string(Verdict verdict) {
  return words[static_cast<std::size_t>(verdict)].second;
}

Verdict verdict_of(std::string_view word) {
  for (const auto& [verdict, name] : words)
    if (name == word) return verdict;
  throw InputError({.what = fmt::format("there is no verdict '{}'", word)});
}

Verdict agrees_if(bool condition) {
  return condition ? Verdict::agrees : Verdict::differs;
}

}  // namespace sinew::cli
