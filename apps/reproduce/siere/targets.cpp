// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

namespace sinew::cli {

std::vector<Target> siere_targets() {
  return {siere_table2(),   siere_fig2(),  siere_fig4(),  siere_fig5(),  siere_fig6(),
          siere_fig7(),     siere_fig8(),  siere_fig9(),  siere_fig10(), siere_fig11_12(),
          siere_fig13(),    siere_fig14(), siere_fig15(), siere_fig16(), siere_fig17(),
          siere_fig18_19(), siere_s60()};
}

}  // namespace sinew::cli
