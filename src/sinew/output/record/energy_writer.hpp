// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <sinew/output/record/csv_file.hpp>
#include <sinew/output/record/run_directory.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::output {

/// energy.csv: the ledger after every accepted step.
class EnergyWriter final : public sim::Observer {
 public:
  EnergyWriter(const RunDirectory& directory, bool resume)
      : path_(directory.file("energy.csv")), resume_(resume) {}

  void on_start(const sim::FrameView& view) override;
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override;
  void on_finish(const sim::FrameView& view, const sim::RunSummary& summary) override;

 private:
  void write_row(const sim::FrameView& view);

  std::filesystem::path path_;
  bool resume_;
  std::optional<CsvFile> file_;
};

}  // namespace sinew::output
