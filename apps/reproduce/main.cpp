// SPDX-License-Identifier: Apache-2.0
// sinew-reproduce: tables and figures of the papers, started by `sinew reproduce`.
#include <array>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/path_check.hpp>

#include "program/exit_codes.hpp"
#include "program/guarded_main.hpp"
#include "program/parse_arguments.hpp"
#include "reproduce.hpp"

namespace sinew::cli {

std::span<const Reproduction> reproductions() {
  static constexpr std::array table{
      Reproduction{"exp-fig5",
                   "error against step size with and without filtered arguments (Michels et al. "
                   "2014, figure 5)",
                   reproduce_exp_fig5},
      Reproduction{"imex-figs",
                   "time and energy of explicit, mixed and implicit steps against their length "
                   "(Fierz et al. 2011, figures 3 to 7; minutes)",
                   reproduce_imex_figures},
      Reproduction{
          "siere-fig5",
          "the uncoiling rope: who survives when it is stretched (Chen et al. 2020, figure "
          "5; minutes)",
          reproduce_siere_fig5},
      Reproduction{
          "siere-fig7",
          "the untwisting cuboid under siere with 5 to 20 modes (Chen et al. 2020, figure 7)",
          reproduce_siere_fig7},
      Reproduction{"siere-fig9", "energy of the hanging ball (Chen et al. 2020, figure 9)",
                   reproduce_siere_fig9},
      Reproduction{
          "survey-fig6",
          "energy of a soft beam under be, siere, str-sbdf2ere and two DIRK methods (Ascher "
          "et al. 2022, figure 6)",
          reproduce_survey_fig6},
  };
  return table;
}

namespace {

const Reproduction& find_reproduction(const std::string& name) {
  std::vector<std::string> names;
  for (const Reproduction& target : reproductions()) {
    if (target.name == name) return target;
    names.emplace_back(target.name);
  }
  throw InputError({.what = fmt::format("there is nothing to reproduce named '{}'", name),
                    .hint = core::suggestion(name, names)});
}

int run(int argc, char** argv) {
  CLI::App app{"A table or figure of the papers, rerun; without a name, what there is.",
               "sinew reproduce"};
  app.footer("Example: sinew reproduce exp-fig5 -o fig5");
  std::string name, folder;
  bool is_quick = false, is_full = false;
  app.add_option("target", name, "what to rerun");
  app.add_option("-o,--output", folder, "folder; the name of the target");
  CLI::Option* quick = app.add_flag("--quick", is_quick, "fewer points");
  app.add_flag("--full", is_full, "all points (default)")->excludes(quick);
  if (const auto ended = parse_arguments(app, argc, argv)) return *ended;
  if (name.empty()) {
    for (const Reproduction& target : reproductions())
      fmt::print("{:<12}  {}\n", target.name, target.summary);
    return exit_done;
  }
  const Reproduction& target = find_reproduction(name);
  const std::filesystem::path directory = folder.empty() ? name : folder;
  core::require_usable_path(directory);
  std::filesystem::create_directories(directory);
  const bool holds = target.run(directory, is_quick);
  fmt::print("verdict     {}\n", holds ? "the paper's statement holds here"
                                       : "the paper's statement does NOT hold here");
  return exit_done;
}

}  // namespace
}  // namespace sinew::cli

int main(int argc, char** argv) {
  return sinew::cli::guarded_main(argc, argv, sinew::cli::run);
}
