// SPDX-License-Identifier: Apache-2.0
#include "viewed_run.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/output/publish/writers.hpp>
#include <sinew/output/record/run_directory.hpp>

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

// Making a report reads all frames: at most this part of the time goes into it.
constexpr double share_of_time = 0.1;

std::string status_of(const fs::path& directory) {
  const fs::path manifest = directory / "manifest.json";
  if (!fs::exists(manifest)) return "";  // a comparison
  const auto json = nlohmann::json::parse(core::read_file(manifest), nullptr, false);
  return json.is_object() ? json.value("status", "") : "";
}

/// A report must be there when the run is over; a comparison has one, and no manifest of its own.
fs::path with_report(const fs::path& directory) {
  core::require_usable_path(directory);
  const fs::path report = directory / "report.html";
  if (!fs::exists(report)) {
    if (fs::exists(directory / "compare.csv"))
      throw InputError(
          {.file = directory.string(),
           .what = "this comparison has no report; it is made when all its runs have ended",
           .hint = "look at its runs meanwhile, which are the folders in it"});
    const output::RunDirectory run = output::RunDirectory::open(directory);
    if (!output::has_report_page())
      throw InputError({.file = directory.string(),
                        .what = "this build cannot make reports",
                        .hint = "build with npm installed, or open frames.pvd in ParaView"});
    if (status_of(directory) == "running") return directory;
    output::publish(run.path(), {}, core::serial_executor());
  }
  if (!ServedFolder(directory).find("report.html"))
    throw InputError({.file = report.string(),
                      .what = "this is not a file in the directory that is to be shown",
                      .hint = "remove it, and sinew view makes a new one"});
  return directory;
}

/// Names come from directories, and may hold anything.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>"
      "<style>html,body{{margin:0;height:100%;font:16px/1.5 system-ui,sans-serif}}"
      "body{{display:flex;flex-direction:column}}iframe{{flex:1;border:0}}p,ul{{margin:.5em 1em}}"
      "</style></head><body>{}</body></html>\n",
      title, body);
}

// Showing a report anew takes the reader back to its first frame: not more often than this.
constexpr const char* following_script = R"(<script>
let shown;
setInterval(async () => {
  const state = await (await fetch('sinew-state')).text();
  if (shown !== undefined && state !== shown) {
    if (state.startsWith('running')) document.querySelector('iframe').contentWindow.location.reload();
    else location.reload();
  }
  shown = state;
}, 10000);
</script>)";

}  // namespace

ViewedRun::ViewedRun(const fs::path& directory)
    : directory_(with_report(directory)), folder_(directory_) {}

bool ViewedRun::is_going_on() const {
  return status_of(directory_) == "running";
}

std::string ViewedRun::state() const {
  std::error_code none;
  const auto changed = fs::last_write_time(directory_ / "frames.pvd", none).time_since_epoch();
  return fmt::format("{} {}", status_of(directory_), none ? 0 : changed.count());
}

std::string ViewedRun::current_report() {
  const std::lock_guard lock(mutex_);
  const std::string now = state();
  const bool is_early = since_report_.seconds() < making_seconds_ / share_of_time;
  if (now == report_state_ || (is_early && !report_.empty())) return report_;
  const core::Stopwatch watch;
  const output::RunReader run(directory_);
  const output::SurfaceFrames surface = output::read_surface_frames(run);
  const auto manifest = nlohmann::json::parse(run.manifest());
  report_ = output::report_html(manifest["scene"].value("name", "run"),
                                {{manifest["integrator"].value("name", ""), &run, &surface}});
  report_state_ = now;
  making_seconds_ = watch.seconds();
  since_report_ = {};
  return report_;
}

std::string following_page(const std::string& name) {
  const std::string title = escaped(name);
  return page(title,
              fmt::format("<p>{0} is still going on: what there is so far is shown, and shown anew "
                          "when frames are added.</p><iframe src=\"report.html\" "
                          "title=\"{0}\"></iframe>{1}",
                          title, following_script));
}

std::string index_page(const std::vector<std::string>& names) {
  std::string links;
  for (const std::string& name : names)
    links += fmt::format("<li><a href=\"{0}/\">{0}</a></li>", escaped(name));
  return page("sinew view", fmt::format("<ul>{}</ul>", links));
}

}  // namespace sinew::cli
