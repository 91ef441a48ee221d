// SPDX-License-Identifier: Apache-2.0
#include "energy_runs.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/output/publish/line_plot.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/run.hpp>

namespace sinew::cli {
namespace {

/// Notes the energies after every accepted step.
class EnergyRecorder final : public sim::Observer {
 public:
  explicit EnergyRecorder(EnergyRun& run) : run_(run) {}

  void on_start(const sim::FrameView& view) override { note(view); }
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override {
    if (record.report.status == integrators::StepStatus::accepted) note(view);
  }

 private:
  void note(const sim::FrameView& view) {
    const sim::EnergyRecord& energy = view.ledger.record();
    run_.t.push_back(view.state.t);
    run_.total.push_back(energy.total);
    run_.elastic.push_back(energy.stored.front());
  }

  EnergyRun& run_;
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

}  // namespace

long EnergyRun::blown_up() const {
  const double size = std::max(std::abs(total.front()), std::abs(elastic.front()));
  for (std::size_t k = 1; k < total.size(); ++k)
    if (!(std::abs(total[k]) <= 10.0 * size)) return static_cast<long>(k);
  return finished() ? 0 : static_cast<long>(total.size());
}

EnergyRun run_for_energy(const std::filesystem::path& directory, const std::string& label,
                         const std::string& scene, const std::vector<scene::Override>& changes) {
  EnergyRun run{.label = label, .directory = directory / folder_name(label)};
  EnergyRecorder recorder(run);
  study::RunOptions options;
  options.directory = run.directory;
  options.publish = false;
  options.observers.push_back(&recorder);
  const sim::RunSummary summary = study::run_scene(scene::find_scene(scene, changes), options);
  if (summary.reason == sim::StopReason::failed)
    run.failure = std::string(integrators::to_string(summary.last_failure));
  run.redone = summary.redone.total();
  const std::string end = run.finished() ? fmt::format("{:.6g} J", run.total.back())
                                         : fmt::format("failed ({})", run.failure);
  fmt::print("{:<34} {:.6g} J at the start, {} at {:.3g} s{}{}\n", label, run.total.front(), end,
             run.t.back(),
             run.blown_up() > 0 ? fmt::format(", blown up in step {}", run.blown_up()) : "",
             run.redone > 0 ? fmt::format(", {} steps redone", run.redone) : "");
  return run;
}

void write_energies(const std::filesystem::path& directory, const std::string& name,
                    const std::string& title, EnergyKind kind, const std::vector<EnergyRun>& runs) {
  std::string csv = "run,t,total,elastic\n";
  output::LinePlot plot{.title = title,
                        .x_label = "t [s]",
                        .y_label = kind == EnergyKind::total
                                       ? "total energy, from its value at the start [J]"
                                       : "elastic energy, from its value at the start [J]"};
  for (const EnergyRun& run : runs) {
    output::Curve curve{.name = run.label + (run.blown_up() > 0 ? " (blows up)" : "")};
    const std::vector<double>& energy = kind == EnergyKind::total ? run.total : run.elastic;
    const long last = run.blown_up() > 0 ? run.blown_up() : static_cast<long>(run.t.size());
    for (std::size_t k = 0; k < run.t.size(); ++k) {
      csv += fmt::format("{},{},{},{}\n", run.label, run.t[k], run.total[k], run.elastic[k]);
      if (static_cast<long>(k) >= last) continue;
      curve.x.push_back(run.t[k]);
      curve.y.push_back(energy[k] - energy.front());
    }
    plot.curves.push_back(std::move(curve));
  }
  output::fit_axes(plot);
  core::write_atomically(directory / (name + ".csv"), csv);
  core::write_atomically(directory / (name + ".svg"), output::to_svg(plot));
  fmt::print("written     {0}.csv and {0}.svg\n", (directory / name).string());
}

void write_report(const std::filesystem::path& directory, const std::string& title,
                  const Claim& claim, const std::vector<EnergyRun>& runs) {
  if (!output::has_report_page()) return;
  const output::SurfaceFrames no_frames{};
  std::vector<output::RunReader> readers;
  readers.reserve(runs.size());  // the report points into it
  std::vector<output::ReportRun> entries;
  entries.reserve(runs.size());
  for (const EnergyRun& run : runs) {
    readers.emplace_back(run.directory);
    entries.push_back({run.label, &readers.back(), &no_frames});
  }
  const std::string verdict = claim.holds ? "It holds here." : "It does not hold here.";
  core::write_atomically(
      directory / "report.html",
      output::report_html(title, entries, std::nullopt, fmt::format("{} {}", claim.text, verdict)));
  fmt::print("open        {}\n", (directory / "report.html").string());
}

}  // namespace sinew::cli
