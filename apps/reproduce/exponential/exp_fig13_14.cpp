// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/output/publish/pictures.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/run.hpp>

#include "motion.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

/// The pylon under its weight alone; stresses for bars of 10 by 10 cm.
Changes pylon_changes(double stiffness, double end, int fps) {
  return {{"loads", "[{\"type\": \"gravity\"}]"},
          {"bodies.0.stiffness", fmt::format("{}", stiffness)},
          {"bodies.0.section", "0.01"},
          {"time.end", fmt::format("{}", end)},
          {"output.fps", fmt::format("{}", fps)}};
}

/// Four instants of a run, coloured by one field; nothing in a build that cannot draw.
void draw_pylon(Reproduction& reproduction, const std::string& name, double stiffness, double end,
                const char* field) {
  if (!output::can_draw()) return;
  const std::filesystem::path directory = reproduction.directory() / name;
  study::RunOptions options;
  options.directory = directory;
  options.publish = false;
  options.replace = true;
  options.checkpoint_every = 0.0;
  static_cast<void>(study::run_scene(
      scene::find_scene("pylon", pylon_changes(stiffness, end, reproduction.choose(100, 20, 20))),
      options));
  output::PictureOptions look;
  look.colour_by = field;
  look.is_draft = reproduction.scale() == Scale::trial;
  const std::string file = name + ".png";
  output::write_pictures(output::RunReader(directory), reproduction.directory() / file, look,
                         core::Executor(0));
  reproduction.add_file(file);
}

/// Largest displacement of a particle, at any time [m].
double farthest(double stiffness, double end) {
  double most = 0.0;
  Vec begin;
  static_cast<void>(motion_of(
      "pylon", "tr-bdf2", pylon_changes(stiffness, end, 0), [&](const sim::FrameView& view) {
        if (begin.size() == 0) begin = view.state.q;
        for (Index k = 0; k < begin.size(); k += 3)
          most = std::max(most, (view.state.q - begin).segment<3>(k).norm());
      }));
  return most;
}

void run_exp_fig13_14(Reproduction& reproduction) {
  constexpr double height = 40.0, stiff = 1e8, soft = 2e6;
  const double end = reproduction.choose(0.03, 2.0, 10.0);
  draw_pylon(reproduction, "exp-fig13", stiff, end, "von_mises");
  draw_pylon(reproduction, "exp-fig14", soft, end, "displacement");
  const double hidden = farthest(stiff, end), shown = farthest(soft, end);
  reproduction.judge("stress",
                     {.ours = fmt::format("at most {:.2g} mm of {} m", 1e3 * hidden, height),
                      .verdict = agrees_if(hidden < 1e-3 * height),
                      .why = "invisible: below a thousandth of the height; the picture shows "
                             "the stress of bars of 10 by 10 cm"});
  reproduction.judge("deformation",
                     {.ours = fmt::format("{:.2g} m at {:.0e} N/m", shown, soft),
                      .verdict = agrees_if(shown > 0.01 * height),
                      .why = "visible: above a hundredth of the height; the paper does not say how "
                             "much lower its stiffness is"});
  reproduction.judge(
      "picture", {.ours = output::can_draw() ? "exp-fig13.png and exp-fig14.png" : "no pictures",
                  .verdict = Verdict::not_comparable,
                  .why = "the paper's tower, masses, field of force and scale of colours are "
                         "not given"});
}

}  // namespace

Target exp_fig13_14() {
  return {
      .name = "exp-fig13-14",
      .paper = "Michels et al. 2014",
      .summary = "Stress and deformation of the pylon",
      .statements = {{.id = "stress",
                      .where = "figure 13",
                      .text = "With k = 1e8 the rods are under stress while no deformation is seen",
                      .paper = ""},
                     {.id = "deformation",
                      .where = "figure 14",
                      .text = "With a much lower stiffness the deformation is visible",
                      .paper = ""},
                     {.id = "picture",
                      .where = "figures 13 and 14",
                      .text = "Where stress and deformation are, in colours",
                      .paper = ""}},
      .run = run_exp_fig13_14};
}

}  // namespace sinew::cli
