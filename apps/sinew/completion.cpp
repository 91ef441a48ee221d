// SPDX-License-Identifier: Apache-2.0
#include "completion.hpp"

#include <algorithm>
#include <map>

#include <sinew/core/error.hpp>

#include "commands.hpp"

namespace sinew::cli {
namespace {

/// The values of options and arguments that have names; others are numbers and files.
std::vector<std::string> values_of(const CLI::App& app, const std::string& argument) {
  static const std::map<std::string, std::string> kinds{
      {"scene", "scenes"},
      {"--integrator", "integrators"},
      {"--integrators", "integrators"},
      {"--reference-integrator", "integrators"},
      {"--format", "writers"},
  };
  if (const auto kind = kinds.find(argument); kind != kinds.end())
    return listed_names(kind->second);
  if (argument == "what") return list_kinds();
  if (argument == "shell") return {"bash", "fish", "zsh"};
  if (argument == "--at") return {"initial", "rest"};
  if (argument == "--log-level") return {"debug", "errors", "info", "warnings"};
  if (argument != "command") return {};
  const std::vector<const CLI::App*> commands = app.get_subcommands({});
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// Those that begin like `word`, or like what follows its last comma, with what is before that.
std::vector<std::string> beginning_like(std::vector<std::string> names, const std::string& word) {
  const std::size_t comma = word.rfind(',');
  const std::string before = comma == std::string::npos ? "" : word.substr(0, comma + 1);
  const std::string begin = word.substr(before.size());
  std::erase_if(names, [&](const std::string& name) { return !name.starts_with(begin); });
  for (std::string& name : names) name.insert(0, before);
  std::ranges::sort(names);
  return names;
}

/// Where on the command line a word stands.
struct Position {
  const CLI::App* command;
  const CLI::Option* option = nullptr;  ///< whose value comes next
  std::size_t argument = 0;             ///< how many there were
};

void advance(Position& at, const std::string& word) {
  if (at.option) {
    at.option = nullptr;
  } else if (word.starts_with("-")) {
    const CLI::Option* option = at.command->get_option_no_throw(word);
    if (option && option->get_items_expected_max() > 0) at.option = option;
  } else {
    for (const CLI::App* inner : at.command->get_subcommands({}))
      if (inner->get_name() == word) {
        at = {.command = inner};
        return;
      }
    ++at.argument;
  }
}

}  // namespace

std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words) {
  Position at{.command = &app};
  for (std::size_t k = 0; k + 1 < words.size(); ++k) advance(at, words[k]);
  const std::string word = words.empty() ? "" : words.back();
  if (at.option) return beginning_like(values_of(app, at.option->get_name()), word);
  if (word.starts_with("-")) return beginning_like(option_names(*at.command), word);
  if (!at.command->get_subcommands({}).empty())
    return beginning_like(values_of(*at.command, "command"), word);
  const std::vector<const CLI::Option*> arguments =
      at.command->get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (arguments.empty()) return {};
  const CLI::Option* argument = arguments[std::min(at.argument, arguments.size() - 1)];
  return beginning_like(values_of(app, argument->get_name()), word);
}

}  // namespace sinew::cli
