// SPDX-License-Identifier: Apache-2.0
#include "progress_line.hpp"

#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

namespace sinew::cli {
namespace {

constexpr double terminal_interval = 0.1;  // [s]
constexpr double plain_interval = 5.0;     // [s]

}  // namespace

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 1.0) return fmt::format("{:.2g} s", seconds);
  if (seconds < 100.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

double time_left(double seconds, double done, double all) {
  return done > 0.0 ? (all - done) * seconds / done : INFINITY;
}

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::begin() {
  watch_ = {};
  last_drawn_ = 0.0;
}

bool ProgressLine::is_due() const {
  return watch_.seconds() - last_drawn_ >= (is_terminal_ ? terminal_interval : plain_interval);
}

void ProgressLine::draw(const std::string& text) {
  last_drawn_ = watch_.seconds();
  is_shown_ = is_terminal_;
  fmt::print(stderr, "{}{}{}", is_terminal_ ? "\r" : "", text, is_terminal_ ? "\033[K" : "\n");
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (is_shown_) fmt::print(stderr, "\r\033[K");
  is_shown_ = false;
}

}  // namespace sinew::cli
