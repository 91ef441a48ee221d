// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "human_body.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

void run_siere_s60(Reproduction& reproduction) {
  const auto run = [&](const char* label, const char* method, double most, const Changes& more) {
    return run_scene_for(reproduction,
                         {.label = label,
                          .scene = scene_for(reproduction, body_scene),
                          .changes = bare(method, more + Changes{{"time.end", "0.8"}}),
                          .most_seconds = reproduction.choose(0.5, most, 1200.0)});
  };
  const SceneRun few = run("siere, s = 6", "siere", 20.0, with_modes(6)),
                 many = run("siere, s = 60", "siere", 80.0, with_modes(60)),
                 si = run("si", "si", 10.0, {});
  constexpr long frames = 100;
  reproduction.write_csv("siere-s60.csv", "run,steps,cpu_seconds_per_100",
                         {fmt::format("si,{},{}", si.steps, si.cpu_for(frames)),
                          fmt::format("siere-6,{},{}", few.steps, few.cpu_for(frames)),
                          fmt::format("siere-60,{},{}", many.steps, many.cpu_for(frames))});
  const auto finding = [&](const SceneRun& slow, const SceneRun& fast, double paper) {
    const double ratio = slow.cpu_for(frames) / fast.cpu_for(frames);
    const bool is_known = slow.steps > 1 && fast.steps > 1;
    return Finding{.ours = fmt::format("{} against {} for 100 frames: {:.2g} times",
                                       seconds_text(slow.cpu_for(frames)),
                                       seconds_text(fast.cpu_for(frames)), ratio),
                   .verdict = is_known ? agrees_if(ratio < 1.5 * paper) : Verdict::not_comparable,
                   .why = is_known
                              ? fmt::format("at most 1.5 times the paper's ratio; over {} and {} "
                                            "frames",
                                            slow.steps, fast.steps)
                              : "fewer than two frames in the time given"};
  };
  reproduction.judge("sixty", finding(many, few, 19382.0 / 9672.0));
  reproduction.judge("six", finding(few, si, 9672.0 / 5209.0));
  const double share = few.profile.seconds.modes / std::max(1e-9, few.cpu_seconds);
  reproduction.judge(
      "share", {.ours = fmt::format("{:.0f} % of the time of SIERE", 100.0 * share),
                .verdict = Verdict::not_comparable,
                .why = "modes are followed from step to step here; the paper finds them anew"});
  reproduction.note(body_remark);
}

}  // namespace

Target siere_s60() {
  return {.name = "siere-s60",
          .paper = "Chen et al. 2020",
          .summary = "What sixty modes cost beside six on the largest body",
          .statements = {{.id = "sixty",
                          .where = "section 4.4",
                          .text = "Sixty modes take about twice as long as six",
                          .paper = "19,382 s against 9,672 s: 2 times"},
                         {.id = "six",
                          .where = "section 4.4",
                          .text = "SIERE with six modes takes 85 % longer than SI",
                          .paper = "9,672 s against 5,209 s: 1.86 times"},
                         {.id = "share",
                          .where = "section 4.4",
                          .text = "Part of SIERE's time that the modes take",
                          .paper = "29 %"}},
          .run = run_siere_s60};
}

}  // namespace sinew::cli
