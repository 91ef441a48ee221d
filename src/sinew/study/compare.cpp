// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/mesh/io/vtu.hpp>
#include <sinew/output/publish/comparison_plots.hpp>
#include <sinew/output/publish/pictures.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/study/compare.hpp>
#include <sinew/study/run.hpp>

namespace sinew::study {
namespace {

constexpr const char* reference_folder = "reference";

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

/// Notes how far a run came.
class EndTime final : public sim::Observer {
 public:
  void on_start(const sim::FrameView& view) override { t = view.state.t; }
  void on_finish(const sim::FrameView& view, const sim::RunSummary&) override { t = view.state.t; }

  double t = 0.0;
};

/// Texts of CSV files: quoted, since sentences have commas.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

struct Job {
  scene::SceneSpec scene;
  ComparedRun run;
};

class Comparison {
 public:
  Comparison(const scene::SceneSpec& scene, const CompareOptions& options,
             const scene::Catalog& catalog)
      : scene_(scene), catalog_(catalog), options_(options) {
    plan();
  }

  ComparisonResult run() {
    core::require_usable_path(options_.directory);
    std::filesystem::create_directories(options_.directory);
    run_all();
    std::optional<output::ReportErrors> errors;
    if (options_.reference && has_finished(jobs_.back().run)) errors = measure_errors();
    publish(errors);
    ComparisonResult result;
    for (Job& job : jobs_) {
      if (job.run.name == reference_folder)
        result.reference = std::move(job.run);
      else
        result.runs.push_back(std::move(job.run));
    }
    write_table(result.runs);
    return result;
  }

 private:
  static bool has_finished(const ComparedRun& run) {
    return run.summary.reason == sim::StopReason::reached_end;
  }

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
    add(with_method(scene_, options_.reference->integrator, fine, catalog_), reference_folder);
  }

  void add(scene::SceneSpec scene, const std::string& name) {
    scene.threads = 1;
    ComparedRun run{.name = name, .integrator = scene.integrator.name, .dt = scene.time.dt};
    jobs_.push_back({std::move(scene), std::move(run)});
  }

  void run_all() {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> workers;
    const auto work = [&] {
      for (std::size_t k = next++; k < jobs_.size(); k = next++) run_one(jobs_[k]);
    };
    for (unsigned w = 0; w < std::min<std::size_t>(cores, jobs_.size()); ++w)
      workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    if (failure_) std::rethrow_exception(failure_);
  }

  void run_one(Job& job) {
    try {
      RunOptions run;
      run.directory = options_.directory / job.run.name;
      run.interrupted = options_.interrupted;
      EndTime end;
      run.observers.push_back(&end);
      job.run.summary = run_scene(job.scene, run, catalog_);
      job.run.reached = end.t;
      const auto manifest = nlohmann::json::parse(core::read_file(run.directory / "manifest.json"));
      const auto number = [&](const char* key) {
        const auto& value = manifest["energy"][key];
        return value.is_number() ? value.get<double>() : std::nan("");
      };
      job.run.energy_final = number("final");
      job.run.numerical_loss = number("drift_max");
      // of the same moment; what the summary says of output includes the end of the run
      const auto& seconds = manifest["seconds"];
      job.run.work_seconds = seconds["wall"].get<double>() - seconds["output"].get<double>();
      const std::lock_guard lock(mutex_);
      if (options_.on_ended) options_.on_ended(job.run);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  /// Distance to the reference over vertices and the frame times both runs have. There is none
  /// where they have other vertices: one broke and the other did not, or not yet.
  std::optional<double> error_of(const output::RunReader& run,
                                 const output::RunReader& reference) const {
    double sum = 0.0;
    std::size_t count = 0, at = 0;
    const double slack = 1e-6 * scene_.time.dt;
    for (const output::FrameFile& frame : run.frames()) {
      while (at < reference.frames().size() && reference.frames()[at].t < frame.t - slack) ++at;
      if (at == reference.frames().size()) break;
      if (reference.frames()[at].t > frame.t + slack || frame.t <= 0.0) continue;
      const auto a = mesh::io::read_vtu_fields(frame.path, false, {});
      const auto b = mesh::io::read_vtu_fields(reference.frames()[at].path, false, {});
      if (a.points.size() != b.points.size()) return std::nullopt;
      for (std::size_t v = 0; v < a.points.size(); ++v)
        sum += (a.points[v] - b.points[v]).squaredNorm();
      count += a.points.size();
    }
    const double error = std::sqrt(sum / static_cast<double>(count));
    if (count == 0 || !std::isfinite(error)) return std::nullopt;
    return error;
  }

  output::ReportErrors measure_errors() {
    const Job& fine = jobs_.back();
    const output::RunReader reference(options_.directory / reference_folder);
    output::ReportErrors errors{
        .reference = fmt::format("{}, dt = {:.3g} s", fine.run.integrator, fine.run.dt)};
    for (Job& job : jobs_) {
      if (job.run.name == reference_folder) continue;
      if (has_finished(job.run))
        job.run.error = error_of(output::RunReader(options_.directory / job.run.name), reference);
      errors.rows.push_back({job.run.integrator, job.run.dt, job.run.error, job.run.work_seconds,
                             std::string(output::status_text(job.run.summary))});
    }
    return errors;
  }

  void write_plots(const std::vector<output::ReportRun>& runs,
                   const std::optional<output::ReportErrors>& errors) const {
    std::vector<output::EnergyRow> rows;
    rows.reserve(runs.size());
    for (const output::ReportRun& run : runs) {
      const auto job = std::find_if(jobs_.begin(), jobs_.end(),
                                    [&](const Job& known) { return known.run.name == run.name; });
      const auto family =
          integrators::family_of(catalog_.find_integrator(job->run.integrator)->traits);
      rows.push_back({run.name, fmt::format("{} methods", family), run.run->table("energy.csv")});
    }
    const auto write = [&](const char* file, const std::string& svg) {
      if (!svg.empty()) core::write_atomically(options_.directory / file, svg);
    };
    write("energies.svg", output::energy_plots(scene_.name, rows));
    if (errors) write("work-precision.svg", output::work_precision_plot(scene_.name, *errors));
  }

  /// What shows all runs together.
  void publish(const std::optional<output::ReportErrors>& errors) const {
    std::vector<output::RunReader> readers;
    std::vector<output::SurfaceFrames> surfaces;
    readers.reserve(jobs_.size());  // the report points into both
    surfaces.reserve(jobs_.size());
    std::vector<output::ReportRun> runs;
    std::vector<output::PreviewRow> rows;
    for (const Job& job : jobs_) {
      if (job.run.name == reference_folder) continue;
      readers.emplace_back(options_.directory / job.run.name);
      surfaces.push_back(output::read_surface_frames(readers.back()));
      runs.push_back({job.run.name, &readers.back(), &surfaces.back()});
      rows.push_back({job.run.name, &readers.back(), &surfaces.back()});
    }
    write_plots(runs, errors);
    output::write_comparison_preview(options_.directory / "preview.png", rows, core::Executor(0));
    if (output::has_report_page())
      core::write_atomically(options_.directory / "report.html",
                             output::report_html(scene_.name, runs, errors));
  }

  void write_table(const std::vector<ComparedRun>& runs) const {
    std::string csv =
        "integrator,dt,status,wall_seconds,accepted,rejected,factorizations,solves,krylov,newton,"
        "energy_final,numerical_loss,error,redone,reached,reason\n";
    for (const ComparedRun& run : runs) {
      const core::Counts& counts = run.summary.profile.counts;
      csv += fmt::format("{},{},{},{:.6g},{},{},{},{},{},{},{},{},{},{},{:.9g},{}\n",
                         run.integrator, run.dt, output::status_text(run.summary),
                         run.summary.wall_seconds, run.summary.accepted_steps,
                         run.summary.rejected_steps, counts.factorizations, counts.solves,
                         counts.krylov, counts.newton, run.energy_final, run.numerical_loss,
                         run.error ? fmt::format("{}", *run.error) : "", run.summary.redone.total(),
                         run.reached, quoted(output::reason_text(run.summary)));
    }
    core::write_atomically(options_.directory / "compare.csv", csv);
  }

  const scene::SceneSpec& scene_;
  const scene::Catalog& catalog_;
  const CompareOptions& options_;
  std::vector<Job> jobs_;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

std::string ending_text(const ComparedRun& run) {
  const std::string reason = output::reason_text(run.summary);
  // a failure says where it happened
  return run.summary.reason == sim::StopReason::stopped_by_user
             ? fmt::format("{} at t = {:.6g} s", reason, run.reached)
             : reason;
}

ComparisonResult compare(const scene::SceneSpec& scene, const CompareOptions& options,
                         const scene::Catalog& catalog) {
  SINEW_ASSERT(!options.integrators.empty(), "a comparison needs a method");
  return Comparison(scene, options, catalog).run();
}

}  // namespace sinew::study
