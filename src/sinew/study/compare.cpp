// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/output/record/run_directory.hpp>
#include <sinew/output/record/run_distance.hpp>
#include <sinew/study/compare.hpp>
#include <sinew/study/joined_report.hpp>

namespace sinew::study {
namespace {

constexpr const char* reference_folder = "reference";
// compare.csv is there from the start on, and begins so: that is how a comparison is known
constexpr std::string_view mark = "integrator,dt,status,wall_seconds,";
constexpr std::string_view table_header =
    "integrator,dt,status,wall_seconds,accepted,rejected,factorizations,solves,krylov,newton,"
    "energy_final,numerical_loss,error,redone,reached,reason\n";

/// The same scene under another method.
scene::SceneSpec with_method(scene::SceneSpec scene, const std::string& name, double dt,
                             const scene::Catalog& catalog) {
  const integrators::IntegratorEntry* entry = catalog.find_integrator(name);
  if (!entry)
    throw InputError({.what = fmt::format("there is no integrator '{}'", name),
                      .hint = core::suggestion(name, catalog.integrator_names())});
  integrators::Options options(entry->options);
  // what is not the default of the scene's method was asked for
  const integrators::Options standard(catalog.find_integrator(scene.integrator.name)->options);
  for (const integrators::OptionInfo& option : entry->options) {
    const auto given = scene.integrator.options.values().find(option.name);
    if (given != scene.integrator.options.values().end() &&
        given->second != standard.values().at(option.name) && option.accepts(given->second))
      options.set(option.name, given->second);
  }
  scene.integrator.name = name;
  scene.integrator.options = options;
  scene.time.dt = dt;
  return scene;
}

/// Texts of CSV files: quoted, since sentences have commas.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

class Comparison {
 public:
  Comparison(const scene::SceneSpec& scene, const CompareOptions& options,
             const scene::Catalog& catalog)
      : scene_(scene), catalog_(catalog), options_(options) {
    plan();
  }

  ComparisonResult run() {
    require_usable_for_comparison(options_.directory, options_.replace);
    for (const BatchRun& job : jobs_)
      output::RunDirectory::require_usable(options_.directory / job.name, options_.replace);
    std::filesystem::create_directories(options_.directory);
    std::filesystem::remove(options_.directory / "report.html");
    core::write_atomically(options_.directory / "compare.csv", table_header);
    run_all();
    std::optional<output::ReportErrors> errors;
    if (options_.reference && has_finished(runs_.back())) errors = measure_errors();
    if (options_.publish) write_report(errors);
    ComparisonResult result;
    for (ComparedRun& run : runs_) {
      if (run.name == reference_folder)
        result.reference = std::move(run);
      else
        result.runs.push_back(std::move(run));
    }
    write_table(result.runs);
    return result;
  }

 private:
  static bool has_finished(const ComparedRun& run) {
    return run.summary.reason == sim::StopReason::reached_end;
  }

  const core::UnitSystem& units() const { return core::unit_system(scene_.units); }

  void plan() {
    const std::vector<double> steps =
        options_.steps.empty() ? std::vector<double>{scene_.time.dt} : options_.steps;
    double smallest = steps.front();
    std::set<std::string> names;
    for (const std::string& integrator : options_.integrators)
      for (const double dt : steps) {
        smallest = std::min(smallest, dt);
        const std::string name =
            steps.size() == 1 ? integrator : fmt::format("{}-{}", integrator, dt);
        if (!names.insert(name).second)
          throw InputError({.what = fmt::format("'{}' is asked for twice", name),
                            .hint = "name every method and step size once"});
        add(with_method(scene_, integrator, dt, catalog_), name);
      }
    if (!options_.reference) return;
    const double fine = options_.reference->dt > 0.0 ? options_.reference->dt : smallest / 16.0;
    if (fine > smallest)
      throw InputError(
          {.what = fmt::format("the step of the reference, {:.3g} {unit}, is longer than one that "
                               "is compared, {:.3g} {unit}",
                               fine, smallest, fmt::arg("unit", units().unit("s"))),
           .hint = "a reference has to be finer: without --reference-dt it takes a sixteenth"});
    add(with_method(scene_, options_.reference->integrator, fine, catalog_), reference_folder);
  }

  void add(scene::SceneSpec scene, const std::string& name) {
    runs_.push_back({.name = name, .integrator = scene.integrator.name, .dt = scene.time.dt});
    jobs_.push_back({.name = name, .scene = std::move(scene)});
  }

  void run_all() {
    run_batch(jobs_,
              {.directory = options_.directory,
               .replace = options_.replace,
               .publish = options_.publish,
               .interrupted = options_.interrupted,
               .on_ended = [this](std::size_t k, const BatchEnd& end) { note(runs_[k], end); },
               .on_progress = options_.on_progress},
              catalog_);
  }

  void note(ComparedRun& run, const BatchEnd& end) const {
    run.summary = end.summary;
    run.reached = end.reached;
    const auto energy = manifest_of(run.name)["energy"];
    const auto number = [&](const char* key) {
      return energy[key].is_number() ? energy[key].get<double>() : std::nan("");
    };
    run.energy_final = number("final");
    run.numerical_loss = number("drift");
    if (options_.on_ended) options_.on_ended(run);
  }

  nlohmann::json manifest_of(const std::string& name) const {
    return nlohmann::json::parse(core::read_file(options_.directory / name / "manifest.json"));
  }

  output::ReportErrors measure_errors() {
    const ComparedRun& fine = runs_.back();
    const output::RunReader reference(options_.directory / reference_folder);
    output::ReportErrors errors{.reference = fmt::format("{}, dt = {:.3g} {}", fine.integrator,
                                                         fine.dt, units().unit("s"))};
    for (ComparedRun& run : runs_) {
      if (run.name == reference_folder) continue;
      if (has_finished(run))
        run.error =
            output::distance_between(output::RunReader(options_.directory / run.name), reference)
                .value;
      errors.rows.push_back(
          {.run = run.name,
           .curve = run.integrator,
           .dt = run.dt,
           .error = run.error,
           .seconds = run.summary.wall_seconds,
           // within the wall time; what comes after it is not counted
           .output_seconds = manifest_of(run.name)["seconds"]["output"].get<double>(),
           .status = std::string(output::status_text(run.summary))});
    }
    return errors;
  }

  void write_report(const std::optional<output::ReportErrors>& errors) const {
    std::vector<JoinedRun> shown;
    for (const ComparedRun& run : runs_)
      if (run.name != reference_folder) shown.push_back({run.name, options_.directory / run.name});
    write_joined_report(options_.directory, scene_.name, shown, errors, catalog_);
  }

  void write_table(const std::vector<ComparedRun>& runs) const {
    std::string csv(table_header);
    for (const ComparedRun& run : runs) {
      const core::Counts& counts = run.summary.profile.counts;
      csv += fmt::format("{},{},{},{:.6g},{},{},{},{},{},{},{},{},{},{},{:.9g},{}\n",
                         run.integrator, run.dt, output::status_text(run.summary),
                         run.summary.wall_seconds, run.summary.accepted_steps,
                         run.summary.rejected_steps, counts.factorizations, counts.solves,
                         counts.krylov, counts.newton, run.energy_final, run.numerical_loss,
                         run.error ? fmt::format("{}", *run.error) : "", run.summary.redone.total(),
                         run.reached, quoted(output::reason_text(run.summary, units())));
    }
    core::write_atomically(options_.directory / "compare.csv", csv);
  }

  const scene::SceneSpec& scene_;
  const scene::Catalog& catalog_;
  const CompareOptions& options_;
  std::vector<BatchRun> jobs_;
  std::vector<ComparedRun> runs_;  // of the jobs
};

}  // namespace

std::string ending_text(const ComparedRun& run, const core::UnitSystem& units) {
  const std::string reason = output::reason_text(run.summary, units);
  // a failure says where it happened
  return run.summary.reason == sim::StopReason::stopped_by_user
             ? fmt::format("{} at t = {:.6g} {}", reason, run.reached, units.unit("s"))
             : reason;
}

void require_usable_for_comparison(const std::filesystem::path& directory, bool may_replace) {
  namespace fs = std::filesystem;
  core::require_usable_path(directory);
  const fs::path table = directory / "compare.csv";
  const bool is_comparison = fs::is_regular_file(table) && core::read_file(table).starts_with(mark);
  if (!is_comparison) {
    output::RunDirectory::require_usable(directory, true);
    if (fs::exists(directory / "manifest.json"))
      throw InputError({.file = directory.string(),
                        .what = "this is the directory of a run, not of a comparison",
                        .hint = "choose another place with -o"});
    return;
  }
  if (!may_replace)
    throw InputError({.file = directory.string(),
                      .what = "there is an earlier comparison in this directory",
                      .hint = "replace it with --force, or choose another place with -o"});
}

ComparisonResult compare(const scene::SceneSpec& scene, const CompareOptions& options,
                         const scene::Catalog& catalog) {
  SINEW_ASSERT(!options.integrators.empty(), "a comparison needs a method");
  return Comparison(scene, options, catalog).run();
}

}  // namespace sinew::study
