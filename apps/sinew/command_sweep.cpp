// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/sweep.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "progress.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

struct SweepArguments {
  SceneArguments scene;
  std::string directory;
  bool force = false;
  unsigned jobs = 0;
  LogLevel level = LogLevel::info;
};

/// At commas that are not within brackets of any kind or quotation marks.
std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted && (c == '[' || c == '{' || c == '(')) ++depth;
    if (!is_quoted && (c == ']' || c == '}' || c == ')')) --depth;
    if (c == ',' && depth == 0 && !is_quoted)
      values.emplace_back();
    else
      values.back() += c;
  }
  return values;
}

/// Takes the changes with several values out of the others.
std::vector<study::SweepAxis> take_axes(std::vector<std::string>& settings) {
  std::vector<study::SweepAxis> axes;
  std::vector<std::string> others;
  for (const std::string& setting : settings) {
    const scene::Override change = setting_overrides({setting}).front();
    std::vector<std::string> values = split_values(change.value);
    if (std::any_of(values.begin(), values.end(), [](const auto& v) { return v.empty(); }))
      throw InputError(Problem{.what = fmt::format("--set {} has an empty value", setting),
                               .hint = "write --set path=a,b,c"});
    if (values.size() > 1)
      axes.push_back({change.path, std::move(values)});
    else
      others.push_back(setting);
  }
  settings = std::move(others);
  return axes;
}

void require_one_source_of_methods(const SceneArguments& scene,
                                   const std::vector<study::SweepAxis>& axes) {
  const bool has_axis = std::any_of(axes.begin(), axes.end(), [](const study::SweepAxis& axis) {
    return study::is_method_path(axis.path);
  });
  if (has_axis && !scene.integrator.empty())
    throw InputError({.what = fmt::format("--integrator {} and --set integrator.name=... both say "
                                          "which method runs",
                                          scene.integrator),
                      .hint = "leave one of them out"});
}

int sweep(SweepArguments arguments) {
  study::SweepOptions options;
  options.axes = take_axes(arguments.scene.settings);
  if (options.axes.empty())
    throw InputError(
        Problem{.what = "nothing changes in this sweep",
                .hint = "give a --set with several values, such as --set time.dt=0.01,0.005"});
  require_one_source_of_methods(arguments.scene, options.axes);
  options.settings = arguments.scene.overrides();
  const study::SceneMaker make = [&](const std::vector<scene::Override>& changes) {
    scene::SceneSpec scene = scene::find_scene(arguments.scene.scene, changes);
    arguments.scene.set_end_of(scene);
    return scene;
  };
  // where a sweep was, it goes on; settings may need a method of the axes, the name needs neither
  options.directory = arguments.directory;
  if (arguments.directory.empty())
    options.directory =
        std::filesystem::path("runs") /
        fmt::format("{}-sweep", file_name(scene::find_scene(arguments.scene.scene, {}).name));
  options.replace = arguments.force;
  options.at_once = arguments.jobs;
  options.interrupted = interrupt_requested;
  ComparisonProgress progress;
  if (arguments.level >= LogLevel::info) {
    options.on_ended = [&progress](const study::SweptRun& run) {
      progress.clear();
      fmt::print(stderr, "{} {}{}\n", run.status, run.name,
                 run.status == "failed" ? fmt::format(": {}", run.reason) : "");
    };
    options.on_progress = [&progress](const std::vector<study::BatchProgress>& runs) {
      progress.on_progress(runs);
    };
  }
  watch_for_interrupts();
  const std::vector<study::SweptRun> runs = study::sweep(make, options);
  progress.clear();
  const auto count = [&](const char* status) {
    return std::count_if(runs.begin(), runs.end(),
                         [&](const study::SweptRun& run) { return run.status == status; });
  };
  const auto earlier = std::count_if(runs.begin(), runs.end(),
                                     [](const study::SweptRun& run) { return run.was_there; });
  if (arguments.level >= LogLevel::info) {
    fmt::print(
        "runs        {}: {} finished, {} failed, {} stopped; {} of them were there already\n",
        runs.size(), count("finished"), count("failed"), count("stopped"), earlier);
    fmt::print("table       {}\n", (options.directory / "sweep.csv").string());
  }
  if (output::has_report_page())
    fmt::print("open        {}\n", (options.directory / "report.html").string());
  if (count("stopped") > 0) {
    fmt::print(stderr, "stopped; the same command goes on from here\n");
    return exit_stopped;
  }
  return count("failed") > 0 ? exit_numerical_failure : exit_done;
}

}  // namespace

void add_sweep(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* command =
      app.add_subcommand("sweep", "run a scene over a grid of its values: one table, one report");
  command->footer(
      "Example: sinew sweep soft-beam --set bodies.0.material.young=1e5,1e6,1e7 --set "
      "integrator.name=si,siere\n"
      "Every --set with several values, separated by commas, is an axis of the grid. The same "
      "command again\nruns what is missing, and goes on with what was stopped.");
  command->add_option("scene", arguments->scene.scene, "built-in scene or JSON file")->required();
  add_scene_options(*command, arguments->scene);
  command->add_option("-o,--output", arguments->directory, "folder (default runs/SCENE-sweep)");
  command->add_flag("--force", arguments->force,
                    "replace the table of a sweep over other values; folders of its runs stay");
  command->add_option("--jobs", arguments->jobs, "runs at the same time; 0: one per core")
      ->check(CLI::Range(0, 4096));
  add_log_options(*command, arguments->level);
  command->callback([arguments, &exit_code] { exit_code = sweep(*arguments); });
}

}  // namespace sinew::cli
