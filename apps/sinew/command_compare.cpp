// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/output/report.hpp>
#include <sinew/scene/builtin_scenes.hpp>
#include <sinew/scene/compare.hpp>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

struct CompareArguments {
  std::string scene = std::string(scene::default_scene), directory;
  std::vector<std::string> integrators, settings;
  std::vector<double> steps;
  std::optional<double> end, fps, reference_dt;
  std::string reference_integrator;
  bool reference = false, quiet = false;
};

void print_table(const std::vector<scene::ComparedRun>& runs, bool with_errors) {
  fmt::print("{:<20} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>12} {:>12}{}\n", "method",
             "dt [s]", "wall [s]", "steps", "rejected", "redone", "factors", "solves", "energy [J]",
             "loss [J]", with_errors ? "    error [m]" : "");
  for (const scene::ComparedRun& run : runs) {
    const core::Counts& counts = run.summary.profile.counts;
    fmt::print("{:<20} {:>9.4g} {:>9.3g} {:>9} {:>9} {:>9} {:>9} {:>9} {:>12.5g} {:>12.3g}",
               run.integrator, run.dt, run.summary.wall_seconds, run.summary.accepted_steps,
               run.summary.rejected_steps, run.summary.redone.total(), counts.factorizations,
               counts.solves, run.energy_final, run.numerical_loss);
    if (with_errors) fmt::print(" {:>12}", run.error ? fmt::format("{:.3e}", *run.error) : "-");
    if (run.summary.reason == sim::StopReason::failed)
      fmt::print("  failed at t = {:.4g} s", run.summary.failure_time);
    fmt::print("\n");
  }
}

int compare(const CompareArguments& arguments) {
  std::vector<scene::Override> changes = setting_overrides(arguments.settings);
  if (arguments.end) changes.push_back({"/time/end", fmt::format("{}", *arguments.end)});
  if (arguments.fps) changes.push_back({"/output/fps", fmt::format("{}", *arguments.fps)});
  const scene::SceneSpec scene = scene::find_scene(arguments.scene, changes);
  scene::CompareOptions options;
  options.directory = arguments.directory;
  if (arguments.directory.empty())
    options.directory = std::filesystem::path("runs") / (file_name(scene.name) + "-compare");
  options.integrators = arguments.integrators;
  options.steps = arguments.steps;
  const bool with_reference =
      arguments.reference || arguments.reference_dt || !arguments.reference_integrator.empty();
  if (with_reference) {
    options.reference.emplace();
    if (!arguments.reference_integrator.empty())
      options.reference->integrator = arguments.reference_integrator;
    options.reference->dt = arguments.reference_dt.value_or(0.0);
  }
  options.stop_requested = interrupt_requested;
  if (!arguments.quiet)
    options.on_finished = [](const std::string& run) { fmt::print(stderr, "finished {}\n", run); };
  watch_for_interrupts();
  const std::vector<scene::ComparedRun> runs = scene::compare(scene, options);
  if (!arguments.quiet) print_table(runs, with_reference);
  if (output::has_report_page())
    fmt::print("open        {}\n", (options.directory / "report.html").string());
  else
    fmt::print("written     {}\n", (options.directory / "compare.csv").string());
  if (interrupt_requested()) return exit_stopped;
  for (const scene::ComparedRun& run : runs)
    if (run.summary.reason == sim::StopReason::failed) return exit_numerical_failure;
  return exit_done;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand(
      "compare", "run a scene under several methods: one report with motion, energies and cost");
  command->footer(
      "Example: sinew compare hanging-ball --integrators si,be,sdirk2\n"
      "         sinew compare soft-beam --integrators be,bdf2,tr-bdf2 --dt 0.02,0.01,0.005 "
      "--reference");
  command->add_option("scene", arguments->scene, "built-in scene or JSON file");
  command->add_option("--integrators", arguments->integrators, "methods to compare")
      ->delimiter(',')
      ->required();
  command->add_option("--dt", arguments->steps, "step sizes; that of the scene [s]")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  command->add_flag("--reference", arguments->reference, "measure errors against a fine run");
  command->add_option("--reference-integrator", arguments->reference_integrator,
                      "its method; tr-bdf2");
  command
      ->add_option("--reference-dt", arguments->reference_dt,
                   "its step; a sixteenth of the smallest [s]")
      ->check(CLI::PositiveNumber);
  command->add_option("-o,--output", arguments->directory, "folder; runs/SCENE-compare");
  command->add_option("--end", arguments->end, "end of the runs [s]");
  command->add_option("--fps", arguments->fps, "frames per simulated second");
  command->add_option("--set", arguments->settings, "change the scene: path=value");
  command->add_flag("--quiet", arguments->quiet, "print the file to open only");
  command->callback([arguments, &exit_code] { exit_code = compare(*arguments); });
}

}  // namespace sinew::cli
