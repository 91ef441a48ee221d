// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/core/profile.hpp>
#include <sinew/output/record/vtu_writer.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/study/forecast.hpp>

namespace sinew::study {
namespace {

constexpr long fewest_steps = 2, most_steps = 20;
constexpr double enough_seconds = 0.5;
constexpr double rounding = 1e-6;  // of a step, as in Simulation

/// Wall seconds from one nominal step to the next.
class StepTimes final : public sim::Observer {
 public:
  void on_start(const sim::FrameView&) override { watch_ = {}; }
  void on_step(const sim::FrameView& view, const sim::StepRecord&) override {
    ends_.resize(static_cast<std::size_t>(view.step));
    if (!ends_.empty()) ends_.back() = watch_.seconds();
  }

  long count() const { return static_cast<long>(ends_.size()); }
  double first() const { return ends_.empty() ? 0.0 : ends_.front(); }
  double all() const { return ends_.empty() ? 0.0 : ends_.back(); }
  double others() const {
    return count() < 2 ? first() : (all() - first()) / static_cast<double>(count() - 1);
  }
  bool is_enough() const {
    return count() >= most_steps || (count() >= fewest_steps && all() > enough_seconds);
  }

 private:
  core::Stopwatch watch_;
  std::vector<double> ends_;
};

}  // namespace

double Forecast::seconds() const {
  if (steps == 0) return setup_seconds;
  return setup_seconds + first_step_seconds + static_cast<double>(steps - 1) * step_seconds;
}

Forecast forecast(const scene::SceneSpec& scene, const std::function<bool()>& interrupted,
                  const scene::Catalog& catalog) {
  const core::Stopwatch setup;
  scene::CompiledScene compiled = scene::compile(scene, catalog);
  Forecast result;
  result.setup_seconds = setup.seconds();
  result.warnings = compiled.warnings;
  const physics::TermSystem& system = compiled.system();
  result.vertices = system.num_vertices();
  result.tets = compiled.num_tets;
  result.springs = compiled.num_springs;
  result.dofs = system.num_dofs();
  result.steps = std::lround(std::ceil(scene.time.end / scene.time.dt - rounding));
  sim::Simulation& simulation = *compiled.simulation;
  if (scene.output.fps > 0.0) {
    const double due = std::floor(scene.time.end * scene.output.fps + rounding) + 1.0;
    const bool ends_between = due - 1.0 < scene.time.end * scene.output.fps - rounding;
    result.frames = std::min(std::lround(due) + (ends_between ? 1 : 0), result.steps + 1);
    const auto workspace = system.make_workspace();
    result.frame_bytes =
        static_cast<double>(output::vtu_bytes(system, simulation.state(), *workspace).size());
  }
  StepTimes times;
  simulation.add_observer(times);
  simulation.set_stop([&times] { return times.is_enough(); });
  simulation.set_interrupt(interrupted, *compiled.executor);
  result.measured = simulation.run();
  result.measured_steps = times.count();
  result.first_step_seconds = times.first();
  result.step_seconds = times.others();
  return result;
}

}  // namespace sinew::study
