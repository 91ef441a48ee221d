// SPDX-License-Identifier: Apache-2.0
#include "motion.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>

#include "../cpu_clock.hpp"

namespace sinew::cli {
namespace {

class MotionRecorder final : public sim::Observer {
 public:
  MotionRecorder(Motion& motion, const Watch& watch) : motion_(motion), watch_(watch) {}

  void on_start(const sim::FrameView& view) override {
    motion_.begin = view.state.q;
    motion_.begin_energy = view.ledger.record().total;
    if (watch_) watch_(view);
  }
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override {
    if (record.report.status != integrators::StepStatus::accepted) return;
    if (motion_.first_step == 0.0) motion_.first_step = clock_.seconds();
    motion_.most_kinetic = std::max(motion_.most_kinetic, view.ledger.record().kinetic);
    if (watch_) watch_(view);
  }
  void on_finish(const sim::FrameView& view, const sim::RunSummary&) override {
    motion_.end = view.state.q;
    motion_.t = view.state.t;
    motion_.end_energy = view.ledger.record().total;
    motion_.cpu_seconds = clock_.seconds();
  }

 private:
  Motion& motion_;
  const Watch& watch_;
  CpuClock clock_;
};

}  // namespace

double Motion::cpu_per_step() const {
  return steps > 1 ? (cpu_seconds - first_step) / static_cast<double>(steps - 1) : cpu_seconds;
}

Motion motion_of(const std::string& scene, const std::string& method, const Changes& changes,
                 const Watch& watch) {
  const scene::SceneSpec spec = scene::find_scene(scene, bare(method, changes));
  scene::CompiledScene compiled = scene::compile(spec);
  Motion motion;
  MotionRecorder recorder(motion, watch);
  compiled.simulation->add_observer(recorder);
  const sim::RunSummary summary = compiled.simulation->run();
  motion.reached = summary.reason == sim::StopReason::reached_end;
  motion.steps = summary.accepted_steps;
  motion.redone = summary.redone.total() + summary.rejected_steps;
  motion.profile = summary.profile;
  motion.largest_strain = summary.largest_strain;
  return motion;
}

Motion motion_in(const std::string& scene, const std::string& method, long steps, double end,
                 const Changes& changes) {
  return motion_of(
      scene, method,
      changes + Changes{{"time.end", fmt::format("{}", end)},
                        {"time.dt", fmt::format("{}", end / static_cast<double>(steps))}});
}

double error_of(const Motion& motion, const Motion& reference) {
  if (!motion.reached || !motion.end.allFinite()) return std::numeric_limits<double>::infinity();
  return (motion.end - reference.end).norm() / (reference.end - reference.begin).norm();
}

LargestStep largest_step(const std::string& scene, const std::string& method, double end,
                         double tolerance, long most_steps, const Motion& reference,
                         const Changes& changes) {
  LargestStep largest{.dt = end};
  bool was_good = false;  // twice as long a step was
  for (long steps = 1; steps <= most_steps; steps *= 2) {
    const double error = error_of(motion_in(scene, method, steps, end, changes), reference);
    const bool is_good = error <= tolerance;
    if (is_good && was_good) {
      largest.found = true;
      return largest;
    }
    if (is_good || !was_good) largest = {.dt = end / static_cast<double>(steps), .error = error};
    was_good = is_good;
  }
  largest.found = was_good;
  return largest;
}

}  // namespace sinew::cli
