// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

/// When all runs of a comparison have ended, if those that wait take as long as the others [s].
double batch_time_left(const std::vector<study::BatchProgress>& runs) {
  double known = 0.0, left = 0.0;  // of the runs that began: how long they take, what is left
  int begun = 0, waiting = 0, running = 0;
  for (const study::BatchProgress& run : runs) {
    if (!run.is_running && !run.has_ended) {
      ++waiting;
      continue;
    }
    const double remaining = run.has_ended ? 0.0 : time_left(run.seconds, run.t, run.end);
    running += run.is_running ? 1 : 0;
    left += remaining;
    known += run.seconds + remaining;
    ++begun;
  }
  if (begun == 0) return INFINITY;
  return (left + waiting * known / begun) / std::max(running, 1);
}

}  // namespace

Progress::Progress(double end_time, const core::UnitSystem& units)
    : end_(end_time), units_(units) {}

void Progress::on_settling(double t, double end) {
  if (line_.is_due())
    line_.draw(fmt::format("settling: t {:.4g}/{:.4g} {}  ETA {}", t, end, units_.unit("s"),
                           duration_text(time_left(line_.seconds(), t, end))));
}

void Progress::on_start(const sim::FrameView& view) {
  line_.begin();
  start_time_ = view.state.t;
  start_step_ = view.step;
}

void Progress::on_step(const sim::FrameView& view, const sim::StepRecord& record) {
  if (line_.is_due()) line_.draw(text_of(view, record.dt));
}

void Progress::on_finish(const sim::FrameView&, const sim::RunSummary&) {
  line_.clear();
}

std::string Progress::text_of(const sim::FrameView& view, double dt) const {
  const double wall = std::max(line_.seconds(), 1e-9);
  const double simulated = view.state.t - start_time_;
  const double rate = static_cast<double>(view.step - start_step_) / wall;
  const sim::EnergyRecord& energy = view.ledger.record();
  const double scale = std::max(
      {std::abs(view.ledger.initial_energy()), std::abs(energy.total), energy.kinetic, 1e-300});
  return fmt::format(
      "t {:.4g}/{:.4g} {unit}  dt {:.3g} {unit}  {:.3g} steps/s  {:.3g}x real time  ETA {}  "
      "numerical "
      "loss {:+.2e} of the energy",
      view.state.t, end_, dt, rate, simulated * units_.second() / wall,
      duration_text(time_left(wall, simulated, end_ - start_time_)), energy.numerical_loss / scale,
      fmt::arg("unit", units_.unit("s")));
}

void LoadProgress::on_start(const sim::FrameView&) {
  line_.begin();
}

void LoadProgress::on_step(const sim::FrameView& view, const sim::StepRecord& record) {
  newton_ += record.report.profile.counts.newton;
  if (!line_.is_due()) return;
  line_.draw(fmt::format("{:.4g} % of the loads  load step {:.3g} %  {} Newton iterations  ETA {}",
                         100.0 * view.state.t / end_, 100.0 * record.dt / end_, newton_,
                         duration_text(time_left(line_.seconds(), view.state.t, end_))));
}

void LoadProgress::on_finish(const sim::FrameView&, const sim::RunSummary&) {
  line_.clear();
}

void StepLog::on_step(const sim::FrameView& view, const sim::StepRecord& record) {
  const integrators::StepReport& report = record.report;
  const bool is_accepted = report.status == integrators::StepStatus::accepted;
  fmt::print(stderr,
             "step {}  t {:.9g} {unit}  dt {:.4g} {unit}  {}  rung {}  newton {}  "
             "factorisations {}  {:.3g} s\n",
             is_accepted ? view.step : view.step + 1, record.t, record.dt,
             integrators::to_string(report.status), static_cast<int>(report.rung),
             report.profile.counts.newton, report.profile.counts.factorizations, record.seconds,
             fmt::arg("unit", time_unit_));
}

void ComparisonProgress::on_progress(const std::vector<study::BatchProgress>& runs) {
  if (!line_.is_due()) return;
  std::string running;
  for (const study::BatchProgress& run : runs)
    if (run.is_running)
      running += fmt::format("{}{} t {:.4g}/{:.4g} {}", running.empty() ? "" : ", ", run.name,
                             run.t, run.end, run.time_unit);
  const auto ended = std::count_if(runs.begin(), runs.end(),
                                   [](const study::BatchProgress& run) { return run.has_ended; });
  line_.draw(fmt::format("{} of {} runs ended; {}  ETA {}", ended, runs.size(), running,
                         duration_text(batch_time_left(runs))));
}

}  // namespace sinew::cli
