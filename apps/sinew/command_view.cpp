// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "folder_server.hpp"
#include "program/exit_codes.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

void open_in_browser(const std::string& url) {
  // the address is ours: nothing in it needs quoting
  if (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY"))
    static_cast<void>(std::system(fmt::format("xdg-open {} >/dev/null 2>&1 &", url).c_str()));
}

int view(const std::vector<std::string>& directories, int port) {
  std::vector<std::unique_ptr<ViewedRun>> runs;
  runs.reserve(directories.size());
  for (const std::string& directory : directories)
    runs.push_back(std::make_unique<ViewedRun>(directory));
  const auto announce = [](const std::string& url) {
    watch_for_interrupts();
    fmt::print("{}\n", url);
    fmt::print(stderr, "press Ctrl-C to end\n");
    std::fflush(stdout);
    open_in_browser(url);
  };
  serve(runs, port, announce, interrupt_requested);
  return exit_done;
}

}  // namespace

void add_view(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::vector<std::string> directories;
    int port = 0;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("view", "serve the reports of runs on this machine and open them");
  command->footer(
      "Example: sinew view runs/hanging-ball-si\n"
      "         sinew view runs/hanging-ball-si runs/hanging-ball-be");
  command
      ->add_option("directory", arguments->directories,
                   "directories of runs or comparisons; a run that goes on is followed")
      ->required();
  command->add_option("--port", arguments->port, "a free one if not given")
      ->check(CLI::Range(1, 65535));
  command->callback(
      [arguments, &exit_code] { exit_code = view(arguments->directories, arguments->port); });
}

}  // namespace sinew::cli
