// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/output/publish/writers.hpp>
#include <sinew/output/record/run_directory.hpp>

#include "commands.hpp"
#include "folder_server.hpp"
#include "program/exit_codes.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

/// Makes the report of a run; a comparison has one, and no manifest of its own.
void require_report(const std::filesystem::path& directory) {
  core::require_usable_path(directory);
  const std::filesystem::path report = directory / "report.html";
  if (std::filesystem::exists(report)) return;
  const output::RunDirectory run = output::RunDirectory::open(directory);
  output::publish(run.path(), {}, core::serial_executor());
  if (!std::filesystem::exists(report))
    throw InputError({.file = directory.string(),
                      .what = "this build cannot make reports",
                      .hint = "build with npm installed, or open frames.pvd in ParaView"});
}

void open_in_browser(const std::string& url) {
  // the address is ours: nothing in it needs quoting
  if (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY"))
    static_cast<void>(std::system(fmt::format("xdg-open {} >/dev/null 2>&1 &", url).c_str()));
}

int view(const std::filesystem::path& directory, int port) {
  require_report(directory);
  const ServedFolder folder(directory);
  if (!folder.find("report.html"))
    throw InputError({.file = (directory / "report.html").string(),
                      .what = "this is not a file in the directory that is to be shown",
                      .hint = "remove it, and sinew view makes a new one"});
  const auto announce = [](const std::string& url) {
    fmt::print("{}\n", url);
    fmt::print(stderr, "press Ctrl-C to end\n");
    std::fflush(stdout);
    open_in_browser(url);
    watch_for_interrupts();
  };
  serve(folder, port, announce, interrupt_requested);
  return exit_done;
}

}  // namespace

void add_view(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string directory;
    int port = 0;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("view", "serve the report of a run on this machine and open it");
  command->footer("Example: sinew view runs/hanging-ball-si");
  command->add_option("directory", arguments->directory, "run directory")->required();
  command->add_option("--port", arguments->port, "a free one if not given")
      ->check(CLI::Range(1, 65535));
  command->callback(
      [arguments, &exit_code] { exit_code = view(arguments->directory, arguments->port); });
}

}  // namespace sinew::cli
