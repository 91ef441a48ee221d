// SPDX-License-Identifier: Apache-2.0
// Run a scene from C++ and read the results while they are made.
//
// A scene is data: take a built-in one (or read_scene("my.json")), change what you like, run it.
// The run directory is the same that `sinew run` writes; an observer sees every step without it.

#include <cstdio>

#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/run.hpp>

using namespace sinew;

/// Follows the lowest point of the ball: fields are named and in the numbering of the mesh.
class LowestPoint final : public sim::Observer {
 public:
  void on_step(const sim::FrameView& view, const sim::StepRecord&) override {
    const dynamics::Observables& shown = dynamics::observables_of(view.system);
    Vec position(3 * shown.geometry().num_points);
    shown.evaluate_field("position", view.state, view.workspace, position);
    for (Index i = 2; i < position.size(); i += 3) lowest = std::min(lowest, position[i]);
  }

  double lowest = 0.0;
};

int main() {
  // the stiff-shelled ball that hangs from its top, for a tenth of a second
  scene::SceneSpec ball = scene::find_scene("hanging-ball");
  ball.time.end = 0.1;
  ball.integrator.name = "be";
  ball.bodies[0].material.young = 2e6;

  LowestPoint watcher;
  study::RunOptions options;
  options.directory = "run-scene-example";
  options.replace = true;  // what this program left there when it was run before
  options.observers.push_back(&watcher);
  const sim::RunSummary summary = study::run_scene(ball, options);

  std::printf("%ld steps, %ld Newton iterations, lowest point %.4f m\n", summary.accepted_steps,
              summary.profile.counts.newton, watcher.lowest);
  return summary.reason == sim::StopReason::reached_end ? 0 : 1;
}
