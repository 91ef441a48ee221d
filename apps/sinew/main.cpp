// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/core/nearest.hpp>
#include <sinew/core/version.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "program/guarded_main.hpp"
#include "program/parse_arguments.hpp"

namespace sinew::cli {
namespace {

/// The first word that should be a command and is none, with the nearest one.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* level = &app;
  for (int k = 1; k < argc && argv[k][0] != '-'; ++k) {
    const std::string word = argv[k];
    const CLI::App* chosen = nullptr;
    std::vector<std::string> names;
    for (const CLI::App* command : level->get_subcommands(nullptr)) {
      names.push_back(command->get_name());
      if (names.back() == word) chosen = command;
    }
    if (names.empty()) break;  // what follows are arguments
    if (!chosen)
      return fmt::format("there is no command '{}' ({})", word, core::suggestion(word, names));
    level = chosen;
  }
  return {};
}

int run(int argc, char** argv) {
  int exit_code = exit_done;
  CLI::App app{"Sinew advances stiff deformable objects in time.", "sinew"};
  app.set_version_flag("--version", core::version);
  app.require_subcommand(1);
  app.footer("Example: sinew run hanging-ball -o out/ball\nEvery command explains itself with -h.");
  add_run(app, exit_code);
  add_validate(app, exit_code);
  add_list(app, exit_code);
  add_info(app, exit_code);
  add_mesh(app, exit_code);
  add_compare(app, exit_code);
  add_render(app, exit_code);
  add_view(app, exit_code);
  add_modes(app, exit_code);
  add_damping(app, exit_code);
  add_static(app, exit_code);
  add_stiffen(app, exit_code);
  add_sibling(app, exit_code, "bench", "named benchmarks; without a name, what there is");
  add_sibling(app, exit_code, "reproduce",
              "a table or figure of the papers, rerun; without a name, what there is");

  if (const std::string message = unknown_command(app, argc, argv); !message.empty()) {
    fmt::print(stderr, "sinew: {}\n", message);
    return exit_bad_input;
  }
  if (const auto ended = parse_arguments(app, argc, argv)) return *ended;
  return exit_code;
}

}  // namespace
}  // namespace sinew::cli

int main(int argc, char** argv) {
  return sinew::cli::guarded_main(argc, argv, sinew::cli::run);
}
