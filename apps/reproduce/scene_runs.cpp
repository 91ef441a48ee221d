// SPDX-License-Identifier: Apache-2.0
#include "scene_runs.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/run.hpp>

#include "cpu_clock.hpp"
#include "program/progress_line.hpp"

namespace sinew::cli {
namespace {

/// Notes the energies after every accepted step, and says on stderr how far the run is.
class RunRecorder final : public sim::Observer {
 public:
  RunRecorder(SceneRun& run, double end, double most_seconds)
      : run_(run), end_(end), most_seconds_(most_seconds) {}

  void on_start(const sim::FrameView& view) override {
    const std::vector<std::string>& names = view.ledger.stored_names();
    run_.stored_names.assign(names.begin(), names.end());
    run_.stored.resize(names.size());
    note(view);
    run_.begin = view.state.q;
    line_.begin();
    cpu_ = {};
    has_begun_ = true;
  }
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override {
    if (record.report.status == integrators::StepStatus::accepted) note(view);
    if (view.step == 1) run_.first_step = cpu_.seconds();
    if (line_.is_due())
      line_.draw(fmt::format("{}: t {:.4g}/{:.4g} s, {} left", run_.label, view.state.t, end_,
                             duration_text(time_left(line_.seconds(), view.state.t, end_))));
  }
  void on_finish(const sim::FrameView& view, const sim::RunSummary&) override {
    run_.cpu_seconds = cpu_.seconds();
    run_.end = view.state.q;
    line_.clear();
  }
  /// Asked on other threads too.
  bool is_too_slow() const { return has_begun_ && cpu_.seconds() > most_seconds_; }

 private:
  void note(const sim::FrameView& view) {
    const sim::EnergyRecord& energy = view.ledger.record();
    run_.t.push_back(view.state.t);
    run_.total.push_back(energy.total);
    run_.kinetic.push_back(energy.kinetic);
    for (std::size_t k = 0; k < run_.stored.size(); ++k) run_.stored[k].push_back(energy.stored[k]);
  }

  SceneRun& run_;
  double end_, most_seconds_;
  CpuClock cpu_;
  std::atomic<bool> has_begun_ = false;
  ProgressLine line_;
};

/// "siere, s = 5" as "siere-s-5".
std::string folder_name(const std::string& label) {
  std::string name;
  for (const char c : label) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  return name;
}

const std::vector<double>& curve_of(const SceneRun& run, EnergyKind kind,
                                    std::vector<double>& scratch) {
  if (kind == EnergyKind::total) return run.total;
  if (kind == EnergyKind::elastic) return run.energy("elastic");
  return scratch = run.potential();
}

}  // namespace

Changes operator+(Changes first, const Changes& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

double SceneRun::cpu_for(long count) const {
  if (steps < 2) return cpu_seconds * static_cast<double>(count);
  return first_step + (cpu_seconds - first_step) * static_cast<double>(count - 1) /
                          static_cast<double>(steps - 1);
}

const std::vector<double>& SceneRun::energy(const std::string& name) const {
  const auto found = std::find(stored_names.begin(), stored_names.end(), name);
  if (found == stored_names.end())
    throw InternalError(fmt::format("{} stores no energy named {}", label, name));
  return stored[static_cast<std::size_t>(found - stored_names.begin())];
}

std::vector<double> SceneRun::potential() const {
  std::vector<double> sum(total);
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] -= kinetic[k];
  return sum;
}

std::string scene_for(const Reproduction& reproduction, const std::string& scene) {
  return reproduction.choose<std::string>("soft-beam", scene, scene);
}

SceneRun run_scene_for(const Reproduction& reproduction, const RunRequest& request) {
  SceneRun run{.label = request.label,
               .directory = reproduction.directory() / folder_name(request.label)};
  const scene::SceneSpec scene = scene::find_scene(request.scene, request.changes);
  RunRecorder recorder(run, scene.time.end, request.most_seconds);
  study::RunOptions options;
  options.directory = run.directory;
  options.publish = false;
  options.replace = true;
  options.checkpoint_every = 0.0;
  options.observers.push_back(&recorder);
  if (request.most_seconds > 0.0)
    options.interrupted = options.stop_requested = [&recorder] { return recorder.is_too_slow(); };
  const sim::RunSummary summary = study::run_scene(scene, options);
  if (summary.reason == sim::StopReason::failed)
    run.failure = std::string(integrators::to_string(summary.last_failure));
  if (summary.health.excess_time >= 0.0)
    run.blown_up =
        std::lower_bound(run.t.begin(), run.t.end(), summary.health.excess_time) - run.t.begin();
  else if (!run.finished())
    run.blown_up = static_cast<long>(run.t.size());
  run.was_cut = summary.reason == sim::StopReason::stopped_by_user;
  run.redone = summary.redone.total();
  run.steps = summary.accepted_steps;
  run.profile = summary.profile;
  const std::string end =
      run.finished() ? joules(run.total.back()) : fmt::format("failed ({})", run.failure);
  fmt::print("{:<34} {} at the start, {} at {:.3g} s, {:.3g} CPU s for {} steps{}{}\n", run.label,
             joules(run.total.front()), end, run.t.back(), run.cpu_seconds, run.steps,
             run.blown_up > 0 ? fmt::format(", blown up in step {}", run.blown_up) : "",
             run.redone > 0 ? fmt::format(", {} steps redone", run.redone) : "");
  static_cast<void>(std::fflush(stdout));
  return run;
}

Changes bare(const std::string& method, const Changes& more) {
  return Changes{{"integrator", fmt::format("{{\"name\": \"{}\"}}", method)},
                 {"integrator.guard", "off"},
                 {"time.max_halvings", "0"},
                 {"output.fps", "0"}} +
         more;
}

Changes with_modes(int count) {
  return {{"integrator.modes", std::to_string(count)}};
}

Changes predicted() {
  return {{"integrator.variant", "predicted"}};
}

void write_energies(Reproduction& reproduction, const std::string& name, const std::string& title,
                    EnergyKind kind, const std::vector<SceneRun>& runs) {
  constexpr std::string_view kinds[] = {"total", "elastic", "potential"};
  std::vector<std::string> rows;
  output::LinePlot plot{.title = title,
                        .x_label = "t [s]",
                        .y_label = fmt::format("{} energy, from its value at the start [J]",
                                               kinds[static_cast<int>(kind)])};
  for (const SceneRun& run : runs) {
    output::Curve curve{.name = run.label + (run.blown_up > 0 ? " (blows up)" : "")};
    std::vector<double> scratch;
    const std::vector<double>& energy = curve_of(run, kind, scratch);
    const std::vector<double>& elastic = run.energy("elastic");
    const long last = run.blown_up > 0 ? run.blown_up : static_cast<long>(run.t.size());
    for (std::size_t k = 0; k < run.t.size(); ++k) {
      rows.push_back(fmt::format("{},{},{},{},{}", run.label, run.t[k], run.total[k],
                                 run.kinetic[k], elastic[k]));
      if (static_cast<long>(k) >= last) continue;
      curve.x.push_back(run.t[k]);
      curve.y.push_back(energy[k] - energy.front());
    }
    plot.curves.push_back(std::move(curve));
  }
  reproduction.write_csv(name + ".csv", "run,t,total,kinetic,elastic", rows);
  reproduction.write_plot(name + ".svg", std::move(plot));
}

void write_report(Reproduction& reproduction, const std::string& title,
                  const std::vector<SceneRun>& runs) {
  if (!output::has_report_page()) return;
  const output::SurfaceFrames no_frames{};
  std::vector<output::RunReader> readers;
  readers.reserve(runs.size());  // the report points into it
  std::vector<output::ReportRun> entries;
  for (const SceneRun& run : runs) {
    readers.emplace_back(run.directory);
    entries.push_back({run.label, &readers.back(), &no_frames});
  }
  std::string claims;
  for (const Statement& statement : reproduction.target().statements)
    claims += fmt::format("{}{}, {}: {}.", claims.empty() ? "" : " ", reproduction.target().paper,
                          statement.where, statement.text);
  reproduction.write("report.html", output::report_html(title, entries, std::nullopt, claims));
}

std::string joules(double energy) {
  return fmt::format("{:.4g} J", energy);
}

std::string seconds_text(double seconds) {
  return seconds < 1000.0 ? fmt::format("{:.3g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string pascals(double modulus) {
  const double exponent = std::floor(std::log10(modulus) + 1e-9);
  return fmt::format("{:.3g}e{:.0f} Pa", modulus / std::pow(10.0, exponent), exponent);
}

}  // namespace sinew::cli
