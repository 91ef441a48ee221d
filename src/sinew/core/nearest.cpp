// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sinew/core/nearest.hpp>

namespace sinew::core {

int edit_distance(std::string_view a, std::string_view b) {
  // three rolling rows of the optimal-string-alignment table
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  // a typo changes few letters; half the name is not a typo any more
  int best_distance = std::max<int>(2, static_cast<int>(name.size()) / 2);
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(name, candidate);
    if (distance < best_distance || (distance == best_distance && best.empty())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string best = nearest(name, candidates);
  if (!best.empty()) return fmt::format("did you mean '{}'?", best);
  return fmt::format("known: {}", fmt::join(candidates, ", "));
}

}  // namespace sinew::core
