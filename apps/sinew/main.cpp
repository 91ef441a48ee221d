// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/version.hpp>

#include "commands.hpp"
#include "exit_codes.hpp"

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

/// "filesystem error: cannot create directory: Permission denied [a/b]" in our own words.
Problem disk_problem(const std::filesystem::filesystem_error& error) {
  const std::string message = error.what(), prefix = "filesystem error: ";
  const std::string reason = error.code().message();
  std::size_t end = message.find(": " + reason);
  const std::size_t begin = message.starts_with(prefix) ? prefix.size() : 0;
  if (end == std::string::npos || end < begin) end = message.size();
  std::string hint;
  if (error.code() == std::errc::permission_denied ||
      error.code() == std::errc::read_only_file_system)
    hint = "choose another place, or change its permissions";
  else if (error.code() == std::errc::no_space_on_device)
    hint = "make room, or choose another place";
  else if (error.code() == std::errc::filename_too_long)
    hint = "choose a shorter name";
  else if (error.code() == std::errc::not_a_directory)
    hint = "part of the path is a file";
  return {.file = error.path1().string(),
          .what = message.substr(begin, end - begin) + ": " + reason,
          .hint = hint};
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
  add_bench(app, exit_code);
  add_reproduce(app, exit_code);

  if (const std::string message = unknown_command(app, argc, argv); !message.empty()) {
    fmt::print(stderr, "sinew: {}\n", message);
    return exit_bad_input;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // help and version are "errors" with code 0
    return app.exit(error) == 0 ? exit_done : exit_bad_input;
  }
  return exit_code;
}

}  // namespace
}  // namespace sinew::cli

int main(int argc, char** argv) {
  using namespace sinew::cli;
  try {
    return run(argc, argv);
  } catch (const sinew::InputError& error) {
    for (const sinew::Problem& problem : error.problems())
      fmt::print(stderr, "error: {}\n", problem.to_string());
    return exit_bad_input;
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "error: {}\n", disk_problem(error).to_string());
    return exit_bad_input;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: out of memory; use a coarser mesh or a machine with more\n");
    return exit_internal_error;
  } catch (const std::exception& error) {
    fmt::print(stderr, "internal error, please report it: {}\n", error.what());
    return exit_internal_error;
  }
}
