// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <sinew/scene/format/ranges.hpp>

namespace sinew::scene {

bool Range::contains(double value) const {
  if (!std::isfinite(value)) return false;
  return exclusive ? value > minimum && value < maximum : value >= minimum && value <= maximum;
}

std::string Range::to_string() const {
  const bool low = std::isfinite(minimum), high = std::isfinite(maximum);
  std::string text;
  if (low) text += fmt::format("{} {}", exclusive ? "above" : "at least", minimum);
  if (low && high) text += " and ";
  if (high) text += fmt::format("{} {}", exclusive ? "below" : "at most", maximum);
  return text;
}

}  // namespace sinew::scene
