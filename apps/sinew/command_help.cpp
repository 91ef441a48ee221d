// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "program/parse_arguments.hpp"

namespace sinew::cli {

void add_help(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("help", "what a command does, and its options");
  command->footer("Example: sinew help run\n         sinew help mesh cut");
  command->add_option("command", *words, "a command; without one, all of them");
  command->callback([&app, words, &exit_code] {
    const CLI::App& asked = find_command(app, *words);
    if (asked.get_prefix_command()) start_sibling(asked.get_name(), {"-h"});
    std::string above = words->empty() ? "" : "sinew";
    for (std::size_t k = 0; k + 1 < words->size(); ++k) above += " " + (*words)[k];
    // of the main page: not that of the command that is running, which is this one
    fmt::print("{}", words->empty() ? app.get_formatter()->make_help(&app, "sinew", {})
                                    : asked.help(above));
    exit_code = exit_done;
  });
}

}  // namespace sinew::cli
