// SPDX-License-Identifier: Apache-2.0
// From a scene to something that runs: the one place that knows every part of the library.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/core/executor.hpp>
#include <sinew/integrators/integrator.hpp>
#include <sinew/output/record/probe_writer.hpp>
#include <sinew/physics/bodies.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/compile/sharing.hpp>
#include <sinew/scene/format/scene_spec.hpp>
#include <sinew/sim/simulation.hpp>

namespace sinew::scene {

/// A scene ready to run. Move it, do not take it apart: the rest uses the executor and the reducer.
struct CompiledScene {
  std::unique_ptr<core::Executor> executor;
  std::unique_ptr<la::Reducer> reducer;  ///< none where several processes share the scene
  std::unique_ptr<sim::Simulation> simulation;
  std::vector<output::Probe> probes;
  integrators::Options integrator_options;
  std::vector<Problem> warnings;  ///< what is unlikely to be meant

  int num_tets = 0, num_springs = 0;  ///< elements that are simulated

  /// Not of scenes that several processes share.
  const physics::TermSystem& system() const {
    return static_cast<const physics::TermSystem&>(simulation->system());
  }
};

/// Reads or generates the meshes, checks everything that parsing could not, and builds. All
/// problems are reported together in one InputError.
/// The catalog must outlive what comes of it. Settling into the initial state may take long:
/// `on_settling` is told the time that was reached and the last one [s]. `further_terms`: what a
/// program adds that no scene names. `sharing`: of several processes, each compiles its part.
CompiledScene compile(const SceneSpec& scene, const Catalog& catalog = builtin_catalog(),
                      const std::function<void(double t, double end)>& on_settling = {},
                      std::vector<physics::TermFactory> further_terms = {},
                      const Sharing* sharing = nullptr);

}  // namespace sinew::scene
