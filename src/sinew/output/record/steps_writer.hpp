// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <sinew/output/record/csv_file.hpp>
#include <sinew/output/record/run_directory.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::output {

/// steps.csv: one row per attempted step, rejected ones too.
class StepsWriter final : public sim::Observer {
 public:
  StepsWriter(const RunDirectory& directory, bool resume)
      : path_(directory.file("steps.csv")), resume_(resume) {}

  void on_start(const sim::FrameView& view) override;
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override;
  void on_finish(const sim::FrameView& view, const sim::RunSummary& summary) override;

 private:
  std::filesystem::path path_;
  bool resume_;
  std::optional<CsvFile> file_;
};

}  // namespace sinew::output
