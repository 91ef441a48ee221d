// SPDX-License-Identifier: Apache-2.0
// One line on stderr about how far long work is: redrawn on a terminal, a new one every few seconds
// elsewhere.
#pragma once

#include <string>

#include <sinew/core/profile.hpp>

namespace sinew::cli {

/// "0.5 s", "35 s", "12 min", "3.5 h"; "?" for what is not finite.
std::string duration_text(double seconds);

/// What is left when this part of the work took so long [s]; infinite before anything was done.
double time_left(double seconds, double done, double all);

/// The line itself.
class ProgressLine {
 public:
  ProgressLine();

  double seconds() const { return watch_.seconds(); }  ///< since it was made or begun anew
  void begin();
  bool is_due() const;
  void draw(const std::string& text);
  /// Takes it away, where there is one to take away.
  void clear();

 private:
  bool is_terminal_;
  bool is_shown_ = false;
  core::Stopwatch watch_;
  double last_drawn_ = 0.0;
};

}  // namespace sinew::cli
