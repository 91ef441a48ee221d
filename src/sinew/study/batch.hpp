// SPDX-License-Identifier: Apache-2.0
// Runs side by side, each on one thread and in a folder of its own: what comparisons and sweeps are
// made of.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::study {

struct BatchRun {
  std::string name;  ///< of its folder
  scene::SceneSpec scene;
  bool resume = false;  ///< goes on with what is in its folder
};

/// How far a run is.
struct BatchProgress {
  std::string name;
  double t = 0.0, end = 0.0;  ///< simulated, and to be simulated [s]
  std::string time_unit{};    ///< of these two
  double seconds = 0.0;       ///< wall time since it began [s]
  bool is_running = false, has_ended = false;
};

/// What became of a run.
struct BatchEnd {
  sim::RunSummary summary;
  double reached = 0.0;  ///< simulated time at its end [s]
};

struct BatchOptions {
  std::filesystem::path directory;  ///< the folders go in here
  bool replace = false;             ///< earlier runs in them make room
  bool publish = true;              ///< make reports and pictures of the runs
  unsigned at_once = 0;             ///< runs at the same time; 0: as many as there are cores
  std::function<bool()> interrupted{};
  /// Both are told one at a time: the number of a run that ended; after every step of any run, how
  /// far all of them are.
  std::function<void(std::size_t, const BatchEnd&)> on_ended{};
  std::function<void(const std::vector<BatchProgress>&)> on_progress{};
};

/// In the order of the runs. When one throws, the others end first.
std::vector<BatchEnd> run_batch(const std::vector<BatchRun>& runs, const BatchOptions& options,
                                const scene::Catalog& catalog);

}  // namespace sinew::study
