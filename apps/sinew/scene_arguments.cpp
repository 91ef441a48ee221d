// SPDX-License-Identifier: Apache-2.0
#include "scene_arguments.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/output/publish/writers.hpp>
#include <sinew/output/record/run_directory.hpp>

namespace sinew::cli {
namespace {

std::atomic<bool> stop_requested{false};

void on_interrupt(int) {
  stop_requested = true;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

/// "gltf, obj, ply".
std::string format_names() {
  std::string names;
  for (const output::WriterEntry& writer : output::writers())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", writer.name);
  return names;
}

}  // namespace

std::vector<scene::Override> SceneArguments::overrides() const {
  std::vector<scene::Override> changes;
  // another method has other options: those of the scene's own would be unknown to it
  if (!integrator.empty())
    changes.push_back({"/integrator", nlohmann::json{{"name", integrator}}.dump()});
  const auto change = [&](const char* path, const auto& value) {
    if (value) changes.push_back({path, fmt::format("{}", *value)});
  };
  change("/time/dt", dt);
  change("/time/end", end);
  change("/output/fps", fps);
  change("/integrator/modes", modes);
  change("/threads", threads);
  if (!formats.empty()) changes.push_back({"/output/format", nlohmann::json(formats).dump()});
  for (const scene::Override& setting : setting_overrides(settings)) changes.push_back(setting);
  return changes;
}

void SceneArguments::set_end_of(scene::SceneSpec& spec) const {
  if (steps) spec.time.end = static_cast<double>(*steps) * spec.time.dt;
}

void add_scene_options(CLI::App& command, SceneArguments& arguments) {
  const std::string scene = "What is simulated", frames = "Frames";
  command
      .add_option("--integrator", arguments.integrator, "method by name (sinew list integrators)")
      ->type_name("NAME")
      ->group(scene);
  command.add_option("--dt", arguments.dt, "step size [s]")->type_name("S")->group(scene);
  CLI::Option* end =
      command.add_option("--end", arguments.end, "end time [s]")->type_name("S")->group(scene);
  command.add_option("--steps", arguments.steps, "number of steps instead of an end time")
      ->check(CLI::Range(0L, 1000000000L))
      ->type_name("N")
      ->excludes(end)
      ->group(scene);
  command
      .add_option("--modes", arguments.modes, "number of modes or auto, for methods that use them")
      ->type_name("N")
      ->group(scene);
  add_set_option(command, arguments.settings);
  command.get_option("--set")->group(scene);
  command.add_option("--threads", arguments.threads, "threads; 0: all cores")
      ->type_name("N")
      ->group(scene);
  command.add_option("--fps", arguments.fps, "frames per simulated second")
      ->type_name("N")
      ->group(frames);
  command
      .add_option("--format", arguments.formats,
                  "formats of frames, separated by commas: " + format_names())
      ->delimiter(',')
      ->type_name("NAMES")
      ->group(frames);
}

void add_set_option(CLI::App& command, std::vector<std::string>& settings) {
  command.add_option("--set", settings, "change any value of the scene; repeatable")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
}

std::filesystem::path PlaceArguments::choose(const std::string& name) const {
  if (!directory.empty()) return directory;
  std::filesystem::path usual = std::filesystem::path("runs") / file_name(name);
  if (force) return usual;
  std::filesystem::path free = output::RunDirectory::next_free(usual);
  if (free != usual)
    fmt::print(stderr, "there is something in {} already; this goes to {}\n", usual.string(),
               free.string());
  return free;
}

void add_place_options(CLI::App& command, PlaceArguments& arguments, const std::string& usual) {
  const std::string group = "Where it goes";
  command
      .add_option("-o,--output", arguments.directory,
                  fmt::format("directory (default {0}, or {0}-2 and so on)", usual))
      ->type_name("DIR")
      ->group(group);
  command.add_flag("--force", arguments.force, "replace what an earlier run left there")
      ->group(group);
}

std::vector<scene::Override> setting_overrides(const std::vector<std::string>& settings) {
  std::vector<scene::Override> changes;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError({.what = fmt::format("--set {} has no '='", setting),
                        .hint = "write --set path=value, for example --set time.dt=0.005"});
    changes.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return changes;
}

std::string file_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '-');
  return name;
}

void add_log_options(CLI::App& command, LogLevel& level) {
  static const std::map<std::string, LogLevel> levels{{"errors", LogLevel::errors},
                                                      {"warnings", LogLevel::warnings},
                                                      {"info", LogLevel::info},
                                                      {"debug", LogLevel::debug}};
  const std::string group = "Messages";
  CLI::Option* chosen =
      command
          .add_option_function<std::string>(
              "--log-level", [&level](const std::string& name) { level = levels.at(name); },
              "errors, warnings, info (default: progress and summary) or debug (every step)")
          ->check(CLI::Validator(
              [](const std::string& name) {
                std::vector<std::string> names;
                names.reserve(levels.size());
                for (const auto& [known, meaning] : levels) names.push_back(known);
                return levels.contains(name) ? std::string()
                                             : fmt::format("there is no level '{}' ({})", name,
                                                           core::suggestion(name, names));
              },
              std::string()))
          ->type_name("LEVEL")
          ->group(group);
  command
      .add_flag_callback(
          "--quiet", [&level] { level = LogLevel::warnings; },
          "no progress and no summary: --log-level warnings")
      ->excludes(chosen)
      ->group(group);
}

void print_warning(const Problem& warning) {
  fmt::print(stderr, "warning: {}\n", warning.to_string());
}

void watch_for_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool interrupt_requested() {
  return stop_requested;
}

}  // namespace sinew::cli
