// SPDX-License-Identifier: Apache-2.0
// A target while it runs: how much of it is wanted, where its files go, and its verdicts, which are
// printed as they fall, each after the statement it is about.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <sinew/output/publish/line_plot.hpp>

#include "cpu_clock.hpp"
#include "target.hpp"

namespace sinew::cli {

enum class Scale {
  trial,  ///< a step or two, for tests: its verdicts say nothing
  quick,  ///< about a minute
  full    ///< the paper's size
};
std::string_view to_string(Scale scale);

class Reproduction {
 public:
  /// Makes the folder; throws InputError where none can be.
  Reproduction(const Target& target, std::filesystem::path directory, Scale scale);

  const Target& target() const { return target_; }
  const std::filesystem::path& directory() const { return directory_; }
  Scale scale() const { return scale_; }
  template <class T>
  T choose(T trial, T quick, T full) const {
    return scale_ == Scale::trial ? trial : scale_ == Scale::quick ? quick : full;
  }

  /// Of a statement of the target, each once.
  void judge(std::string_view id, Finding finding);
  void note(std::string text);

  /// Files of the folder that belong to the result.
  void write(const std::string& name, std::string_view content);
  void write_csv(const std::string& name, const std::string& header,
                 const std::vector<std::string>& rows);
  /// One that was written there by other means.
  void add_file(const std::string& name);
  /// Fits the axes first, unless limits are given.
  void write_plot(const std::string& name, output::LinePlot plot, bool fits = true);

  /// verdict.json and NAME.md. A statement without a verdict is an InternalError.
  Record finish();

  /// For programs that test a target: what it was given so far.
  const Record& record() const { return record_; }

 private:
  const Target& target_;
  std::filesystem::path directory_;
  Scale scale_;
  Record record_;
  CpuClock clock_;
};

/// The whole of a target: its statements, its runs, its verdicts, its files.
Record reproduce(const Target& target, const std::filesystem::path& directory, Scale scale);

}  // namespace sinew::cli
