// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <sstream>

#include <sinew/output/record/csv_file.hpp>

namespace sinew::output {
namespace {

namespace fs = std::filesystem;

/// Rows of an earlier run: from the unfinished file if the run was killed, else from the final one.
std::string earlier_content(const fs::path& path) {
  const fs::path part = fs::path(path) += ".part";
  if (fs::exists(part)) return core::read_file(part);
  return fs::exists(path) ? core::read_file(path) : std::string();
}

}  // namespace

CsvFile::CsvFile(const fs::path& path, std::string_view header,
                 const std::function<bool(double)>& keep)
    : file_([&] {
        std::string rows(header);
        rows += '\n';
        if (keep) {
          std::istringstream earlier(earlier_content(path));
          std::string line;
          std::getline(earlier, line);  // its header
          // a last line without its break is a row that was cut off
          while (std::getline(earlier, line) && !earlier.eof()) {
            double cell = 0.0;
            const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), cell);
            if (error == std::errc() && keep(cell)) rows += line + '\n';
          }
        }
        core::PartFile file(path);
        file.stream() << rows << std::flush;
        return file;
      }()) {}

void CsvFile::write(std::string_view row) {
  file_.stream() << row << '\n' << std::flush;
  file_.require_good();
}

}  // namespace sinew::output
