// SPDX-License-Identifier: Apache-2.0
// The examples of sections 4.1 to 4.7 whose figures are curves of energy.
#include "energy_figures.hpp"
#include "targets.hpp"

namespace sinew::cli {

Target siere_fig6() {
  return energy_figure({.name = "siere-fig6",
                        .where = "figure 6",
                        .summary = "Elastic energy of the uncoiling rope under SIERE and BE",
                        .scene = "uncoiling-rope",
                        .title = "uncoiling rope",
                        .paper_frames = "400 frames",
                        .modes = 1,
                        .other = "be",
                        .other_name = "BE",
                        .trial_end = 0.01,
                        .quick_end = 4.0,
                        .full_end = 4.0,
                        .most_seconds = 40.0,
                        .smaller = {{"bodies.0.mesh.cells", "2"},
                                    {"bodies.0.mesh.layers", "1"},
                                    {"bodies.0.mesh.wire_cells", "200"}}});
}

Target siere_fig13() {
  return energy_figure({.name = "siere-fig13",
                        .where = "figure 13",
                        .summary = "Energy of a honeycomb sheet that hangs and swings",
                        .scene = "honeycomb",
                        .title = "honeycomb sheet",
                        .paper_frames = "100 frames of 10 ms in table 2",
                        .other = "si",
                        .other_name = "SI",
                        .trial_end = 0.01,
                        .quick_end = 1.0,
                        .full_end = 2.0});
}

Target siere_fig14() {
  return energy_figure({.name = "siere-fig14",
                        .where = "figure 14",
                        .summary = "Energy of a Moebius ball",
                        .scene = "moebius-ball",
                        .title = "Moebius ball",
                        .paper_frames = "100 frames of 20 ms in table 2",
                        .other = "si",
                        .other_name = "SI",
                        .trial_end = 0.02,
                        .quick_end = 2.0,
                        .full_end = 4.0});
}

Target siere_fig15() {
  return energy_figure({.name = "siere-fig15",
                        .where = "figure 15",
                        .summary = "Energy of a toy Eiffel tower in strong wind",
                        .scene = "tower",
                        .title = "tower in strong wind",
                        .paper_frames = "100 frames of 100 ms in table 2",
                        .other = "si",
                        .other_name = "SI",
                        .trial_end = 0.1,
                        .quick_end = 10.0,
                        .full_end = 20.0});
}

Target siere_fig16() {
  return energy_figure({.name = "siere-fig16",
                        .where = "figure 16",
                        .summary = "Energy of a bridge in strong wind",
                        .scene = "bridge",
                        .title = "bridge in strong wind",
                        .paper_frames = "oscillates after 200 frames of 100 ms",
                        .other = "si",
                        .other_name = "SI",
                        .trial_end = 0.1,
                        .quick_end = 20.0,
                        .full_end = 20.0});
}

Target siere_fig17() {
  return energy_figure({.name = "siere-fig17",
                        .where = "figure 17",
                        .summary = "A tree in strong and varying wind: SIERE lives, SI diverges",
                        .scene = "tree-in-wind",
                        .title = "tree in strong wind",
                        .paper_frames = "100 frames of 10 ms in table 2",
                        .other = "si",
                        .other_name = "SI",
                        .other_options = predicted(),
                        .other_fails = true,
                        .trial_end = 0.01,
                        .quick_end = 1.0,
                        .full_end = 4.0});
}

}  // namespace sinew::cli
