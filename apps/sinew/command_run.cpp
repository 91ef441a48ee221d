// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/run.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "progress.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

struct RunArguments {
  std::string scene;  ///< empty: the default scene, or that of the run to resume
  std::string directory;
  std::string integrator;
  std::optional<double> dt, end, fps;
  double checkpoint_every = 0.0;
  std::optional<long> steps;
  std::optional<int> threads;
  std::optional<std::string> modes;
  std::vector<std::string> settings, formats;
  std::string resume;
  bool no_frames = false, no_report = false, quiet = false, json = false;
};

std::vector<scene::Override> overrides(const RunArguments& arguments) {
  std::vector<scene::Override> changes;
  // another method has other options: those of the scene's own would be unknown to it
  if (!arguments.integrator.empty())
    changes.push_back({"/integrator", nlohmann::json{{"name", arguments.integrator}}.dump()});
  const auto change = [&](const char* path, const auto& value) {
    if (value) changes.push_back({path, fmt::format("{}", *value)});
  };
  change("/time/dt", arguments.dt);
  change("/time/end", arguments.end);
  change("/output/fps", arguments.fps);
  change("/integrator/modes", arguments.modes);
  change("/threads", arguments.threads);
  if (!arguments.formats.empty())
    changes.push_back({"/output/format", nlohmann::json(arguments.formats).dump()});
  for (const scene::Override& setting : setting_overrides(arguments.settings))
    changes.push_back(setting);
  return changes;
}

void print_summary(const scene::SceneSpec& scene, const sim::RunSummary& summary,
                   const std::filesystem::path& directory) {
  const auto manifest = nlohmann::json::parse(core::read_file(directory / "manifest.json"));
  const auto& seconds = manifest["seconds"];
  const double wall = seconds["wall"].get<double>();
  // JSON has no infinity: the energy of a run that blew up is null there
  const auto energy = [&](const char* name) {
    const auto& value = manifest["energy"][name];
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::infinity();
  };
  fmt::print("scene       {}: {} elements, {} unknowns\n", scene.name,
             manifest["elements"].get<long>(), manifest["dofs"].get<long>());
  const bool is_molecular = scene.units == "md";
  const char* time_unit = is_molecular ? "ps" : "s";
  const char* energy_unit = is_molecular ? "kJ/mol" : "J";
  fmt::print("integrator  {}, dt = {} {}\n", scene.integrator.name, scene.time.dt, time_unit);
  fmt::print("status      {}: {}\n", manifest["status"].get<std::string>(),
             manifest["reason"].get<std::string>());
  fmt::print("steps       {} accepted, {} rejected\n", summary.accepted_steps,
             summary.rejected_steps);
  if (summary.redone.total() > 0) fmt::print("guard       {}\n", output::guard_text(summary));
  if (summary.largest_strain > 0.0)
    fmt::print("strain      at most {:.3g} % in a spring\n", 100.0 * summary.largest_strain);
  for (const std::string& note : output::health_notes(summary))
    fmt::print("health      {}\n", note);
  fmt::print(
      "time        {:.3g} s wall (assemble {:.3g}, factorise {:.3g}, solve {:.3g}, matrix "
      "functions {:.3g}, output {:.3g}), setup {:.3g} s\n",
      wall, seconds["assemble"].get<double>(), seconds["factorize"].get<double>(),
      seconds["solve"].get<double>(), seconds["phi"].get<double>(), seconds["output"].get<double>(),
      seconds["setup"].get<double>());
  fmt::print(
      "energy      {:.6g} {unit} at the start, {:.6g} {unit} at the end, largest numerical loss "
      "{:.3g} {unit}\n",
      energy("initial"), energy("final"), energy("drift_max"), fmt::arg("unit", energy_unit));
  fmt::print("written     {}\n", directory.string());
  if (std::filesystem::exists(directory / "report.html"))
    fmt::print("open        {}\n", (directory / "report.html").string());
}

int run(const RunArguments& arguments) {
  const bool resume = !arguments.resume.empty();
  scene::SceneSpec scene =
      !arguments.scene.empty() ? scene::find_scene(arguments.scene, overrides(arguments))
      : resume                 ? study::scene_of_run(arguments.resume, overrides(arguments))
               : scene::find_scene(std::string(scene::default_scene), overrides(arguments));
  if (arguments.steps) scene.time.end = static_cast<double>(*arguments.steps) * scene.time.dt;
  std::filesystem::path directory = resume ? arguments.resume : arguments.directory;
  if (directory.empty())
    directory =
        std::filesystem::path("runs") / (file_name(scene.name) + "-" + scene.integrator.name);

  Progress progress(scene.time.end);
  study::RunOptions options;
  options.directory = directory;
  options.frames = !arguments.no_frames;
  options.publish = !arguments.no_report;
  options.resume = resume;
  options.checkpoint_every = arguments.checkpoint_every;
  options.interrupted = interrupt_requested;
  options.on_warning = [](const Problem& warning) {
    fmt::print(stderr, "warning: {}\n", warning.to_string());
  };
  if (!arguments.quiet) options.observers.push_back(&progress);
  watch_for_interrupts();
  const sim::RunSummary summary = study::run_scene(scene, options);

  if (arguments.json)
    fmt::print("{}", core::read_file(directory / "manifest.json"));
  else if (!arguments.quiet)
    print_summary(scene, summary, directory);
  switch (summary.reason) {
    case sim::StopReason::reached_end:
      return exit_done;
    case sim::StopReason::stopped_by_user:
      fmt::print(stderr, "stopped; continue with: sinew run --resume {}\n", directory.string());
      return exit_stopped;
    case sim::StopReason::failed:
      fmt::print(stderr, "error: {}\n", output::reason_text(summary));
      return exit_numerical_failure;
  }
  return exit_internal_error;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "simulate a scene and write a run directory");
  command->footer(
      "Example: sinew run hanging-ball --integrator be --dt 0.005 -o out/ball-be\n"
      "         sinew run my-scene.json --set bodies.0.material.young=1e7");
  command->add_option("scene", arguments->scene,
                      "built-in scene or JSON file (default hanging-ball)");
  command->add_option("-o,--output", arguments->directory,
                      "run directory (default runs/SCENE-METHOD)");
  command->add_option("--integrator", arguments->integrator,
                      "method by name (sinew list integrators)");
  command->add_option("--dt", arguments->dt, "step size [s]");
  CLI::Option* end = command->add_option("--end", arguments->end, "end time [s]");
  command->add_option("--steps", arguments->steps, "number of steps instead of an end time")
      ->check(CLI::Range(0L, 1000000000L))
      ->excludes(end);
  command->add_option("--modes", arguments->modes,
                      "number of modes or auto, for methods that use them");
  command->add_option("--set", arguments->settings, "change any value of the scene: path=value")
      ->allow_extra_args(false);
  command->add_option("--threads", arguments->threads, "threads; 0: all cores");
  CLI::Option* format =
      command->add_option("--format", arguments->formats, "frame formats, separated by commas")
          ->delimiter(',');
  command->add_option("--fps", arguments->fps, "frames per simulated second");
  command->add_flag("--no-frames", arguments->no_frames, "write no frames");
  command->add_flag("--no-report", arguments->no_report, "make no report and no pictures")
      ->excludes(format);
  command
      ->add_option("--checkpoint-every", arguments->checkpoint_every,
                   "wall seconds between checkpoints [s]")
      ->check(CLI::Range(0.0, 1e9));
  command->add_option("--resume", arguments->resume, "continue the run in this directory");
  command->add_flag("--quiet", arguments->quiet, "no progress and no summary");
  command->add_flag("--json", arguments->json, "print the manifest instead of the summary");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace sinew::cli
