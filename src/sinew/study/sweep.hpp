// SPDX-License-Identifier: Apache-2.0
// A scene over a grid of its values: what `sinew sweep` does, for programs.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/study/batch.hpp>

namespace sinew::study {

/// The values that one place of the scene takes.
struct SweepAxis {
  std::string path;  ///< dotted path or JSON pointer
  std::vector<std::string> values;
};

struct SweptRun {
  std::string name;                 ///< of its folder
  std::vector<std::string> values;  ///< one per axis
  bool was_there = false;           ///< from an earlier sweep, and not run again
  std::string status{}, reason{};   ///< as its manifest says it
};

struct SweepOptions {
  std::filesystem::path directory;  ///< one folder per run goes in here, sweep.csv and the report
  bool replace = false;             ///< the table of a sweep over something else makes room
  bool publish = true;              ///< make reports and pictures, of all and of each
  std::vector<SweepAxis> axes;      ///< the last one changes fastest
  /// What else differs from the scene, in every run. A method among the axes comes before these.
  std::vector<scene::Override> settings{};
  unsigned at_once = 0;  ///< runs at the same time; 0: as many as there are cores
  std::function<bool()> interrupted{};
  /// Told one at a time about runs that ended now.
  std::function<void(const SweptRun&)> on_ended{};
  std::function<void(const std::vector<BatchProgress>&)> on_progress{};
};

/// Whether a path names the method.
bool is_method_path(const std::string& path);

/// Makes the scene with these changes.
using SceneMaker = std::function<scene::SceneSpec(const std::vector<scene::Override>&)>;

/// All scenes are made before any is run. What an earlier sweep in the directory has finished, of
/// just these scenes, is not run again; what was stopped goes on; what differs is made anew. A name
/// of a method as a value leaves out the options that the scene has for its own.
std::vector<SweptRun> sweep(const SceneMaker& make, const SweepOptions& options,
                            const scene::Catalog& catalog = scene::builtin_catalog());

}  // namespace sinew::study
