// SPDX-License-Identifier: Apache-2.0
// Figures that show the energy of one scene under SIERE and what it is compared with, and say the
// same of each: SIERE stays lively where the other method is soon at rest.
#include "energy_figures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

/// What is still swinging: the largest minus the smallest elastic energy over the last quarter.
double swing_of(const SceneRun& run) {
  const std::vector<double>& elastic = run.energy("elastic");
  const auto last = elastic.begin() + static_cast<long>(3 * elastic.size() / 4);
  if (last == elastic.end()) return 0.0;
  const auto [low, high] = std::minmax_element(last, elastic.end());
  return *high - *low;
}

Finding stability_of(const SceneRun& run, bool should_be_stable, double end) {
  const bool is_short = run.is_stable() && !should_be_stable && run.t.back() < 0.999 * end;
  return {.ours = run.is_stable() ? fmt::format("stable over {} steps{}", run.steps,
                                                run.was_cut ? ", then out of time" : "")
                                  : fmt::format("blown up in step {}", run.blown_up),
          .verdict =
              is_short ? Verdict::not_comparable : agrees_if(run.is_stable() == should_be_stable),
          .why = is_short
                     ? "too short to see whether it fails later"
                     : "ten times the energy that the run began with and that came in counts as "
                       "blown up"};
}

Finding liveliness_of(const SceneRun& siere, const SceneRun& other, double end) {
  if (!siere.is_stable() || !other.is_stable())
    return {.ours = "one of the two is unstable",
            .verdict = Verdict::not_comparable,
            .why = "there is nothing to compare"};
  const std::size_t common = std::min(siere.t.size(), other.t.size());
  const double reached = siere.t[common - 1];
  SceneRun a = siere, b = other;
  for (SceneRun* run : {&a, &b})
    for (std::vector<double>& energy : run->stored) energy.resize(common);
  const double lively = swing_of(a), dull = swing_of(b);
  const bool is_short = reached < 0.5 * end;
  return {
      .ours = fmt::format("elastic energy still swings by {} with SIERE, by {} with {}",
                          joules(lively), joules(dull), other.label),
      .verdict = is_short ? Verdict::not_comparable : agrees_if(lively > 2.0 * dull),
      .why = fmt::format("over the last quarter of {:.3g} s; {}", reached,
                         is_short ? "the time given was too short for more" : "at least twice")};
}

void run_energy_figure(const EnergyFigure& figure, Reproduction& reproduction) {
  const double end = reproduction.choose(figure.trial_end, figure.quick_end, figure.full_end);
  const Changes span{{"time.end", fmt::format("{}", end)}};
  const Changes smaller = reproduction.choose<Changes>({}, figure.smaller, {});
  const auto run = [&](const std::string& label, const Changes& changes) {
    return run_scene_for(reproduction,
                         {.label = label,
                          .scene = scene_for(reproduction, figure.scene),
                          .changes = changes + span + smaller,
                          .most_seconds = reproduction.choose(2.0, figure.most_seconds, 1800.0)});
  };
  const std::vector<SceneRun> runs{
      run(fmt::format("siere, s = {}", figure.modes), bare("siere", with_modes(figure.modes))),
      run(figure.other, bare(figure.other, figure.other_options))};
  write_energies(reproduction, figure.name, figure.title, EnergyKind::elastic, runs);
  write_report(reproduction, figure.title, runs);
  reproduction.judge("stable", stability_of(runs[0], true, figure.full_end));
  if (!smaller.empty()) reproduction.note("The body has fewer tets than its scene at this scale.");
  if (figure.other_fails)
    reproduction.judge("other", stability_of(runs[1], false, figure.full_end));
  else
    reproduction.judge("lively", liveliness_of(runs[0], runs[1], end));
}

}  // namespace

Target energy_figure(const EnergyFigure& figure) {
  std::vector<Statement> statements{{.id = "stable",
                                     .where = figure.where,
                                     .text = "SIERE is stable",
                                     .paper = figure.paper_frames}};
  if (figure.other_fails)
    statements.push_back({.id = "other",
                          .where = figure.where,
                          .text = fmt::format("{} diverges", figure.other_name),
                          .paper = "diverges"});
  else
    statements.push_back(
        {.id = "lively",
         .where = figure.where,
         .text = fmt::format("SIERE keeps oscillating where {} is damped out", figure.other_name),
         .paper = ""});
  return {.name = figure.name,
          .paper = "Chen et al. 2020",
          .summary = figure.summary,
          .statements = std::move(statements),
          .run = [figure](Reproduction& reproduction) { run_energy_figure(figure, reproduction); }};
}

}  // namespace sinew::cli
