// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/output/record/run_directory.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/run.hpp>

#include "commands.hpp"
#include "dry_run.hpp"
#include "program/exit_codes.hpp"
#include "progress.hpp"
#include "scene_arguments.hpp"
#include "shared_runs.hpp"

namespace sinew::cli {
namespace {

struct RunArguments {
  SceneArguments scene;  ///< without a name: the default scene, or that of the run to resume
  PlaceArguments place;
  std::string resume;
  double checkpoint_every = study::RunOptions{}.checkpoint_every;
  bool no_frames = false, no_report = false, json = false, dry = false;
  LogLevel level = LogLevel::info;
};

/// The scene as it is to be run.
scene::SceneSpec asked_scene(const RunArguments& arguments, const scene::Catalog& catalog) {
  const SceneArguments& asked = arguments.scene;
  scene::SceneSpec scene =
      !asked.scene.empty() ? scene::find_scene(asked.scene, asked.overrides(), catalog)
      : !arguments.resume.empty()
          ? study::scene_of_run(arguments.resume, asked.overrides(), catalog)
          : scene::find_scene(std::string(scene::default_scene), asked.overrides(), catalog);
  asked.set_end_of(scene);
  return scene;
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
  const core::UnitSystem& units = core::unit_system(scene.units);
  fmt::print("integrator  {}, dt = {} {}\n", scene.integrator.name, scene.time.dt, units.unit("s"));
  fmt::print("status      {}: {}\n", manifest["status"].get<std::string>(),
             manifest["reason"].get<std::string>());
  fmt::print("steps       {} accepted, {} rejected\n", summary.accepted_steps,
             summary.rejected_steps);
  if (summary.redone.total() > 0) fmt::print("guard       {}\n", output::guard_text(summary));
  if (summary.largest_strain > 0.0)
    fmt::print("strain      at most {:.3g} % in a spring\n", 100.0 * summary.largest_strain);
  for (const std::string& note : output::health_notes(summary, units))
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
      energy("initial"), energy("final"), energy("drift"), fmt::arg("unit", units.unit("J")));
  fmt::print("written     {}\n", directory.string());
  if (std::filesystem::exists(directory / "report.html"))
    fmt::print("open        {}\n", (directory / "report.html").string());
}

int exit_code_of(const sim::RunSummary& summary) {
  switch (summary.reason) {
    case sim::StopReason::reached_end:
      return exit_done;
    case sim::StopReason::stopped_by_user:
      return exit_stopped;
    case sim::StopReason::failed:
      return exit_numerical_failure;
  }
  return exit_internal_error;
}

/// `shared`: nullptr for a single process.
int run(RunArguments arguments, const SharedRuns* shared) {
  if (shared && !shared->is_first()) arguments.level = LogLevel::errors;
  const bool resume = !arguments.resume.empty();
  const scene::Catalog& catalog = shared ? shared->catalog() : scene::builtin_catalog();
  const scene::SceneSpec scene = asked_scene(arguments, catalog);
  const std::filesystem::path directory =
      resume ? std::filesystem::path(arguments.resume)
             : arguments.place.choose(scene.name + "-" + scene.integrator.name);
  watch_for_interrupts();
  if (arguments.dry) {
    output::RunDirectory::require_usable(directory, arguments.place.force);
    return dry_run(scene, directory, !arguments.no_frames);
  }

  const core::UnitSystem& units = core::unit_system(scene.units);
  Progress progress(scene.time.end, units);
  study::RunOptions options;
  options.directory = directory;
  options.frames = !arguments.no_frames;
  options.publish = !arguments.no_report;
  options.resume = resume;
  options.replace = arguments.place.force;
  options.checkpoint_every = arguments.checkpoint_every;
  options.interrupted = interrupt_requested;
  if (arguments.level >= LogLevel::warnings) options.on_warning = print_warning;
  StepLog step_log(units);
  if (arguments.level == LogLevel::debug)
    options.observers.push_back(&step_log);
  else if (arguments.level == LogLevel::info)
    options.observers.push_back(&progress);
  if (arguments.level >= LogLevel::info)
    options.on_settling = [&progress](double t, double end) { progress.on_settling(t, end); };
  const sim::RunSummary summary =
      shared ? shared->run(scene, options) : study::run_scene(scene, options, catalog);
  if (shared && !shared->is_first()) return exit_code_of(summary);

  if (arguments.json)
    fmt::print("{}", core::read_file(directory / "manifest.json"));
  else if (arguments.level >= LogLevel::info)
    print_summary(scene, summary, directory);
  if (summary.reason == sim::StopReason::stopped_by_user)
    fmt::print(stderr, "stopped; continue with: sinew run --resume {}\n", directory.string());
  if (summary.reason == sim::StopReason::failed)
    fmt::print(stderr, "error: {}\n", output::reason_text(summary, units));
  return exit_code_of(summary);
}

int run(const RunArguments& arguments) {
  const std::unique_ptr<SharedRuns> shared = start_shared_runs();
  if (!shared) return run(arguments, nullptr);
  if (arguments.dry)
    throw InputError(
        Problem{.what = "a forecast is made by one process", .hint = "leave out mpirun"});
  return shared->together([&] { return run(arguments, shared.get()); });
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "simulate a scene and write a run directory");
  command->footer(
      "Example: sinew run hanging-ball --integrator be --dt 0.005 -o out/ball-be\n"
      "         sinew run my-scene.json --set bodies.0.material.young=1e7");
  command->add_option("scene", arguments->scene.scene,
                      "built-in scene or JSON file (default hanging-ball)");
  add_scene_options(*command, arguments->scene);
  add_place_options(*command, arguments->place, "runs/SCENE-METHOD");
  CLI::Option* dry =
      command
          ->add_flag("--dry-run", arguments->dry,
                     "only say what the run would be and, from its first steps, what it would take")
          ->group("Where it goes");
  const std::string frames = "Frames", going_on = "Interrupted and longer runs", shown = "Messages";
  command->add_flag("--no-frames", arguments->no_frames, "write no frames")->group(frames);
  command->add_flag("--no-report", arguments->no_report, "make no report and no pictures")
      ->excludes(command->get_option("--format"))
      ->group(frames);
  command
      ->add_option("--checkpoint-every", arguments->checkpoint_every,
                   "wall seconds between checkpoints, the last at the end; 0: none [s]")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str()
      ->type_name("S")
      ->group(going_on);
  command
      ->add_option("--resume", arguments->resume,
                   "continue the run in this directory, also beyond its end with --end")
      ->type_name("DIR")
      ->excludes(command->get_option("--force"))
      ->excludes(dry)
      ->group(going_on);
  add_log_options(*command, arguments->level);
  command->add_flag("--json", arguments->json, "print the manifest instead of the summary")
      ->excludes(dry)
      ->group(shown);
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace sinew::cli
