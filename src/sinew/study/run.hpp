// SPDX-License-Identifier: Apache-2.0
// A scene from beginning to end, with everything it writes: what `sinew run` does, for programs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/scene/format/scene_spec.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::study {

struct RunOptions {
  std::filesystem::path directory;  ///< empty: nothing is written
  bool frames = true;               ///< write the frames the scene asks for
  bool publish = true;              ///< make the report, pictures and other formats
  bool resume = false;              ///< continue the run in `directory`
  bool replace = false;             ///< an earlier run in `directory` makes room
  /// Wall seconds between checkpoints, of which the last is made at the end; 0: none [s]
  double checkpoint_every = 120.0;
  std::function<bool()> stop_requested{};  ///< asked between steps
  /// Asked at any time, on any thread: steps that take long are given up.
  std::function<bool()> interrupted{};
  /// Told about what is unlikely to be meant, before the first step.
  std::function<void(const Problem&)> on_warning{};
  /// Told the time that was reached and the last one while the body settles before the run [s].
  std::function<void(double t, double end)> on_settling{};
  std::vector<sim::Observer*> observers{};  ///< told everything, after the writers
  /// Asked at the end for what else a reader of the results must know, a sentence each.
  std::function<std::vector<std::string>()> notes{};
};

/// The same with mesh files by their full name, so that it means the same from any place.
scene::SceneSpec resolved(scene::SceneSpec scene);

/// The scene an earlier run was made with, from its manifest.
scene::SceneSpec scene_of_run(const std::filesystem::path& directory,
                              const std::vector<scene::Override>& overrides = {},
                              const scene::Catalog& catalog = scene::builtin_catalog());

/// Throws InputError before anything is written if the scene cannot be run. A numerical failure is
/// not an exception: the summary says where and why.
sim::RunSummary run_scene(const scene::SceneSpec& scene, const RunOptions& options,
                          const scene::Catalog& catalog = scene::builtin_catalog());

}  // namespace sinew::study
