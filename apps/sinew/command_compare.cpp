// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/output/record/imported_run.hpp>
#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/compare.hpp>
#include <sinew/study/joined_report.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "progress.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

struct CompareArguments {
  std::vector<std::string> what;  ///< a scene, or directories of runs
  PlaceArguments place;
  std::vector<std::string> integrators, settings;
  std::vector<double> steps;
  std::optional<double> end, fps, reference_dt;
  std::string reference_integrator, against;
  bool reference = false;
  LogLevel level = LogLevel::info;
};

void print_table(const std::vector<study::ComparedRun>& runs, const core::UnitSystem& units,
                 bool with_errors) {
  const auto titled = [&](const char* title, const char* si) {
    return fmt::format("{} [{}]", title, units.unit(si));
  };
  fmt::print("{:<20} {:>9} {:<8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>15} {:>13}{}\n", "method",
             titled("dt", "s"), "status", "wall [s]", "steps", "rejected", "redone", "factors",
             "solves", titled("energy", "J"), titled("loss", "J"),
             with_errors ? fmt::format(" {:>12}", titled("error", "m")) : "");
  for (const study::ComparedRun& run : runs) {
    const core::Counts& counts = run.summary.profile.counts;
    fmt::print("{:<20} {:>9.4g} {:<8} {:>9.3g} {:>9} {:>9} {:>9} {:>9} {:>9} {:>15.5g} {:>13.3g}",
               run.integrator, run.dt, output::status_text(run.summary), run.summary.wall_seconds,
               run.summary.accepted_steps, run.summary.rejected_steps, run.summary.redone.total(),
               counts.factorizations, counts.solves, run.energy_final, run.numerical_loss);
    if (with_errors) fmt::print(" {:>12}", run.error ? fmt::format("{:.3e}", *run.error) : "-");
    fmt::print("\n");
  }
}

bool ended(const study::ComparedRun& run, sim::StopReason how) {
  return run.summary.reason == how;
}

/// A line for every run that has no complete result.
void print_unfinished(const std::vector<study::ComparedRun>& runs, const core::UnitSystem& units) {
  for (const study::ComparedRun& run : runs)
    if (!ended(run, sim::StopReason::reached_end))
      fmt::print("{:<11} {}: {}\n", output::status_text(run.summary), run.name,
                 study::ending_text(run, units));
}

void print_ending(const study::ComparedRun& run, const core::UnitSystem& units) {
  if (ended(run, sim::StopReason::reached_end))
    fmt::print(stderr, "finished {}\n", run.name);
  else
    fmt::print(stderr, "{} {}: {}\n", output::status_text(run.summary), run.name,
               study::ending_text(run, units));
}

/// A stop leaves every later run incomplete: it outranks a failure, which is a result.
int exit_code_of(const std::vector<study::ComparedRun>& runs) {
  const auto any = [&](sim::StopReason how) {
    return std::any_of(runs.begin(), runs.end(),
                       [&](const study::ComparedRun& run) { return ended(run, how); });
  };
  if (any(sim::StopReason::stopped_by_user)) return exit_stopped;
  return any(sim::StopReason::failed) ? exit_numerical_failure : exit_done;
}

bool is_run(const std::filesystem::path& path) {
  return std::filesystem::exists(path / "manifest.json");
}

/// A series of frames that another program wrote; a run of ours has one, too.
bool is_series(const std::filesystem::path& path) {
  return path.extension() == ".pvd" && !is_run(path.parent_path());
}

/// The directory of a run that is named by itself or by its series.
std::filesystem::path run_of(const std::filesystem::path& path) {
  return path.extension() == ".pvd" && !is_series(path) ? path.parent_path() : path;
}

/// Results that are there already.
bool are_results(const std::vector<std::string>& what) {
  return std::any_of(what.begin(), what.end(), [](const std::string& path) {
    return is_run(path) || std::filesystem::path(path).extension() == ".pvd";
  });
}

/// Runs as they are, and those of other programs as runs in `directory`.
std::vector<study::JoinedRun> gather(const std::vector<std::string>& what,
                                     const std::filesystem::path& directory, bool may_replace) {
  std::vector<std::filesystem::path> places;
  std::set<std::filesystem::path> known;
  for (const std::string& path : what) {
    places.push_back(run_of(path));
    if (!known.insert(std::filesystem::weakly_canonical(places.back())).second)
      throw InputError({.file = path,
                        .what = "this is given twice",
                        .hint = "give every result once; a run and a copy of it may be compared"});
  }
  std::vector<study::JoinedRun> runs = study::named_by_difference(places);
  for (study::JoinedRun& run : runs) {
    if (!is_series(run.directory)) {
      static_cast<void>(output::RunReader(run.directory));
      continue;
    }
    const std::filesystem::path series = run.directory;
    run.directory = directory / "imported" / file_name(run.name);
    output::import_series(series, run.directory, may_replace);
  }
  return runs;
}

const study::JoinedRun* find_run(const std::vector<study::JoinedRun>& runs,
                                 const std::vector<std::string>& what, const std::string& asked) {
  for (std::size_t k = 0; k < runs.size(); ++k)
    if (runs[k].name == asked || std::filesystem::path(what[k]).lexically_normal() ==
                                     std::filesystem::path(asked).lexically_normal())
      return &runs[k];
  return nullptr;
}

void print_distances(const study::MeasuredRuns& measured, const core::UnitSystem& units) {
  for (std::size_t k = 0; k < measured.distances.size(); ++k) {
    const output::RunDistance& distance = measured.distances[k];
    if (distance.value)
      fmt::print("distance    {:.4g} {}, root-mean-square over {} points at {}, from {} to {}\n",
                 *distance.value, units.unit("m"), distance.points,
                 distance.times == 1 ? "one time" : fmt::format("{} times", distance.times),
                 measured.errors.reference, measured.errors.rows[k].run);
  }
}

int join(const CompareArguments& arguments) {
  if (!arguments.integrators.empty() || !arguments.settings.empty() || arguments.reference ||
      !arguments.steps.empty() || arguments.end || arguments.fps)
    throw InputError(Problem{.what = "these runs are finished: there is nothing to choose",
                             .hint = "give directories only, or a scene and --integrators"});
  const std::filesystem::path directory = arguments.place.choose("joined");
  const std::filesystem::path file = directory / "report.html";
  if (std::filesystem::exists(directory / "manifest.json"))
    throw InputError({.file = directory.string(),
                      .what = "this is the directory of a run",
                      .hint = "choose another place with -o"});
  if (std::filesystem::exists(file) && !arguments.place.force)
    throw InputError({.file = file.string(),
                      .what = "there is a report already",
                      .hint = "replace it with --force, or choose another place with -o"});
  const std::vector<study::JoinedRun> runs =
      gather(arguments.what, directory, arguments.place.force);
  const core::UnitSystem& units = study::shared_units(runs);
  std::optional<study::MeasuredRuns> measured;
  if (!arguments.against.empty()) {
    const study::JoinedRun* reference = find_run(runs, arguments.what, arguments.against);
    if (!reference)
      throw InputError({.file = arguments.against,
                        .what = "--against names none of these results",
                        .hint = "give one of them, as it is written before"});
    measured = study::measure_against(*reference, runs);
  }
  std::filesystem::create_directories(directory);
  study::write_joined_report(directory, fmt::format("{} runs", runs.size()), runs,
                             measured ? std::optional(measured->errors) : std::nullopt);
  if (measured) {
    print_distances(*measured, units);
    for (const std::string& note : measured->notes) fmt::print(stderr, "warning: {}\n", note);
  }
  fmt::print("open        {}\n", (output::has_report_page() ? file : directory).string());
  return exit_done;
}

int compare(const CompareArguments& arguments) {
  if (are_results(arguments.what)) return join(arguments);
  if (!arguments.against.empty())
    throw InputError(Problem{.what = "--against is for runs that are finished",
                             .hint = "a scene is measured with --reference"});
  if (arguments.what.size() > 1)
    throw InputError({.file = arguments.what[1],
                      .what = "this is not the directory of a run",
                      .hint = "give one scene, or directories that sinew run has written"});
  if (arguments.integrators.empty())
    throw InputError(Problem{.what = "which methods are to be compared?",
                             .hint = "name them, as in --integrators si,be,sdirk2"});
  std::vector<scene::Override> changes = setting_overrides(arguments.settings);
  if (arguments.end) changes.push_back({"/time/end", fmt::format("{}", *arguments.end)});
  if (arguments.fps) changes.push_back({"/output/fps", fmt::format("{}", *arguments.fps)});
  const scene::SceneSpec scene = scene::find_scene(
      arguments.what.empty() ? std::string(scene::default_scene) : arguments.what.front(), changes);
  study::CompareOptions options;
  options.directory = arguments.place.choose(scene.name + "-compare");
  options.replace = arguments.place.force;
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
  options.interrupted = interrupt_requested;
  const core::UnitSystem& units = core::unit_system(scene.units);
  ComparisonProgress progress;
  if (arguments.level >= LogLevel::info) {
    options.on_ended = [&](const study::ComparedRun& run) {
      progress.clear();
      print_ending(run, units);
    };
    options.on_progress = [&progress](const std::vector<study::BatchProgress>& runs) {
      progress.on_progress(runs);
    };
  }
  watch_for_interrupts();
  const study::ComparisonResult result = study::compare(scene, options);
  std::vector<study::ComparedRun> all = result.runs;
  if (result.reference) all.push_back(*result.reference);
  if (arguments.level >= LogLevel::info) {
    print_table(result.runs, units, with_reference);
    print_unfinished(all, units);
  }
  if (result.reference && !ended(*result.reference, sim::StopReason::reached_end))
    fmt::print(stderr,
               "error: the reference run, {} with dt = {:.3g} {}, {}: there are no errors; choose "
               "another with --reference-integrator and --reference-dt\n",
               result.reference->integrator, result.reference->dt, units.unit("s"),
               ended(*result.reference, sim::StopReason::failed) ? "failed" : "was stopped");
  if (output::has_report_page())
    fmt::print("open        {}\n", (options.directory / "report.html").string());
  else
    fmt::print("written     {}\n", (options.directory / "compare.csv").string());
  return exit_code_of(all);
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand(
      "compare",
      "run a scene under several methods, or join runs: one report with motion, energies and cost");
  command->footer(
      "Example: sinew compare hanging-ball --integrators si,be,sdirk2\n"
      "         sinew compare soft-beam --integrators be,bdf2,tr-bdf2 --dt 0.02,0.01,0.005 "
      "--reference\n"
      "         sinew compare runs/a runs/b -o out/both\n"
      "         sinew compare runs/a elsewhere.pvd --against elsewhere.pvd");
  command->add_option(
      "scene", arguments->what,
      "built-in scene or JSON file; or directories of runs and series of other programs (.pvd of "
      ".vtu files), for one report of them");
  command->add_option("--integrators", arguments->integrators, "methods to compare")
      ->delimiter(',');
  command->add_option("--dt", arguments->steps, "step sizes; that of the scene [s]")
      ->delimiter(',')
      ->check(positive_time());
  command->add_flag("--reference", arguments->reference, "measure errors against a fine run");
  command->add_option("--reference-integrator", arguments->reference_integrator,
                      "its method; tr-bdf2; asks for the reference too");
  command
      ->add_option("--reference-dt", arguments->reference_dt,
                   "its step; a sixteenth of the smallest [s]; asks for the reference too")
      ->check(positive_time());
  command->add_option(
      "--against", arguments->against,
      "of finished runs: the one that distances are measured to, where points match");
  add_place_options(*command, arguments->place, "runs/SCENE-compare");
  command->add_option("--end", arguments->end, "end of the runs [s]")->check(any_time());
  command->add_option("--fps", arguments->fps, "frames per simulated second");
  add_set_option(*command, arguments->settings);
  add_log_options(*command, arguments->level);
  command->callback([arguments, &exit_code] { exit_code = compare(*arguments); });
}

}  // namespace sinew::cli
