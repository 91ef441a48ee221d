// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#undef _res  // a macro of <resolv.h>; Eigen has parameters of that name

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/output/publish/writers.hpp>
#include <sinew/output/record/run_directory.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"
#include "scene_arguments.hpp"
#include "served_folder.hpp"

namespace sinew::cli {
namespace {

constexpr const char* loopback = "127.0.0.1";

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

/// On the port asked for, or on any free one for 0; returns the port.
int bind(httplib::Server& server, int port) {
  // the library's own choice lets several programs share a port; this one only lets a port be taken
  // again right after the program that had it has ended
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  errno = 0;
  const int bound = port == 0                             ? server.bind_to_any_port(loopback)
                    : server.bind_to_port(loopback, port) ? port
                                                          : -1;
  if (bound > 0) return bound;
  throw InputError(
      Problem{.what = errno == EACCES
                          ? fmt::format("port {} may not be used by this account", port)
                          : fmt::format("port {} is in use by another program, perhaps by another "
                                        "sinew view",
                                        port),
              .hint = "leave out --port to take a free one"});
}

/// Other sites can make a browser ask this server by giving it their own name; they cannot make it
/// lie about the name it asked for.
void answer_own_name_only(httplib::Server& server, int port) {
  server.set_pre_routing_handler(
      [port](const httplib::Request& request, httplib::Response& response) {
        if (request.get_header_value_count("Host") == 1 &&
            is_own_host(request.get_header_value("Host"), port))
          return httplib::Server::HandlerResponse::Unhandled;
        response.status = 403;
        response.set_content("this server answers to 127.0.0.1 and localhost only\n",
                             "text/plain; charset=utf-8");
        return httplib::Server::HandlerResponse::Handled;
      });
}

int view(const std::filesystem::path& directory, int port) {
  require_report(directory);
  const ServedFolder folder(directory);
  if (!folder.find("report.html"))
    throw InputError({.file = (directory / "report.html").string(),
                      .what = "this is not a file in the directory that is to be shown",
                      .hint = "remove it, and sinew view makes a new one"});
  httplib::Server server;
  server.set_default_headers(
      {{"X-Content-Type-Options", "nosniff"}, {"Cross-Origin-Resource-Policy", "same-origin"}});
  server.Get("/.*", [&](const httplib::Request& request, httplib::Response& response) {
    const std::string name = request.path == "/" ? "report.html" : request.path.substr(1);
    if (const auto file = folder.find(name))
      response.set_content(core::read_file(*file), std::string(content_type(*file)));
    else
      response.status = 404;
  });
  port = bind(server, port);
  answer_own_name_only(server, port);
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
