// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/version.hpp>
#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/output/record/manifest_writer.hpp>

namespace sinew::output {
namespace {

using Json = nlohmann::ordered_json;

#ifdef __clang__
constexpr auto compiler_name = "clang " __clang_version__;
#else
constexpr auto compiler_name = "g++ " __VERSION__;
#endif

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  while (std::getline(info, line))
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

Json option_json(const integrators::OptionValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

}  // namespace

std::string_view status_text(const sim::RunSummary& summary) {
  switch (summary.reason) {
    case sim::StopReason::reached_end:
      return "finished";
    case sim::StopReason::failed:
      return "failed";
    case sim::StopReason::stopped_by_user:
      return "stopped";
  }
  return "unknown";
}

std::string reason_text(const sim::RunSummary& summary, const core::UnitSystem& units) {
  switch (summary.reason) {
    case sim::StopReason::reached_end:
      return "reached the end time";
    case sim::StopReason::stopped_by_user:
      return "stopped by the user";
    case sim::StopReason::failed:
      break;
  }
  return fmt::format("step {} at t = {:.6g} {unit} failed with dt = {:.3g} {unit}: {}",
                     summary.accepted_steps + 1, summary.failure_time, summary.failure_dt,
                     summary.cause.empty() ? integrators::explanation(summary.last_failure)
                                           : std::string_view(summary.cause),
                     fmt::arg("unit", units.unit("s")));
}

namespace {

/// Unknowns and elements; of several processes together, and of each.
void add_size(Json& manifest, const sim::FrameView& view, const RunInfo& info) {
  manifest["dofs"] = view.system.num_dofs();
  manifest["elements"] = dynamics::observables_of(view.system).geometry().types.size();
  if (!info.processes) return;
  Index dofs = 0, elements = 0;
  Json processes;
  for (const ProcessRecord& record : info.processes()) {
    dofs += record.dofs;
    elements += record.elements;
    processes.push_back({{"dofs", record.dofs},
                         {"elements", record.elements},
                         {"ghosts", record.ghosts},
                         {"memory_mb", record.memory_mb},
                         {"cpu_seconds", record.cpu_seconds},
                         {"received_mb", record.received_mb}});
  }
  manifest["dofs"] = dofs;
  manifest["elements"] = elements;
  manifest["processes"] = std::move(processes);
}

std::string method_name(integrators::Rung rung) {
  return std::string(integrators::method_of(rung).traits.name);
}

}  // namespace

std::string guard_text(const sim::RunSummary& summary) {
  const sim::Redone& redone = summary.redone;
  std::string ways;
  const auto add = [&](long steps, const std::string& way) {
    if (steps > 0) ways += fmt::format("{}{} {}", ways.empty() ? "" : ", ", steps, way);
  };
  add(redone.projected, "with the projected tangent");
  add(redone.linear, "by " + method_name(integrators::Rung::linear));
  add(redone.nonlinear, "by " + method_name(integrators::Rung::nonlinear));
  return fmt::format("{} of {} steps redone: {}", redone.total(), summary.accepted_steps, ways);
}

std::vector<std::string> health_notes(const sim::RunSummary& summary,
                                      const core::UnitSystem& units) {
  const sim::EnergyHealth& health = summary.health;
  std::vector<std::string> notes;
  if (health.excess_time >= 0.0)
    notes.push_back(fmt::format(
        "the motion had up to {:.3g} times the energy that the run began with and that came in, "
        "more than {:g} times from t = {:.6g} {} on: what follows is no solution",
        health.largest_excess, sim::absurd_excess, health.excess_time, units.unit("s")));
  if (health.unresolved_damping > 0)
    notes.push_back(fmt::format(
        "{} of {} steps are too long for the damping: vibrations end within a step, and what that "
        "took is booked as numerical loss",
        health.unresolved_damping, summary.accepted_steps));
  return notes;
}

void ManifestWriter::on_start(const sim::FrameView& view) {
  write(view, {}, false);
}

void ManifestWriter::on_edit(const sim::FrameView& view, bool memory_kept) {
  edits_.push_back({.t = view.state.t,
                    .dofs = view.system.num_dofs(),
                    .elements = dynamics::observables_of(view.system).geometry().types.size(),
                    .memory_kept = memory_kept});
}

void ManifestWriter::on_finish(const sim::FrameView& view, const sim::RunSummary& summary) {
  write(view, summary, true);
}

void ManifestWriter::write(const sim::FrameView& view, const sim::RunSummary& summary,
                           bool finished) const {
  Json integrator{{"name", info_.integrator}};
  for (const auto& [name, value] : info_.options.values()) integrator[name] = option_json(value);
  integrator["solver"] = {{"name", info_.solver}};
  if (!summary.solver_choice.empty()) integrator["solver"]["choice"] = summary.solver_choice;
  const core::Seconds& seconds = summary.profile.seconds;
  const core::Counts& counts = summary.profile.counts;
  Json manifest;
  manifest["format"] = 1;
  manifest["version"] = core::version;
  manifest["status"] = finished ? status_text(summary) : "running";
  manifest["reason"] = !finished              ? ""
                       : info_.reason.empty() ? reason_text(summary, *info_.units)
                                              : info_.reason;
  manifest["scene"] = Json::parse(info_.scene_json);
  manifest["integrator"] = std::move(integrator);
  manifest["up"] = {info_.up[0], info_.up[1], info_.up[2]};
  manifest["dt"] = info_.dt;
  manifest["threads"] = info_.threads;
  add_size(manifest, view, info_);
  manifest["steps"] = {{"accepted", view.step}, {"rejected", summary.rejected_steps}};
  if (summary.largest_strain > 0.0) manifest["largest_strain"] = summary.largest_strain;
  if (info_.options.values().contains("guard")) {
    const sim::Redone& redone = summary.redone;
    manifest["guard"] = {{"policy", info_.options.text("guard")},
                         {"redone",
                          {{"projected", redone.projected},
                           {method_name(integrators::Rung::linear), redone.linear},
                           {method_name(integrators::Rung::nonlinear), redone.nonlinear}}}};
  }
  for (const EditRecord& edit : edits_)
    manifest["edits"].push_back({{"t", edit.t},
                                 {"dofs", edit.dofs},
                                 {"elements", edit.elements},
                                 {"memory_kept", edit.memory_kept}});
  const sim::EnergyHealth& health = summary.health;
  std::vector<std::string> notes = health_notes(summary, *info_.units);
  if (finished && info_.notes)
    for (std::string& note : info_.notes()) notes.push_back(std::move(note));
  manifest["health"] = {
      {"energy_excess", health.largest_excess},
      {"absurd_since", health.excess_time >= 0.0 ? Json(health.excess_time) : Json(nullptr)},
      {"unresolved_damping", health.unresolved_damping},
      {"notes", notes}};
  manifest["seconds"] = {{"wall", summary.wall_seconds},
                         {"setup", info_.setup_seconds},
                         {"parallel", summary.parallel_seconds},
                         {"assemble", seconds.assemble},
                         {"factorize", seconds.factorize},
                         {"solve", seconds.solve},
                         {"modes", seconds.modes},
                         {"phi", seconds.phi},
                         {"contact", seconds.contact},
                         {"output", summary.output_seconds}};
  manifest["counts"] = {{"force", counts.force},
                        {"tangent", counts.tangent},
                        {"analyses", counts.analyses},
                        {"factorizations", counts.factorizations},
                        {"solves", counts.solves},
                        {"matvecs", counts.matvecs},
                        {"newton", counts.newton},
                        {"krylov", counts.krylov},
                        {"modes_iterations", counts.modes_iterations}};
  manifest["energy"] = {{"initial", view.ledger.initial_energy()},
                        {"final", view.ledger.record().total},
                        {"drift", view.ledger.largest_drift()},
                        {"drift_max", std::abs(view.ledger.largest_drift())}};
  manifest["machine"] = {{"cpu", cpu_name()},
                         {"cores", std::thread::hardware_concurrency()},
                         {"compiler", compiler_name},
                         {"blas", info_.blas}};
  core::write_atomically(path_, manifest.dump(2) + "\n");
}

}  // namespace sinew::output
