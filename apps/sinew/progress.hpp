// SPDX-License-Identifier: Apache-2.0
// What the commands show while they work.
#pragma once

#include <string>
#include <vector>

#include <sinew/core/unit_system.hpp>
#include <sinew/sim/observer.hpp>
#include <sinew/study/compare.hpp>

#include "program/progress_line.hpp"

namespace sinew::cli {

/// Of a run, and of settling before it.
class Progress final : public sim::Observer {
 public:
  Progress(double end_time, const core::UnitSystem& units);

  void on_settling(double t, double end);
  void on_start(const sim::FrameView& view) override;
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override;
  void on_finish(const sim::FrameView& view, const sim::RunSummary& summary) override;

 private:
  std::string text_of(const sim::FrameView& view, double dt) const;

  ProgressLine line_;
  double end_;
  const core::UnitSystem& units_;
  double start_time_ = 0.0;  // simulated [s]
  long start_step_ = 0;
};

/// Of the way to an equilibrium, on which time is that of the loads.
class LoadProgress final : public sim::Observer {
 public:
  explicit LoadProgress(double end_time) : end_(end_time) {}

  void on_start(const sim::FrameView& view) override;
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override;
  void on_finish(const sim::FrameView& view, const sim::RunSummary& summary) override;

 private:
  ProgressLine line_;
  double end_;
  long newton_ = 0;
};

/// A line for every attempt at a step.
class StepLog final : public sim::Observer {
 public:
  explicit StepLog(const core::UnitSystem& units) : time_unit_(units.unit("s")) {}

  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override;

 private:
  std::string time_unit_;
};

/// Of the runs of a comparison.
class ComparisonProgress {
 public:
  void on_progress(const std::vector<study::BatchProgress>& runs);
  void clear() { line_.clear(); }

 private:
  ProgressLine line_;
};

}  // namespace sinew::cli
