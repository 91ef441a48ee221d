// SPDX-License-Identifier: Apache-2.0
// Particle networks: steps of neti on nonlinear lattices of growing size at about fifteen products
// per function, as in table II of michels2014 (its dragon: 100,000 particles, 3.9 s per step); and
// forces of a bundle of hydrocarbon chains by cells beside the direct search.
#include <algorithm>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/profile.hpp>
#include <sinew/study/run.hpp>

#include "bench.hpp"

namespace sinew::cli {
namespace {

/// Remembers what steps cost.
class StepTimes final : public sim::Observer {
 public:
  void on_step(const sim::FrameView&, const sim::StepRecord& record) override {
    seconds.push_back(record.seconds);
    products += record.report.profile.counts.matvecs;
  }
  double median() {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }
  std::vector<double> seconds;
  long products = 0;
};

StepTimes run(const std::string& scene) {
  StepTimes times;
  const sim::RunSummary summary =
      study::run_scene(scene::parse_scene(scene, "benchmark"), {.observers = {&times}});
  if (summary.reason != sim::StopReason::reached_end)
    throw InternalError("a run of the benchmark did not end well");
  return times;
}

/// A cube of springs that stiffen, on the ground, under its weight.
std::string lattice(int cells) {
  return fmt::format(
      R"({{ "sinew": 1, "bodies": [ {{ "type": "springs", "mass": 1, "stiffness": 1e4, "law": "cubic",
        "mesh": {{ "generator": "beam-lattice", "size": [1, 1, 1], "cells": [{0}, {0}, {0}] }} }} ],
        "fixed": [ {{ "select": {{ "plane": {{ "normal": [0, 0, 1] }} }} }} ],
        "loads": [ {{ "type": "gravity", "value": [0, 0, -9.81] }} ],
        "integrator": {{ "name": "neti", "tolerance": 1e-6 }}, "time": {{ "dt": 0.01, "end": 0.1 }},
        "output": {{ "fps": 0 }} }})",
      cells);
}

std::string polymer(const char* search) {
  return fmt::format(
      R"({{ "sinew": 1, "units": "md", "bodies": [ {{ "type": "springs", "mesh": {{ "generator": "polymer" }},
        "stiffness": 2.2e5, "angle": 500 }} ], "interactions": [ {{ "cutoff": 1.0, "search": "{}" }} ],
        "integrator": {{ "name": "verlet" }}, "time": {{ "dt": 0.001, "end": 0.2 }}, "output": {{ "fps": 0 }} }})",
      search);
}

}  // namespace

void bench_particles(BenchLog& log) {
  log.title(
      "steps of neti on lattices of cubic springs, all cores; ratio per particle to the first");
  double first = 0.0;
  for (const int cells : {26, 35, 45}) {
    StepTimes times = run(lattice(cells));
    const double particles = std::pow(cells + 1.0, 3);
    const double per_particle = times.median() / particles;
    if (first == 0.0) first = per_particle;
    log.row(fmt::format(
                "{:.0f} particles, {:.0f} products per step", particles,
                static_cast<double>(times.products) / static_cast<double>(times.seconds.size())),
            times.median(), per_particle / first);
  }
  log.title("steps of verlet on 1,732 CH2 groups, all cores; ratio to cells");
  const double cells = run(polymer("cells")).median();
  log.row("pairs by cells", cells, 1.0);
  const double direct = run(polymer("direct")).median();
  log.row("pairs by looking at all, lists kept as well", direct, direct / cells);
}

}  // namespace sinew::cli
