// SPDX-License-Identifier: Apache-2.0
// Equilibrium under the loads of a scene: what `sinew static` does, for programs. Loads grow from
// nothing to what they are at the end of the scene's time, in equal steps; vertices with a script
// follow it. A load step that fails is halved, as steps in time are.
#pragma once

#include <optional>

#include <sinew/study/run.hpp>

namespace sinew::study {

struct StaticOptions {
  int load_steps = 10;
  RunOptions run{};
};

struct StaticResult {
  sim::RunSummary summary;
  double reached = 0.0;               ///< part of the loads that was reached
  double largest_displacement = 0.0;  ///< of a vertex, at the end [m]
  /// Part of the loads from which on the stiffness has negative eigenvalues: the body buckles, or
  /// wants to and lacks the push.
  std::optional<double> unstable_from;
  /// Part of the loads after which a load step moved much further than the one before: a snap to
  /// another equilibrium.
  std::optional<double> jumped_at;
  std::vector<std::string> notes;  ///< both, in sentences, as the manifest has them
};

/// The scene whose motion is the way to equilibrium: time is that of the loads. Throws InputError
/// for what has no place in statics.
scene::SceneSpec as_static(scene::SceneSpec scene, int load_steps,
                           const scene::Catalog& catalog = scene::builtin_catalog());

/// Writes a run directory like any other: one frame per load step, and no kinetic energy.
StaticResult find_static(const scene::SceneSpec& scene, const StaticOptions& options,
                         const scene::Catalog& catalog = scene::builtin_catalog());

}  // namespace sinew::study
