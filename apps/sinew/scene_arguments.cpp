// SPDX-License-Identifier: Apache-2.0
#include "scene_arguments.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdlib>
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

struct Measured {
  double value = 0.0;
  std::string rest;  ///< what follows the number
};

std::optional<Measured> measured(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(value)) return std::nullopt;
  return Measured{value, end};
}

/// What is wrong with a time; nothing if it is a plain number.
std::string complaint_about_time(const std::string& text) {
  static const std::map<std::string, double> factors{{"s", 1.0},   {"ms", 1e-3},  {"us", 1e-6},
                                                     {"ns", 1e-9}, {"ps", 1e-12}, {"min", 60.0},
                                                     {"h", 3600.0}};
  const std::optional<Measured> found = measured(text);
  if (!found) return fmt::format("'{}' is no number of seconds, such as 0.005", text);
  if (found->rest.empty()) return {};
  const auto factor = factors.find(found->rest);
  if (factor == factors.end())
    return fmt::format("'{}' is no number of seconds, such as 0.005", text);
  return fmt::format("'{}' has a unit; write {:.9g}, which is in seconds", text,
                     found->value * factor->second);
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
  command.add_option("--dt", arguments.dt, "step size [s]")
      ->check(any_time())
      ->type_name("S")
      ->group(scene);
  CLI::Option* end = command.add_option("--end", arguments.end, "end time [s]")
                         ->check(any_time())
                         ->type_name("S")
                         ->group(scene);
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
      throw InputError({.what = fmt::format("--set {} has no {}", setting,
                                            equals == 0 ? "path before its '='" : "'='"),
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

CLI::Validator any_time() {
  return {complaint_about_time, std::string()};
}

CLI::Validator positive_number() {
  return {[](const std::string& text) {
            const std::optional<Measured> found = measured(text);
            return found && found->rest.empty() && found->value > 0.0
                       ? std::string()
                       : fmt::format("'{}' is no number above 0", text);
          },
          std::string()};
}

CLI::Validator positive_time() {
  return {[](const std::string& text) {
            const std::string complaint = complaint_about_time(text);
            return complaint.empty() ? positive_number()(text) : complaint;
          },
          std::string()};
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
