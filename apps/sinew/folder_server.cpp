// SPDX-License-Identifier: Apache-2.0
#include "folder_server.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>

#include "program/exit_codes.hpp"

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

/// A run, and where it is served.
struct Place {
  std::string name;  ///< a folder of the server; empty for a single run, which is all there is
  ViewedRun* run = nullptr;
};

/// Named like their directories; a number tells those of the same name apart.
std::vector<Place> places_of(const std::vector<std::unique_ptr<ViewedRun>>& runs) {
  std::vector<Place> places;
  places.reserve(runs.size());
  for (const auto& run : runs) {
    std::string name;
    if (runs.size() > 1) {
      const std::string last = std::filesystem::canonical(run->directory()).filename().string();
      const auto is_taken = [&] {
        return std::ranges::any_of(places, [&](const Place& other) { return other.name == name; });
      };
      name = last;
      for (int number = 2; is_taken(); ++number) name = fmt::format("{}-{}", last, number);
    }
    places.push_back({name, run.get()});
  }
  return places;
}

void answer_from_run(ViewedRun& run, const std::string& name, httplib::Response& response) {
  constexpr const char* html = "text/html; charset=utf-8";
  response.set_header("Cache-Control", "no-cache");  // what is shown may go on
  const std::string file = name.empty() ? "report.html" : name;
  if (name == "sinew-state")
    response.set_content(run.state(), "text/plain; charset=utf-8");
  else if (name.empty() && run.is_going_on())
    response.set_content(following_page(run.directory().filename().string()), html);
  else if (name == "report.html" && run.is_going_on())
    response.set_content(run.current_report(), html);
  else if (const auto found = run.folder().find(file))
    response.set_content(core::read_file(*found), std::string(content_type(*found)));
  else
    response.status = 404;
}

void answer(const std::vector<Place>& places, const httplib::Request& request,
            httplib::Response& response) {
  const std::string path = request.path.substr(1);
  if (places.front().name.empty()) return answer_from_run(*places.front().run, path, response);
  if (path.empty()) {
    std::vector<std::string> names;
    names.reserve(places.size());
    for (const Place& place : places) names.push_back(place.name);
    response.set_content(index_page(names), "text/html; charset=utf-8");
    return;
  }
  const std::size_t slash = path.find('/');
  const auto found = std::ranges::find(places, path.substr(0, slash), &Place::name);
  if (found == places.end())
    response.status = 404;
  else if (slash == std::string::npos)
    response.set_redirect(fmt::format("/{}/", path));
  else
    answer_from_run(*found->run, path.substr(slash + 1), response);
}

}  // namespace

void serve(const std::vector<std::unique_ptr<ViewedRun>>& runs, int port,
           const std::function<void(const std::string& url)>& ready,
           const std::function<bool()>& is_over) {
  const std::vector<Place> places = places_of(runs);
  httplib::Server server;
  server.set_default_headers(
      {{"X-Content-Type-Options", "nosniff"}, {"Cross-Origin-Resource-Policy", "same-origin"}});
  server.Get("/.*", [&](const httplib::Request& request, httplib::Response& response) {
    answer(places, request, response);
  });
  port = bind(server, port);
  answer_own_name_only(server, port);
  ready(fmt::format("http://{}:{}/", loopback, port));
  std::jthread watcher([&](const std::stop_token& done) {
    while (!done.stop_requested()) {
      if (is_over()) std::quick_exit(exit_done);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  server.listen_after_bind();
}

}  // namespace sinew::cli
