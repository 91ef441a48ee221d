// SPDX-License-Identifier: Apache-2.0
// Figure 11 shows speeds of the skin at six instants, figure 12 the elastic energy. Speeds are
// compared by the kinetic energy.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "human_body.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

/// The mean of the kinetic energy over the last fifth of the frames that both have.
double motion_at_end(const SceneRun& run, std::size_t frames) {
  double sum = 0.0;
  const std::size_t from = 4 * frames / 5;
  for (std::size_t k = from; k < frames; ++k) sum += run.kinetic[k];
  return sum / std::max(1.0, static_cast<double>(frames - from));
}

void run_siere_fig11_12(Reproduction& reproduction) {
  const std::string scene = scene_for(reproduction, body_scene);
  const Changes span{{"time.end", reproduction.choose("0.008", "1.6", "4")}};
  const auto run = [&](const char* label, const char* method, const Changes& more) {
    return run_scene_for(reproduction, {.label = label,
                                        .scene = scene,
                                        .changes = bare(method, more + span),
                                        .most_seconds = reproduction.choose(0.5, 60.0, 3600.0)});
  };
  const std::vector<SceneRun> runs{run("siere, s = 6", "siere", with_modes(6)),
                                   run("si at q0 + h v0", "si", predicted())};
  write_energies(reproduction, "siere-fig12", "soft body after a push", EnergyKind::elastic, runs);
  write_report(reproduction, "soft body after a push", runs);
  const std::size_t frames = std::min(runs[0].t.size(), runs[1].t.size());
  const double siere = motion_at_end(runs[0], frames), si = motion_at_end(runs[1], frames);
  const bool is_long = frames > 100;
  const Finding finding{
      .ours = fmt::format("after {} frames the kinetic energy is {} with SIERE, {} with SI",
                          frames - 1, joules(siere), joules(si)),
      .verdict = !runs[0].is_stable() ? Verdict::differs
                 : is_long            ? agrees_if(siere > 3.0 * si)
                                      : Verdict::not_comparable,
      .why = is_long ? "mean of the last fifth; at least three times"
                     : "the push of 50 frames has hardly ended: too few frames; run with --full"};
  reproduction.judge("motion", finding);
  const auto elastic_swing = [&](const SceneRun& one) {
    const auto& elastic = one.energy("elastic");
    const auto from = elastic.begin() + static_cast<long>(4 * frames / 5),
               to = elastic.begin() + static_cast<long>(frames);
    if (from >= to) return 0.0;
    const auto [low, high] = std::minmax_element(from, to);
    return *high - *low;
  };
  Finding swing = finding;
  swing.ours =
      fmt::format("after {} frames the elastic energy swings by {} with SIERE, {} with SI",
                  frames - 1, joules(elastic_swing(runs[0])), joules(elastic_swing(runs[1])));
  if (is_long && runs[0].is_stable())
    swing.verdict = agrees_if(elastic_swing(runs[0]) > 3.0 * elastic_swing(runs[1]));
  reproduction.judge("energy", swing);
  reproduction.note(body_remark);
}

}  // namespace

Target siere_fig11_12() {
  return {
      .name = "siere-fig11-12",
      .paper = "Chen et al. 2020",
      .summary = "Soft tissue of a body after a push upwards",
      .statements = {{.id = "motion",
                      .where = "figure 11",
                      .text = "With SIERE the tissue visibly moves to the last frames, with SI "
                              "hardly after the 150th",
                      .paper = "500 frames, pushed for 50"},
                     {.id = "energy",
                      .where = "figure 12",
                      .text = "The elastic energy keeps oscillating with SIERE and is damped out "
                              "around the 150th frame with SI",
                      .paper = ""}},
      .run = run_siere_fig11_12};
}

}  // namespace sinew::cli
