// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#undef _res  // a macro of <resolv.h>; Eigen has parameters of that name

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/run_directory.hpp>
#include <sinew/output/writers.hpp>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

constexpr const char* loopback = "127.0.0.1";

/// The report of a run, or of a comparison, which has no manifest of its own.
std::filesystem::path find_report(const std::filesystem::path& directory) {
  std::filesystem::path report = directory / "report.html";
  if (!std::filesystem::exists(report)) {
    const output::RunDirectory run = output::RunDirectory::open(directory);
    output::publish(run.path(), {}, core::serial_executor());
  }
  if (!std::filesystem::exists(report))
    throw InputError({.file = directory.string(),
                      .what = "this build cannot make reports",
                      .hint = "build with npm installed, or open frames.pvd in ParaView"});
  return report;
}

void open_in_browser(const std::string& url) {
  // the address is ours: nothing in it needs quoting
  if (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY"))
    static_cast<void>(std::system(fmt::format("xdg-open {} >/dev/null 2>&1 &", url).c_str()));
}

int view(const std::filesystem::path& directory, int port) {
  const std::string page = core::read_file(find_report(directory));
  httplib::Server server;
  server.Get("/", [&](const httplib::Request&, httplib::Response& response) {
    response.set_content(page, "text/html; charset=utf-8");
  });
  server.set_mount_point("/", directory.string());
  if (port == 0)
    port = server.bind_to_any_port(loopback);
  else if (!server.bind_to_port(loopback, port))
    port = -1;
  if (port < 0)
    throw InputError(
        Problem{.what = "the port is in use", .hint = "leave out --port to take a free one"});
  const std::string url = fmt::format("http://{}:{}/", loopback, port);
  fmt::print("{}\n", url);
  fmt::print(stderr, "press Ctrl-C to end\n");
  std::fflush(stdout);
  open_in_browser(url);
  watch_for_interrupts();
  std::jthread watcher([&](const std::stop_token& done) {
    while (!done.stop_requested() && !interrupt_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    server.stop();
  });
  server.listen_after_bind();
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
