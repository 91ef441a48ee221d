// SPDX-License-Identifier: Apache-2.0
#include "folder_server.hpp"

#include <cerrno>
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>

namespace sinew::cli {
namespace {

constexpr const char* loopback = "127.0.0.1";

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

}  // namespace

void serve(const ServedFolder& folder, int port,
           const std::function<void(const std::string& url)>& ready,
           const std::function<bool()>& is_over) {
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
  ready(fmt::format("http://{}:{}/", loopback, port));
  std::jthread watcher([&](const std::stop_token& done) {
    while (!done.stop_requested() && !is_over())
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    server.stop();
  });
  server.listen_after_bind();
}

}  // namespace sinew::cli
