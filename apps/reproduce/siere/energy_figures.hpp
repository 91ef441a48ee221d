// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "../scene_runs.hpp"

namespace sinew::cli {

struct EnergyFigure {
  std::string name, where, summary;
  std::string scene, title;
  std::string paper_frames;  ///< what the paper says about its run
  int modes = 5;
  std::string other, other_name;  ///< the method beside it, ours and as the paper calls it
  Changes other_options{};
  bool other_fails = false;                                 ///< the paper says so
  double trial_end = 0.0, quick_end = 0.0, full_end = 0.0;  ///< [s]
  double most_seconds = 15.0;  ///< of all processors, per run at --quick
  Changes smaller{};           ///< of the body at --quick, where its own would take too long
};

Target energy_figure(const EnergyFigure& figure);

}  // namespace sinew::cli
