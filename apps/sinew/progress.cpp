// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

namespace sinew::cli {
namespace {

constexpr double terminal_interval = 0.1;  // [s]
constexpr double plain_interval = 5.0;     // [s]

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 100.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

}  // namespace

Progress::Progress(double end_time) : end_(end_time), is_terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::on_start(const sim::FrameView& view) {
  watch_ = {};
  start_time_ = view.state.t;
  start_step_ = view.step;
}

void Progress::on_step(const sim::FrameView& view, const sim::StepRecord& record) {
  const double now = watch_.seconds();
  if (now - last_drawn_ < (is_terminal_ ? terminal_interval : plain_interval)) return;
  last_drawn_ = now;
  draw(view, record.dt);
}

void Progress::on_finish(const sim::FrameView&, const sim::RunSummary&) {
  if (is_terminal_ && last_drawn_ > 0.0) fmt::print(stderr, "\r\033[K");
}

void Progress::draw(const sim::FrameView& view, double dt) const {
  const double wall = std::max(watch_.seconds(), 1e-9);
  const double simulated = view.state.t - start_time_;
  const double rate = static_cast<double>(view.step - start_step_) / wall;
  const double eta = simulated > 0.0 ? (end_ - view.state.t) * wall / simulated : INFINITY;
  const sim::EnergyRecord& energy = view.ledger.record();
  const double scale = std::max(
      {std::abs(view.ledger.initial_energy()), std::abs(energy.total), energy.kinetic, 1e-300});
  fmt::print(stderr,
             "{}t {:.4g}/{:.4g} s  dt {:.3g}  {:.3g} steps/s  {:.3g}x real time  ETA {}  "
             "numerical loss {:+.2e}{}",
             is_terminal_ ? "\r" : "", view.state.t, end_, dt, rate, simulated / wall,
             duration(eta), energy.numerical_loss / scale, is_terminal_ ? "\033[K" : "\n");
  std::fflush(stderr);
}

}  // namespace sinew::cli
