// SPDX-License-Identifier: Apache-2.0
// What commands that run scenes have in common.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <sinew/scene/format/scene_reader.hpp>

namespace sinew::cli {

/// A scene, and what is to be different in it.
struct SceneArguments {
  std::string scene;  ///< name or file
  std::string integrator;
  std::optional<double> dt, end, fps;
  std::optional<long> steps;
  std::optional<int> threads;
  std::optional<std::string> modes;
  std::vector<std::string> settings, formats;

  /// Single options first, --set last.
  std::vector<scene::Override> overrides() const;
  /// --steps, which needs the step size that the scene has with the overrides.
  void set_end_of(scene::SceneSpec& spec) const;
};
/// The options of SceneArguments, apart from the scene itself.
void add_scene_options(CLI::App& command, SceneArguments& arguments);
/// --set alone.
void add_set_option(CLI::App& command, std::vector<std::string>& settings);

/// Where results go.
struct PlaceArguments {
  std::string directory;
  bool force = false;

  /// The directory asked for, or else the first free one of runs/NAME, runs/NAME-2, ...; says so on
  /// stderr where it is not the first.
  std::filesystem::path choose(const std::string& name) const;
};
/// -o and --force; `usual`: what the directory is called without -o.
void add_place_options(CLI::App& command, PlaceArguments& arguments, const std::string& usual);

/// --set path=value, as changes of a scene.
std::vector<scene::Override> setting_overrides(const std::vector<std::string>& settings);

/// A scene's name as part of a path: no folder of its own, not outside of runs/.
std::string file_name(std::string name);

/// How much is said, each level with what those before it say: why it failed, what is unlikely to
/// be meant, how far it is and how it went, every step.
enum class LogLevel { errors, warnings, info, debug };
/// --log-level, and --quiet for `warnings`.
void add_log_options(CLI::App& command, LogLevel& level);

/// Checks of options, which say what to write instead: a plain number of seconds ("5ms" is none),
/// one above zero as well, and a number above zero of anything.
CLI::Validator any_time();
CLI::Validator positive_time();
CLI::Validator positive_number();

/// For *::on_warning: a line on stderr.
void print_warning(const Problem& warning);

/// From now on the first Ctrl-C (or SIGTERM) asks for an orderly end, the second one ends at once.
void watch_for_interrupts();
bool interrupt_requested();

}  // namespace sinew::cli
