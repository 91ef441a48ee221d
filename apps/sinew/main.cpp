// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include <sinew/core/version.hpp>

#include "commands.hpp"
#include "completion.hpp"
#include "launcher.hpp"
#include "program/exit_codes.hpp"
#include "program/guarded_main.hpp"
#include "program/help_formatter.hpp"
#include "program/parse_arguments.hpp"

namespace sinew::cli {
namespace {

using AddCommand = void (*)(CLI::App&, int&);

/// Commands that are shown under one heading.
void add_group(CLI::App& app, int& exit_code, const char* heading,
               std::initializer_list<AddCommand> commands) {
  const std::size_t before = app.get_subcommands(nullptr).size();
  for (const AddCommand add : commands) add(app, exit_code);
  const std::vector<CLI::App*> all = app.get_subcommands(nullptr);
  for (std::size_t k = before; k < all.size(); ++k) all[k]->group(heading);
}

std::string exit_code_lines() {
  std::string lines = "Exit codes:";
  for (const auto& [code, meaning] : exit_code_meanings)
    lines += fmt::format("\n  {:<5}{}", static_cast<int>(code), meaning);
  return lines;
}

void add_commands(CLI::App& app, int& exit_code) {
  add_group(app, exit_code, "Simulate",
            {add_run, add_compare, add_sweep, add_static, add_modes, add_stiffen});
  add_group(app, exit_code, "Look at results", {add_view, add_render});
  add_group(app, exit_code, "Scenes and meshes", {add_validate, add_mesh});
  add_group(app, exit_code, "Methods and measurements", {add_damping, add_bench, add_reproduce});
  add_group(app, exit_code, "Find out", {add_list, add_info, add_help, add_man, add_completion});
}

int run(int argc, char** argv) {
  int exit_code = exit_done;
  CLI::App app{"Sinew advances stiff deformable objects in time.", "sinew"};
  app.set_version_flag("--version", core::version);
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(fmt::format(
      "Example: sinew run hanging-ball -o out/ball\n\n{}\n\nResults go to stdout, everything else "
      "to stderr. Units are SI unless a scene says otherwise.\nEvery command explains itself with "
      "-h, or with: sinew help COMMAND",
      exit_code_lines()));
  add_commands(app, exit_code);

  if (argc > 1 && std::string_view(argv[1]) == completion_word) {
    for (const std::string& word : completions(app, {argv + 2, argv + argc}))
      fmt::print("{}\n", word);
    return exit_done;
  }
  if (argc == 1) {
    fmt::print("{}", app.help());
    return exit_done;
  }
  if (std::string_view(argv[1]) != "run") require_single_process(argv[1]);
  if (const auto ended = parse_arguments(app, argc, argv)) return *ended;
  return exit_code;
}

}  // namespace
}  // namespace sinew::cli

int main(int argc, char** argv) {
  return sinew::cli::guarded_main(argc, argv, sinew::cli::run);
}
