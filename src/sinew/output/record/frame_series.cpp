// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <regex>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/record/frame_series.hpp>

namespace sinew::output {
namespace {

/// The value of an attribute of a tag; empty without it.
std::string attribute(const std::string& tag, const char* name) {
  const std::regex pattern(fmt::format("\\b{}\\s*=\\s*[\"']([^\"']*)[\"']", name));
  std::smatch match;
  return std::regex_search(tag, match, pattern) ? match[1].str() : "";
}

}  // namespace

std::vector<FrameFile> read_series(const std::filesystem::path& pvd) {
  const std::string text = core::read_file(pvd);
  std::vector<FrameFile> frames;
  static const std::regex data_set("<DataSet\\s[^>]*>");
  for (std::sregex_iterator it(text.begin(), text.end(), data_set), end; it != end; ++it) {
    const std::string tag = it->str(), time = attribute(tag, "timestep");
    const std::string file = attribute(tag, "file");
    double t = 0.0;
    const auto [stop, error] = std::from_chars(time.data(), time.data() + time.size(), t);
    if (error != std::errc() || stop != time.data() + time.size() || file.empty())
      throw InputError({.file = pvd.string(),
                        .what = fmt::format("'{}' names no file with a time", tag),
                        .hint = "the series is damaged; write it again"});
    frames.push_back({t, pvd.parent_path() / file});
  }
  return frames;
}

void write_series(const RunDirectory& directory, const std::vector<SeriesEntry>& frames,
                  const char* name) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const SeriesEntry& frame : frames)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"frames/{}\"/>\n", frame.t,
                        frame.file);
  text += "  </Collection>\n</VTKFile>\n";
  core::write_atomically(directory.file(name), text);
}

}  // namespace sinew::output
