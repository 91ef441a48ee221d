// SPDX-License-Identifier: Apache-2.0
// What a run would be and cost, without writing anything: what `sinew run --dry-run` says.
#pragma once

#include <functional>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::study {

struct [[nodiscard]] Forecast {
  int vertices = 0, tets = 0, springs = 0;
  Index dofs = 0;
  long steps = 0;   ///< of length dt; steps chosen by their error are at least as many
  long frames = 0;  ///< the start included
  double frame_bytes = 0.0;

  double setup_seconds = 0.0;
  /// Steps that were made to see how long they take. The first does work that the others need not.
  long measured_steps = 0;
  double first_step_seconds = 0.0;
  double step_seconds = 0.0;  ///< mean of the others; that of the first where it is alone
  sim::RunSummary measured;   ///< its reason says whether these steps succeeded

  double seconds() const;  ///< of the whole run, without pictures and reports
  std::vector<Problem> warnings;
};

/// Compiles the scene and makes its first steps, in memory: two at least, and up to twenty within
/// half a second. Throws InputError if the scene cannot be run.
Forecast forecast(const scene::SceneSpec& scene, const std::function<bool()>& interrupted = {},
                  const scene::Catalog& catalog = scene::builtin_catalog());

}  // namespace sinew::study
