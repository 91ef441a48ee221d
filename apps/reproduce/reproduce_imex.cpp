// SPDX-License-Identifier: Apache-2.0
// Figures 3 to 7 of Fierz, Spillmann and Harders 2011: the time that a simulated second takes and
// the energy that is left, against the step, for explicit, mixed and implicit steps. Bodies are
// stand-ins of the paper's sizes (scenes imex-*). Its implicit method is linearised backward Euler,
// which is `si`.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/publish/line_plot.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/stability.hpp>

#include "reproduce.hpp"

namespace sinew::cli {
namespace {

struct Measured {
  double seconds = 0.0;  ///< per simulated second
  double energy = 0.0;   ///< at the end, of that at the start
  bool finished = false;
};

Measured measure(const std::string& scene, const std::string& method, double dt, double span) {
  scene::CompiledScene compiled = scene::compile(
      scene::find_scene(scene, {{"integrator", fmt::format("{{\"name\": \"{}\"}}", method)},
                                {"integrator.guard", "off"},
                                {"time.max_halvings", "0"},
                                {"time.dt", fmt::format("{}", dt)},
                                {"time.end", fmt::format("{}", span)},
                                {"output.fps", "0"}}));
  const sim::RunSummary summary = compiled.simulation->run();
  const sim::EnergyLedger& ledger = compiled.simulation->ledger();
  return {.seconds = (summary.wall_seconds - summary.output_seconds) / span,
          .energy = ledger.record().total / ledger.initial_energy(),
          .finished = summary.reason == sim::StopReason::reached_end};
}

/// How fast energy is lost: that at the end is exp(-rate) of that at the start.
double rate(const Measured& run) {
  return -std::log(std::max(run.energy, 1e-12));
}

/// What was found for one body. Steps are multiples of the explicit limit.
struct Findings {
  double best = 0.0;                      ///< over explicit steps, where it beats both
  double wins_from = 0.0, wins_to = 0.0;  ///< steps at which it beats both
  double calm_to = 0.0;  ///< up to this step `si` loses energy at least three times as fast
  bool is_calm_throughout = true;  ///< the same at all steps at which anything is explicit
};

/// One row of the table and of the file.
struct Row {
  double dt = 0.0, share = 0.0;  ///< [s], of implicit nodes
  Measured mixed, solved;
  double over_explicit = 0.0, over_si = 0.0;
  study::StabilityRow said;
};

std::string csv_of(const std::vector<Row>& rows, const Measured& explicit_run) {
  std::string csv =
      "step,implicit_share,imex_seconds,si_seconds,explicit_seconds,over_explicit,"
      "over_explicit_expected,over_si,over_si_expected,imex_energy,si_energy,explicit_energy\n";
  for (const Row& row : rows)
    csv +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", row.dt, row.share, row.mixed.seconds,
                    row.solved.seconds, explicit_run.seconds, row.over_explicit,
                    row.said.over_explicit, row.over_si, row.said.over_implicit, row.mixed.energy,
                    row.solved.energy, explicit_run.energy);
  return csv;
}

void draw(const std::filesystem::path& directory, const std::string& scene,
          const std::vector<Row>& rows, const Measured& explicit_run) {
  output::Curve time{.name = "imex"}, si_time{.name = "si"}, flat{.name = "explicit at its limit"};
  output::Curve energy{.name = "imex"}, si_energy{.name = "si"};
  for (const Row& row : rows) {
    for (auto* curve : {&time, &si_time, &flat, &energy, &si_energy})
      curve->x.push_back(1e3 * row.dt);
    time.y.push_back(row.mixed.seconds);
    si_time.y.push_back(row.solved.seconds);
    flat.y.push_back(explicit_run.seconds);
    energy.y.push_back(100.0 * row.mixed.energy);
    si_energy.y.push_back(100.0 * row.solved.energy);
  }
  const auto plot = [&](const char* what, const char* label, std::vector<output::Curve> curves) {
    double top = 0.0;
    for (const output::Curve& curve : curves)
      top = std::max(top, *std::max_element(curve.y.begin(), curve.y.end()));
    const output::LinePlot picture{.title = scene,
                                   .x_label = "step [ms]",
                                   .y_label = label,
                                   .x_low = 0.9e3 * rows.front().dt,
                                   .x_high = 1.1e3 * rows.back().dt,
                                   .y_low = 0.0,
                                   .y_high = 1.05 * top,
                                   .logarithmic_x = true,
                                   .curves = std::move(curves)};
    core::write_atomically(directory / fmt::format("{}-{}.svg", scene, what),
                           output::to_svg(picture));
  };
  plot("time", "time per simulated second [s]", {time, flat, si_time});
  plot("energy", "energy left [%]", {energy, si_energy});
}

Findings look_at(const std::filesystem::path& directory, const std::string& scene, double span,
                 bool quick) {
  const study::SceneStability stability = study::find_scene_stability(scene::find_scene(scene, {}));
  fmt::print("\n{}: {} tets, {} free vertices, explicit limit {:.3g} ms, {:.2g} us per element\n",
             scene, stability.elements, stability.nodes, 1e3 * stability.explicit_limit,
             stability.microseconds_per_element);
  constexpr double room = 0.95;  // what imex keeps of the limit
  const Measured explicit_run =
      measure(scene, "symplectic-euler", room * stability.explicit_limit, span);
  fmt::print(
      "explicit at 0.95 of it: {:.3g} s per simulated second, {:.1f} % of the energy left{}\n",
      explicit_run.seconds, 100.0 * explicit_run.energy, explicit_run.finished ? "" : ", failed");
  fmt::print("{:>10} {:>9} {:>11} {:>11} {:>21} {:>21} {:>10} {:>10} {:>6}\n", "step [ms]",
             "implicit", "imex [s/s]", "si [s/s]", "over explicit (said)", "over si (said)",
             "imex left", "si left", "rates");
  std::vector<Row> rows;
  Findings findings;
  bool is_calm = true;
  for (std::size_t k = 0; k < stability.rows.size(); k += quick ? 2 : 1) {
    Row row{.dt = room * stability.rows[k].dt, .said = stability.rows[k]};
    row.share = 1.0 * row.said.nodes / stability.nodes;
    row.mixed = measure(scene, "imex", row.dt, span);
    row.solved = measure(scene, "si", row.dt, span);
    row.over_explicit = explicit_run.seconds / row.mixed.seconds;
    row.over_si = row.solved.seconds / row.mixed.seconds;
    const double rates = rate(row.solved) / std::max(std::abs(rate(row.mixed)), 1e-6);
    fmt::print(
        "{:>10.3g} {:>7.0f} % {:>11.3g} {:>11.3g} {:>12.2f} ({:>5.2f}) {:>13.2f} ({:>5.2f}) "
        "{:>8.1f} % {:>8.1f} % {:>6.1f}{}\n",
        1e3 * row.dt, 100.0 * row.share, row.mixed.seconds, row.solved.seconds, row.over_explicit,
        row.said.over_explicit, row.over_si, row.said.over_implicit, 100.0 * row.mixed.energy,
        100.0 * row.solved.energy, rates, row.mixed.finished ? "" : "  failed");
    if (!row.mixed.finished) continue;
    const double multiple = row.said.dt / stability.explicit_limit;
    if (row.over_explicit > 1.0 && row.over_si > 1.0) {
      if (findings.wins_from == 0.0) findings.wins_from = multiple;
      findings.wins_to = multiple;
      findings.best = std::max(findings.best, row.over_explicit);
    }
    is_calm = is_calm && rates >= 3.0;
    if (row.share < 1.0) findings.is_calm_throughout = is_calm;
    if (is_calm) findings.calm_to = multiple;
    rows.push_back(row);
  }
  if (rows.empty()) throw InternalError(scene + " failed with every step");
  core::write_atomically(directory / (scene + ".csv"), csv_of(rows, explicit_run));
  draw(directory, scene, rows, explicit_run);
  if (findings.wins_to > 0.0)
    fmt::print(
        "faster than both at {:.2g} to {:.2g} times the limit, up to {:.2f} times as fast as "
        "explicit steps\n",
        findings.wins_from, findings.wins_to, findings.best);
  else
    fmt::print("nowhere faster than both\n");
  fmt::print("si loses energy at least three times as fast up to {:.2g} times the limit\n",
             findings.calm_to);
  return findings;
}

}  // namespace

bool reproduce_imex_figures(const std::filesystem::path& directory, bool quick) {
  struct Body {
    const char* scene;
    double span;  ///< [s]
  };
  bool is_faster = true, is_calmer = true;
  for (const Body& body :
       {Body{"imex-figure", 0.05}, Body{"imex-dragon", 0.4}, Body{"imex-liver", 0.3}}) {
    const Findings found =
        look_at(directory, body.scene, quick ? 0.3 * body.span : body.span, quick);
    // "a maximum speed-up of 4.6", 3.3 and 2.7
    is_faster = is_faster && found.best >= 2.7;
    // "for time steps h < h_max the dissipation rate is more than three times smaller"
    is_calmer = is_calmer && found.is_calm_throughout;
  }
  // "only more efficient for a narrow range": 0.5 to 0.7 ms
  const Findings bar = look_at(directory, "imex-bar", quick ? 0.2 : 0.5, quick);
  is_faster = is_faster && bar.best < 2.0;
  fmt::print("\nfaster than both by as much as the paper says, and hardly on the bar: {}\n",
             is_faster ? "yes" : "no");
  fmt::print("losses three times smaller at every step with anything explicit: {}\n",
             is_calmer ? "yes" : "no, only at the smaller ones");
  fmt::print("\nwritten     {}\n", directory.string());
  return is_faster && is_calmer;
}

}  // namespace sinew::cli
