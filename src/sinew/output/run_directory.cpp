// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/run_directory.hpp>

namespace sinew::output {
namespace {

namespace fs = std::filesystem;

// everything a run may have written; nothing else in the directory is ever removed
constexpr std::array run_files{"manifest.json", "energy.csv",  "steps.csv",  "probes.csv",
                               "frames.pvd",    "report.html", "preview.png"};
constexpr std::array run_folders{"frames", "checkpoint"};

bool is_run(const fs::path& path) {
  const fs::path manifest = path / "manifest.json";
  if (!fs::is_regular_file(manifest)) return false;
  const auto json = nlohmann::json::parse(core::read_file(manifest), nullptr, false);
  return json.is_object() && json.contains("format") && json.contains("status") &&
         json.contains("integrator");
}

}  // namespace

void RunDirectory::require_usable(const fs::path& path) {
  if (!fs::exists(path)) return;
  if (!fs::is_directory(path))
    throw InputError({.file = path.string(),
                      .what = "the output must be a directory, and this is a file",
                      .hint = "choose another place with -o"});
  if (!fs::is_empty(path) && !is_run(path))
    throw InputError({.file = path.string(),
                      .what = "this directory is not empty and not an earlier run, so nothing is "
                              "written there",
                      .hint = "choose another place with -o"});
}

RunDirectory RunDirectory::create(const fs::path& path) {
  require_usable(path);
  for (const char* name : run_files) {
    fs::remove(path / name);
    fs::remove(path / (std::string(name) + ".part"));
  }
  for (const char* name : run_folders) fs::remove_all(path / name);
  fs::create_directories(path);
  return RunDirectory(path);
}

RunDirectory RunDirectory::open(const fs::path& path) {
  if (!fs::is_directory(path) || !is_run(path))
    throw InputError({.file = path.string(),
                      .what = "this is not a run directory, so there is nothing to resume",
                      .hint = "give the directory that 'sinew run' wrote"});
  return RunDirectory(path);
}

}  // namespace sinew::output
