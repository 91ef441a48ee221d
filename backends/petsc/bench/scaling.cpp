// SPDX-License-Identifier: Apache-2.0
// sinew-scaling: one measurement on the processes it is started with, as a line of JSON; what
// `sinew bench scaling` starts with mpirun.
//
//   sinew-scaling step METHOD NX NY NZ STEPS [SOLVER]    steps of a bar of NX x NY x NZ cells
//   sinew-scaling parts NX NY NZ PARTS                   what lies between that many parts of it
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>
#include <sys/resource.h>

#include <sinew/core/error.hpp>
#include <sinew/core/profile.hpp>
#include <sinew/petsc/scene_part.hpp>
#include <sinew/petsc/shared_run.hpp>
#include <sinew/petsc/solvers.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/scene_reader.hpp>

namespace sinew::petsc {
namespace {

scene::SceneSpec bar(const std::string& method, const std::string& cells,
                     const scene::Catalog& catalog) {
  return scene::parse_scene(fmt::format(R"({{"sinew": 1, "name": "bar",
        "bodies": [{{"name": "bar", "mesh": {{"generator": "bar", "size": [4, 1, 1], "cells": {}}},
                     "material": {{"young": 1e6, "poisson": 0.45}}}}],
        "fixed": [{{"select": {{"plane": {{"point": [0, 0, 0], "normal": [1, 0, 0]}}}}}}],
        "loads": [{{"type": "gravity"}}], "integrator": {{"name": "{}"}},
        "time": {{"dt": 0.01, "end": 1}}, "output": {{"fps": 0}}}})",
                                        cells, method),
                            "bar", {}, catalog);
}

double memory_mb() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return static_cast<double>(use.ru_maxrss) / 1024.0;
}

int measure_steps(const Processes& processes, const std::string& method, const std::string& cells,
                  int steps, const std::string& solver) {
  scene::Catalog catalog;
  for (const la::SolverEntry& entry : shared_solvers()) catalog.add(entry);
  scene::SceneSpec scene = bar(method, cells, catalog);
  scene.integrator.solver = solver;
  scene.threads = 1;
  const ProcessReducer reducer(processes);
  const core::Stopwatch setup;
  const ScenePart part(processes, reducer, scene, catalog);
  scene::CompiledScene compiled = scene::compile(part.scene(), catalog, {}, {}, &part);
  const auto& system = dynamic_cast<const SharedSystem&>(compiled.simulation->system());
  const double setup_seconds = setup.seconds();
  sim::Simulation& simulation = *compiled.simulation;
  // the first step prepares what the others use again
  const core::Stopwatch first;
  if (!simulation.step()) throw InternalError("the first step failed");
  const double first_seconds = first.seconds();
  const core::Profile before = simulation.summary().profile;
  const double bytes = system.nodes().bytes();
  const long exchanges = system.nodes().exchanges(), reductions = reducer.reductions();
  processes.wait_for_all();
  const core::Stopwatch watch;
  for (int k = 1; k < steps; ++k)
    if (!simulation.step()) throw InternalError("a step failed");
  processes.wait_for_all();
  const double count = std::max(1, steps - 1);
  const core::Profile& after = simulation.summary().profile;
  const double owned = static_cast<double>(system.nodes().num_owned()),
               ghosts = static_cast<double>(system.nodes().num_all()) - owned,
               here = static_cast<double>(system.part().num_cells());
  const auto largest = [&](double value) { return reducer.largest(value); };
  const std::string line = fmt::format(
      "{{\"processes\": {}, \"method\": \"{}\", \"solver\": \"{}\", \"tets\": {}, \"vertices\": "
      "{}, "
      "\"setup\": {:.4g}, \"first_step\": {:.4g}, \"step\": {:.5g}, \"solves\": {:.4g}, "
      "\"iterations\": {:.4g}, \"set_ups\": {:.4g}, \"products\": {:.5g}, \"exchanges\": {:.5g}, "
      "\"reductions\": {:.5g}, \"kilobytes\": {:.5g}, \"owned\": {}, \"ghosts\": {}, \"elements\": "
      "{}, \"memory_mb\": {:.5g}}}\n",
      processes.count(), method, solver, part.all_tets(), part.all_vertices(),
      largest(setup_seconds), largest(first_seconds), largest(watch.seconds()) / count,
      static_cast<double>(after.counts.solves - before.counts.solves) / count,
      static_cast<double>(after.counts.krylov - before.counts.krylov) / count,
      static_cast<double>(after.counts.factorizations - before.counts.factorizations) / count,
      static_cast<double>(after.counts.matvecs - before.counts.matvecs) / count,
      static_cast<double>(system.nodes().exchanges() - exchanges) / count,
      static_cast<double>(reducer.reductions() - reductions) / count,
      largest(system.nodes().bytes() - bytes) / count / 1e3, largest(owned), largest(ghosts),
      largest(here), largest(memory_mb()));
  if (processes.is_first()) fmt::print("{}", line);
  return 0;
}

/// Of a real partition: how large parts and what lies around them are. On one process.
int measure_parts(const Processes& processes, const std::string& cells, int parts) {
  if (processes.are_several()) throw InternalError("partitions are looked at by one process");
  const scene::SceneSpec scene = bar("si", cells, scene::builtin_catalog());
  const MeshSlice slice = take_slice(processes, scene, scene.bodies[0], scene::builtin_catalog());
  const std::vector<int> owner = partition(processes, slice, parts);
  const auto count = static_cast<std::size_t>(parts);
  std::vector<double> owned(count, 0.0), elements(count, 0.0);
  std::vector<std::set<std::int64_t>> ghosts(count);
  std::vector<std::set<int>> neighbours(count);
  for (const int rank : owner) ++owned[static_cast<std::size_t>(rank)];
  for (std::size_t t = 0; t < slice.nodes.size(); t += 4) {
    std::array<int, 4> ranks;
    for (std::size_t k = 0; k < 4; ++k)
      ranks[k] = owner[static_cast<std::size_t>(slice.nodes[t + k])];
    std::set<int> here(ranks.begin(), ranks.end());
    for (const int rank : here) {
      const auto r = static_cast<std::size_t>(rank);
      ++elements[r];
      for (std::size_t k = 0; k < 4; ++k)
        if (ranks[k] != rank) {
          ghosts[r].insert(slice.nodes[t + k]);
          neighbours[r].insert(ranks[k]);
        }
    }
  }
  double most_ghosts = 0.0, most_neighbours = 0.0;
  for (std::size_t p = 0; p < count; ++p) {
    most_ghosts = std::max(most_ghosts, static_cast<double>(ghosts[p].size()));
    most_neighbours = std::max(most_neighbours, static_cast<double>(neighbours[p].size()));
  }
  fmt::print(
      "{{\"parts\": {}, \"tets\": {}, \"vertices\": {}, \"owned\": {}, \"elements\": {}, "
      "\"ghosts\": {}, \"neighbours\": {}}}\n",
      parts, slice.all_tets, slice.all_vertices, *std::max_element(owned.begin(), owned.end()),
      *std::max_element(elements.begin(), elements.end()), most_ghosts, most_neighbours);
  return 0;
}

int run(const Processes& processes, const std::vector<std::string>& words) {
  const auto cells = [&](std::size_t first) {
    return fmt::format("[{}, {}, {}]", words.at(first), words.at(first + 1), words.at(first + 2));
  };
  if (words.size() >= 6 && words[0] == "step")
    return measure_steps(processes, words[1], cells(2), std::stoi(words[5]),
                         words.size() > 6 ? words[6] : "petsc-gamg");
  if (words.size() == 5 && words[0] == "parts")
    return measure_parts(processes, cells(1), std::stoi(words[4]));
  throw InputError(
      Problem{.what = "sinew-scaling is started by 'sinew bench scaling'", .hint = ""});
}

}  // namespace
}  // namespace sinew::petsc

int main(int argc, char** argv) {
  using namespace sinew;
  const petsc::Processes processes;
  try {
    return petsc::together(processes, 4, [&] {
      return petsc::run(processes, std::vector<std::string>(argv + 1, argv + argc));
    });
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems())
      fmt::print(stderr, "error: {}\n", problem.to_string());
    return 2;
  }
}
