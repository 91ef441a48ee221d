// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/core/profile.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::cli {

/// One line on stderr about how far the run is: redrawn on a terminal, a new one every few seconds
/// elsewhere.
class Progress final : public sim::Observer {
 public:
  explicit Progress(double end_time);

  void on_start(const sim::FrameView& view) override;
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override;
  void on_finish(const sim::FrameView& view, const sim::RunSummary& summary) override;

 private:
  void draw(const sim::FrameView& view, double dt) const;

  double end_;
  bool is_terminal_;
  double start_time_ = 0.0;  // simulated [s]
  long start_step_ = 0;
  core::Stopwatch watch_;
  double last_drawn_ = 0.0;
};

}  // namespace sinew::cli
