// SPDX-License-Identifier: Apache-2.0
// Contact: what it costs where nothing is near, how it grows with the number of bodies, and the
// crash of luan2020 under several methods.
#include <algorithm>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/run.hpp>

#include "bench.hpp"

namespace sinew::cli {
namespace {

struct Cost {
  double seconds = 0.0;  ///< per step
  double contact = 0.0;  ///< part of it spent on the question how far a move may go
};

/// Steps and their costs, by time.
class StepCosts final : public sim::Observer {
 public:
  void on_step(const sim::FrameView&, const sim::StepRecord& record) override {
    seconds_.push_back(record.seconds);
    contact_ += record.report.profile.seconds.contact;
    newton_ += record.report.profile.counts.newton;
    times_.push_back(record.t);
  }
  Cost mean() const {
    double sum = 0.0;
    for (const double one : seconds_) sum += one;
    return {sum / static_cast<double>(seconds_.size()), contact_ / sum};
  }
  double per_newton() const {
    return mean().seconds * static_cast<double>(seconds_.size()) / static_cast<double>(newton_);
  }
  double median() const {
    std::vector<double> sorted = seconds_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  /// The largest mean over steps that make up this much time.
  double busiest(double span) const {
    double largest = 0.0;
    for (std::size_t first = 0; first < times_.size(); ++first) {
      double sum = 0.0;
      std::size_t last = first;
      for (; last < times_.size() && times_[last] <= times_[first] + span; ++last)
        sum += seconds_[last];
      largest = std::max(largest, sum / static_cast<double>(last - first));
    }
    return largest;
  }

 private:
  std::vector<double> seconds_, times_;
  double contact_ = 0.0;
  Index newton_ = 0;
};

StepCosts run(const scene::SceneSpec& scene) {
  StepCosts costs;
  if (study::run_scene(scene, {.observers = {&costs}}).reason != sim::StopReason::reached_end)
    throw InternalError("a run of the benchmark did not end well");
  return costs;
}

/// A bar that swings, high above the floor if there is one, and may touch itself or not.
scene::SceneSpec swinging_bar(const char* method, const char* between) {
  const std::string floor = fmt::format(
      R"("obstacles": [ {{ "type": "plane", "point": [0, 0, -5] }} ],
         "contact": {{ "model": "barrier", "between": "{}", "friction": {{}} }},)",
      between);
  return scene::parse_scene(
      fmt::format(
          R"({{ "sinew": 1, "bodies": [ {{ "mesh": {{ "generator": "bar", "cells": [60, 10, 10] }},
                 "material": {{ "young": 1e6 }} }} ], {}
               "fixed": [ {{ "select": {{ "plane": {{ "normal": [1, 0, 0] }} }} }} ],
               "loads": [ {{ "type": "gravity", "value": [0, 0, -9.81] }} ],
               "integrator": {{ "name": "{}" }}, "time": {{ "dt": 0.01, "end": 0.5 }}, "output": {{ "fps": 0 }} }})",
          *between ? floor : "", method),
      "benchmark");
}

/// Balls of a thousand tets that fall on a floor between walls: columns of five, side by side.
scene::SceneSpec pile(int balls) {
  constexpr int layers = 5;
  const int columns = balls / layers, across = columns >= 16 ? 4 : std::min(columns, 2);
  std::string bodies;
  for (int k = 0; k < balls; ++k) {
    const int column = k / layers, layer = k % layers, row = column / across;
    bodies += fmt::format(
        R"({}{{ "mesh": {{ "generator": "ball", "radius": 0.055, "shell_thickness": 0, "cells": 3, "core_layers": 2 }},
              "name": "ball-{}", "transform": {{ "translate": [{}, {}, {}] }},
              "material": {{ "young": 5e4, "poisson": 0.4 }}, "damping": {{ "stiffness": 0.001 }} }})",
        k > 0 ? "," : "", k, 0.12 * (column % across) + 0.003 * (k % 3),
        0.12 * row + 0.002 * (k % 5), 0.07 + 0.115 * layer);
  }
  const int rows = (columns + across - 1) / across;
  const double wide = 0.12 * across - 0.05, deep = 0.12 * rows - 0.05;
  return scene::parse_scene(
      fmt::format(
          R"({{ "sinew": 1, "bodies": [{}], "loads": [ {{ "type": "gravity" }} ],
              "obstacles": [ {{ "type": "plane" }}, {{ "type": "plane", "point": [-0.06, 0, 0], "normal": [1, 0, 0] }},
                             {{ "type": "plane", "point": [{}, 0, 0], "normal": [-1, 0, 0] }},
                             {{ "type": "plane", "point": [0, -0.06, 0], "normal": [0, 1, 0] }},
                             {{ "type": "plane", "point": [0, {}, 0], "normal": [0, -1, 0] }} ],
              "contact": {{ "distance": 5e-4, "friction": {{ "coefficient": 0.2, "slip": 0.01 }} }},
              "integrator": {{ "name": "be" }}, "time": {{ "dt": 0.01, "end": 0.3 }}, "output": {{ "fps": 0 }} }})",
          bodies, wide, deep),
      "benchmark");
}

struct CrashMethod {
  const char* name;
  double dt, end;
  const char* solver;
};

}  // namespace

void bench_contact(BenchLog& log) {
  log.title(
      "a bar of 36,000 tets with a floor far below; ratio to the same without, of median steps, "
      "median of 9");
  for (const char* method : {"si", "be", "siere"})
    for (const char* between : {"obstacles", "all"}) {
      std::vector<double> without, ratios;
      for (int round = 0; round < 9; ++round) {
        without.push_back(run(swinging_bar(method, "")).median());
        ratios.push_back(run(swinging_bar(method, between)).median() / without.back());
      }
      std::sort(ratios.begin(), ratios.end());
      std::sort(without.begin(), without.end());
      log.row(fmt::format("{}, between {}", method, between), without[4], ratios[4]);
    }

  log.title(
      "piles of soft balls with be at 10 ms, steps of the busiest 0.1 s; ratio of iterations, per "
      "ball");
  double first = 0.0;
  for (const int balls : {5, 10, 20, 40, 80}) {
    const StepCosts costs = run(pile(balls));
    const double per_ball = costs.per_newton() / balls;
    if (first == 0.0) first = per_ball;
    log.row(fmt::format("{} balls, {:.0f} % for collision detection", balls,
                        100.0 * costs.mean().contact),
            costs.busiest(0.1), per_ball / first);
  }

  log.title("crash-fast, seconds for 2 s from the mean of the first steps; ratio to the first row");
  for (const CrashMethod& method : {CrashMethod{"symplectic-euler", 0.001, 0.1, nullptr},
                                    {"rk4", 0.0015, 0.09, nullptr},
                                    {"exprb42", 0.005, 0.05, nullptr},
                                    {"v-imex", 0.002, 0.02, "multigrid"},
                                    {"be", 0.002, 0.02, "multigrid"}}) {
    std::vector<scene::Override> changes{{"integrator.name", method.name},
                                         {"time.dt", fmt::format("{}", method.dt)},
                                         {"time.end", fmt::format("{}", method.end)},
                                         {"output.fps", "0"}};
    if (method.solver) changes.push_back({"integrator.solver.name", method.solver});
    const double seconds =
        2.0 / method.dt * run(scene::find_scene("crash-fast", changes)).mean().seconds;
    static double reference = 0.0;
    if (reference == 0.0) reference = seconds;
    log.row(fmt::format("{} at {} ms", method.name, 1000.0 * method.dt), seconds,
            seconds / reference);
  }
}

}  // namespace sinew::cli
