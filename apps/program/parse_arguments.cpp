// SPDX-License-Identifier: Apache-2.0
#include "parse_arguments.hpp"

#include <cctype>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>

#include "exit_codes.hpp"

namespace sinew::cli {
namespace {

/// "sinew mesh cut".
std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? fmt::format("{} {}", full_name(*parent), command.get_name()) : command.get_name();
}

/// The command of this name inside of another; throws InputError if there is none.
CLI::App* inner_command(CLI::App& level, const std::string& word) {
  const std::vector<CLI::App*> commands = level.get_subcommands(nullptr);
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (CLI::App* command : commands) {
    if (command->get_name() == word) return command;
    names.push_back(command->get_name());
  }
  throw InputError(Problem{.what = fmt::format("there is no command '{}'", word),
                           .hint = core::suggestion(word, names)});
}

void require_option(const CLI::App& command, const std::string& word) {
  const bool is_long = word.starts_with("--");
  const std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
    for (const std::string& known : option->get_snames()) names.push_back("-" + known);
  }
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  // of single letters each is as near as any other
  const std::string near = is_long ? core::nearest(name, names) : std::string();
  throw InputError(
      Problem{.what = fmt::format("there is no option '{}'", name),
              .hint = near.empty() ? fmt::format("{} -h shows what there is", full_name(command))
                                   : fmt::format("did you mean '{}'?", near)});
}

/// Throws InputError for the first command or option that does not exist. The parser would speak of
/// whatever the mistake made it miss.
void require_known_words(CLI::App& app, int argc, char** argv) {
  CLI::App* level = &app;
  bool may_be_command = true;
  for (int k = 1; k < argc && !level->get_prefix_command(); ++k) {
    const std::string word = argv[k];
    if (word == "--") return;
    const bool is_number =
        word.size() > 1 && (std::isdigit(static_cast<unsigned char>(word[1])) || word[1] == '.');
    if (word.size() > 1 && word[0] == '-' && !is_number) {
      require_option(*level, word);
      may_be_command = false;  // or the value of this option
    } else if (may_be_command && !level->get_subcommands(nullptr).empty()) {
      level = inner_command(*level, word);
    }
  }
}

}  // namespace

CLI::App& find_command(CLI::App& app, const std::vector<std::string>& words) {
  CLI::App* level = &app;
  for (const std::string& word : words) {
    if (level->get_subcommands(nullptr).empty())
      throw InputError(
          Problem{.what = fmt::format("'{}' has no commands inside of it", full_name(*level)),
                  .hint = fmt::format("write: sinew help {}", level->get_name())});
    level = inner_command(*level, word);
  }
  return *level;
}

std::optional<int> parse_arguments(CLI::App& app, int argc, char** argv) {
  require_known_words(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // help and version are "errors" with code 0
    return app.exit(error) == 0 ? exit_done : exit_bad_input;
  }
  return std::nullopt;
}

}  // namespace sinew::cli
