// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <sinew/core/atomic_file.hpp>

namespace sinew::output {

/// A table that grows row by row and gets its name when the run ends.
class CsvFile {
 public:
  /// `keep`: when continuing an earlier run, which of its rows stay, judged by the first cell.
  /// Without it the table starts empty.
  CsvFile(const std::filesystem::path& path, std::string_view header,
          const std::function<bool(double first_cell)>& keep = nullptr);

  /// One row without its line break. It reaches the disk at once, so a killed run loses nothing.
  void write(std::string_view row);
  void commit() { file_.commit(); }

 private:
  core::PartFile file_;
};

}  // namespace sinew::output
