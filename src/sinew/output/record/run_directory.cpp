// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/core/quote.hpp>
#include <sinew/output/record/run_directory.hpp>

namespace sinew::output {
namespace {

namespace fs = std::filesystem;

// everything a run may have written; nothing else in the directory is ever removed
constexpr std::array run_files{"manifest.json", "energy.csv",     "steps.csv",   "probes.csv",
                               "frames.pvd",    "surface.pvd",    "report.html", "preview.png",
                               "animation.glb", "animation.usda", "frames.npz",  "modes.csv"};
constexpr std::array run_folders{"frames", "checkpoint", "obj", "ply"};

bool is_run(const fs::path& path) {
  const fs::path manifest = path / "manifest.json";
  if (!fs::is_regular_file(manifest)) return false;
  const auto json = nlohmann::json::parse(core::read_file(manifest), nullptr, false);
  return json.is_object() && json.contains("format") && json.contains("status") &&
         json.contains("integrator");
}

/// What a run leaves that was killed before its first manifest: unfinished tables, nothing else.
bool is_stillborn_run(const fs::path& path) {
  return std::all_of(fs::directory_iterator(path), fs::directory_iterator(), [](const auto& entry) {
    const fs::path file = entry.path().filename();
    return file.extension() == ".part" &&
           std::find(run_files.begin(), run_files.end(), file.stem()) != run_files.end();
  });
}

/// What exists of the way to a new directory must be directories.
void require_folder_above(const fs::path& path) {
  fs::path above = fs::absolute(path).parent_path();
  while (!fs::exists(above) && above.has_relative_path()) above = above.parent_path();
  if (!fs::is_directory(above))
    throw InputError({.file = path.string(),
                      .what = fmt::format("there is a file called {} on the way to this directory",
                                          core::in_quotes(above.filename().string())),
                      .hint = "choose another place with -o"});
}

}  // namespace

void RunDirectory::require_usable(const fs::path& path, bool may_replace) {
  core::require_usable_path(path);
  if (!fs::exists(path)) return require_folder_above(path);
  if (!fs::is_directory(path))
    throw InputError({.file = path.string(),
                      .what = "the output must be a directory, and this is a file",
                      .hint = "choose another place with -o"});
  if (is_stillborn_run(path)) return;
  if (!is_run(path))
    throw InputError({.file = path.string(),
                      .what = "this directory is not empty and not an earlier run, so nothing is "
                              "written there",
                      .hint = "choose another place with -o"});
  if (!may_replace)
    throw InputError({.file = path.string(),
                      .what = "there is an earlier run in this directory",
                      .hint = "replace it with --force, or choose another place with -o"});
}

fs::path RunDirectory::next_free(const fs::path& path) {
  const auto is_free = [](const fs::path& place) {
    return !fs::exists(place) || (fs::is_directory(place) && is_stillborn_run(place));
  };
  fs::path place = path;
  for (int number = 2; !is_free(place); ++number)
    place = fmt::format("{}-{}", path.string(), number);
  return place;
}

RunDirectory RunDirectory::create(const fs::path& path, bool may_replace) {
  require_usable(path, may_replace);
  for (const char* name : run_files) {
    fs::remove(path / name);
    fs::remove(path / (std::string(name) + ".part"));
  }
  for (const char* name : run_folders) fs::remove_all(path / name);
  fs::create_directories(path);
  return RunDirectory(path);
}

RunDirectory RunDirectory::open(const fs::path& path) {
  core::require_usable_path(path);
  if (!fs::is_directory(path) || !is_run(path))
    throw InputError({.file = path.string(),
                      .what = "this is not a run directory",
                      .hint = "give the directory that 'sinew run' wrote"});
  return RunDirectory(path);
}

RunDirectory RunDirectory::open_to_continue(const fs::path& path) {
  RunDirectory directory = open(path);
  // a killed run may have left files half written; only its tables are worth continuing
  for (const char* name : run_folders)
    if (fs::is_directory(path / name))
      for (const auto& entry : fs::directory_iterator(path / name))
        if (entry.path().extension() == ".part") fs::remove(entry.path());
  return directory;
}

}  // namespace sinew::output
