// SPDX-License-Identifier: Apache-2.0
// One line on stderr about how far long work is: redrawn on a terminal, a new one every few seconds
// elsewhere.
#pragma once

#include <string>
#include <vector>

#include <sinew/core/profile.hpp>
#include <sinew/sim/observer.hpp>
#include <sinew/study/compare.hpp>

namespace sinew::cli {

/// "0.5 s", "35 s", "12 min", "3.5 h"; "?" for what is not finite.
std::string duration_text(double seconds);

/// The line itself.
class ProgressLine {
 public:
  ProgressLine();

  double seconds() const { return watch_.seconds(); }  ///< since it was made or begun anew
  void begin();
  bool is_due() const;
  void draw(const std::string& text);
  /// Takes it away, where there is one to take away.
  void clear();

 private:
  bool is_terminal_;
  bool is_shown_ = false;
  core::Stopwatch watch_;
  double last_drawn_ = 0.0;
};

/// Of a run, and of settling before it.
class Progress final : public sim::Observer {
 public:
  /// `time_unit`: "s", or "ps" for molecules.
  Progress(double end_time, std::string time_unit);

  void on_settling(double t, double end);
  void on_start(const sim::FrameView& view) override;
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override;
  void on_finish(const sim::FrameView& view, const sim::RunSummary& summary) override;

 private:
  std::string text_of(const sim::FrameView& view, double dt) const;

  ProgressLine line_;
  double end_;
  std::string time_unit_;
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
  explicit StepLog(std::string time_unit) : time_unit_(std::move(time_unit)) {}

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
