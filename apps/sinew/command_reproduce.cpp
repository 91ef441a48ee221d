// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/path_check.hpp>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "reproduce.hpp"

namespace sinew::cli {

std::span<const Reproduction> reproductions() {
  static constexpr std::array table{
      Reproduction{"exp-fig5",
                   "error against step size with and without filtered arguments (Michels et al. "
                   "2014, figure 5)",
                   reproduce_exp_fig5},
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

void add_reproduce(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string target;
    std::string directory;
    bool quick = false, full = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "reproduce", "a table or figure of the papers, rerun; without a name, what there is");
  command->footer("Example: sinew reproduce exp-fig5 -o fig5");
  command->add_option("target", arguments->target, "what to rerun");
  command->add_option("-o,--output", arguments->directory, "folder; the name of the target");
  CLI::Option* quick = command->add_flag("--quick", arguments->quick, "fewer points");
  command->add_flag("--full", arguments->full, "all points (default)")->excludes(quick);
  command->callback([arguments, &exit_code] {
    exit_code = exit_done;
    std::vector<std::string> names;
    for (const Reproduction& target : reproductions()) {
      names.emplace_back(target.name);
      if (arguments->target.empty()) fmt::print("{:<12}  {}\n", target.name, target.summary);
      if (arguments->target != target.name) continue;
      const std::filesystem::path directory =
          arguments->directory.empty() ? std::string(target.name) : arguments->directory;
      core::require_usable_path(directory);
      std::filesystem::create_directories(directory);
      const bool holds = target.run(directory, arguments->quick);
      fmt::print("verdict     {}\n", holds ? "the paper's statement holds here"
                                           : "the paper's statement does NOT hold here");
      return;
    }
    if (!arguments->target.empty())
      throw InputError(
          {.what = fmt::format("there is nothing to reproduce named '{}'", arguments->target),
           .hint = core::suggestion(arguments->target, names)});
  });
}

}  // namespace sinew::cli
