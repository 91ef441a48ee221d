// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include <sinew/core/error.hpp>

#include "commands.hpp"

namespace sinew::cli {

void start_sibling(const std::string& name, const std::vector<std::string>& arguments) {
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / ("sinew-" + name);
  std::string path = program.string();
  std::vector<std::string> words = arguments;
  std::vector<char*> argv{path.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(path.c_str(), argv.data());
  const int reason = errno;
  throw InputError(
      {.file = path,
       .what = fmt::format("{} cannot be started: {}", name, std::strerror(reason)),
       .hint = reason == ENOENT ? "it is a program of its own; `make build` builds it" : ""});
}

namespace {

void add_sibling(CLI::App& app, const std::string& name, const std::string& summary) {
  CLI::App* command = app.add_subcommand(name, summary);
  // everything that follows is the other program's, -h included
  command->set_help_flag();
  command->prefix_command();
  command->callback([name, command] { start_sibling(name, command->remaining()); });
}

}  // namespace

void add_bench(CLI::App& app, int& /*exit_code*/) {
  add_sibling(app, "bench", "named benchmarks; without a name, what there is");
}

void add_reproduce(CLI::App& app, int& /*exit_code*/) {
  add_sibling(app, "reproduce",
              "a table or figure of the papers, rerun; without a name, what there is");
}

}  // namespace sinew::cli
