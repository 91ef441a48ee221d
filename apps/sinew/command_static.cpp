// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <sinew/integrators/step_report.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/static.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "progress.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

struct StaticArguments {
  std::string scene;
  PlaceArguments place;
  int load_steps = study::StaticOptions{}.load_steps;
  std::vector<std::string> settings;
  bool no_frames = false;
  LogLevel level = LogLevel::info;
};

void print_found(const study::StaticResult& found, const core::UnitSystem& units,
                 const std::filesystem::path& directory) {
  fmt::print("loads       {:.6g} % of them, in {} steps\n", 100.0 * found.reached,
             found.summary.accepted_steps);
  fmt::print("moved       at most {:.6g} {}\n", found.largest_displacement, units.unit("m"));
  fmt::print("solved      {} Newton iterations, {} factorisations, {:.3g} s\n",
             found.summary.profile.counts.newton, found.summary.profile.counts.factorizations,
             found.summary.wall_seconds);
  for (const std::string& note : found.notes) fmt::print("health      {}\n", note);
  fmt::print("written     {}\n", directory.string());
  if (std::filesystem::exists(directory / "report.html"))
    fmt::print("open        {}\n", (directory / "report.html").string());
}

int find_static(const StaticArguments& arguments) {
  // the scene's own method and its options have no say; --set integrator.KEY is of equilibrium
  std::vector<scene::Override> changes{{"/integrator", R"({"name": "equilibrium"})"}};
  for (const scene::Override& setting : setting_overrides(arguments.settings))
    changes.push_back(setting);
  const scene::SceneSpec scene = scene::find_scene(arguments.scene, changes);
  study::StaticOptions options{.load_steps = arguments.load_steps};
  options.run.directory = arguments.place.choose(scene.name + "-static");
  options.run.replace = arguments.place.force;
  options.run.frames = !arguments.no_frames;
  options.run.interrupted = interrupt_requested;
  if (arguments.level >= LogLevel::warnings) options.run.on_warning = print_warning;
  LoadProgress progress(scene.time.end);
  if (arguments.level >= LogLevel::info) options.run.observers.push_back(&progress);
  watch_for_interrupts();
  const study::StaticResult found = study::find_static(scene, options);
  if (arguments.level >= LogLevel::info)
    print_found(found, core::unit_system(scene.units), options.run.directory);
  switch (found.summary.reason) {
    case sim::StopReason::reached_end:
      return exit_done;
    case sim::StopReason::stopped_by_user:
      fmt::print(stderr, "stopped; continue with: sinew run --resume {}\n",
                 options.run.directory.string());
      return exit_stopped;
    case sim::StopReason::failed:
      fmt::print(stderr,
                 "error: no equilibrium was found beyond {:.4g} % of the loads ({}); is everything "
                 "held that could move away as a whole, or does it buckle? Other --load-steps lead "
                 "other ways\n",
                 100.0 * found.reached, integrators::to_string(found.summary.last_failure));
      return exit_numerical_failure;
  }
  return exit_internal_error;
}

}  // namespace

void add_static(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<StaticArguments>();
  CLI::App* command =
      app.add_subcommand("static", "find the equilibrium under the loads of a scene");
  command->footer(
      "Example: sinew static cantilever -o out/cantilever\n"
      "         sinew static my-scene.json --load-steps 40 --set loads.0.value.2=-9.81\n"
      "Loads grow in equal steps to what they are at the end of the scene's time.");
  command->add_option("scene", arguments->scene, "built-in scene or JSON file")->required();
  add_place_options(*command, arguments->place, "runs/SCENE-static");
  command->add_option("--load-steps", arguments->load_steps, "equal parts of the loads")
      ->check(CLI::Range(1, 1000000));
  add_set_option(*command, arguments->settings);
  command->add_flag("--no-frames", arguments->no_frames, "write no frames");
  add_log_options(*command, arguments->level);
  command->callback([arguments, &exit_code] { exit_code = find_static(*arguments); });
}

}  // namespace sinew::cli
