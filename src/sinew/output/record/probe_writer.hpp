// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sinew/output/record/csv_file.hpp>
#include <sinew/output/record/run_directory.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::output {

/// A named place: the mean over some points of the geometry. It keeps their numbers when an edit
/// changes the geometry.
struct Probe {
  std::string name;
  std::vector<int> points;
};

/// probes.csv: position and velocity of every probe after every accepted step; nan while one of its
/// points is not there.
class ProbeWriter final : public sim::Observer {
 public:
  /// Adds numbers up over several processes, in place.
  using AddUp = std::function<void(std::span<double>)>;

  /// Of several processes each names the points that are its own, and one of them `writes`.
  ProbeWriter(const RunDirectory& directory, std::vector<Probe> probes, bool resume,
              AddUp add_up = {}, bool writes = true)
      : path_(directory.file("probes.csv")),
        probes_(std::move(probes)),
        resume_(resume),
        add_up_(std::move(add_up)),
        writes_(writes) {}

  void on_start(const sim::FrameView& view) override;
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override;
  void on_finish(const sim::FrameView& view, const sim::RunSummary& summary) override;

 private:
  void write_row(const sim::FrameView& view);

  std::filesystem::path path_;
  std::vector<Probe> probes_;
  bool resume_;
  AddUp add_up_;
  bool writes_;
  Vec position_, velocity_;
  std::optional<CsvFile> file_;
};

}  // namespace sinew::output
