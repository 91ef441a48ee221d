// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/study/joined_report.hpp>

namespace sinew::study {

std::vector<JoinedRun> named_by_difference(const std::vector<std::filesystem::path>& directories) {
  std::vector<JoinedRun> runs;
  std::vector<std::vector<std::string>> parts;
  std::size_t most = 0;
  for (const std::filesystem::path& directory : directories) {
    std::vector<std::string>& own = parts.emplace_back();
    for (const auto& part : std::filesystem::absolute(directory).lexically_normal())
      if (!part.empty()) own.push_back(part.string());
    most = std::max(most, own.size());
  }
  // as many folders from the end as tell them apart
  for (std::size_t count = 1; count <= most; ++count) {
    runs.clear();
    std::set<std::string> names;
    for (std::size_t k = 0; k < directories.size(); ++k) {
      std::string name;
      for (std::size_t p = parts[k].size() - std::min(count, parts[k].size()); p < parts[k].size();
           ++p)
        name = name.empty() ? parts[k][p] : fmt::format("{}/{}", name, parts[k][p]);
      names.insert(name);
      runs.push_back({name, directories[k]});
    }
    if (names.size() == runs.size()) break;
  }
  return runs;
}

void write_joined_report(const std::filesystem::path& file, const std::string& title,
                         const std::vector<JoinedRun>& runs,
                         const std::optional<output::ReportErrors>& errors) {
  if (!output::has_report_page()) return;
  std::vector<output::RunReader> readers;
  std::vector<output::SurfaceFrames> surfaces;
  readers.reserve(runs.size());  // the report points into both
  surfaces.reserve(runs.size());
  std::vector<output::ReportRun> shown;
  for (const JoinedRun& run : runs) {
    readers.emplace_back(run.directory);
    surfaces.push_back(output::read_surface_frames(readers.back()));
    shown.push_back({run.name, &readers.back(), &surfaces.back(), run.parameters});
  }
  core::write_atomically(file, output::report_html(title, shown, errors));
}

}  // namespace sinew::study
