// SPDX-License-Identifier: Apache-2.0
// How stiff springs must be for a permissible strain: what `sinew stiffen` does, for programs.
#pragma once

#include <functional>
#include <vector>

#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>
#include <sinew/sim/observer.hpp>

namespace sinew::study {

/// One run with all stiffnesses of springs times a factor.
struct StiffnessTrial {
  double factor = 1.0;
  double strain = 0.0;  ///< the largest of the run
  sim::RunSummary summary;
};

struct StiffnessSearch {
  double strain = 0.001;  ///< permissible
  double slack = 0.05;    ///< how far below it the answer may stay, relative to it
  int most_trials = 20;
  std::function<void(const StiffnessTrial&)> on_trial{};
  std::function<bool()> stop_requested{};
};

struct [[nodiscard]] StiffnessFound {
  bool is_found = false;
  std::vector<StiffnessTrial> trials;  ///< the last one is the answer where there is one
};

/// The same scene with all stiffnesses of springs, bending included, times a factor.
scene::SceneSpec with_stiffness(scene::SceneSpec scene, double factor);

/// Runs the scene, without output, with other and other stiffnesses until the largest strain is
/// just below the permissible one. Throws InputError if the scene has no springs.
StiffnessFound find_stiffness(const scene::SceneSpec& scene, const StiffnessSearch& search,
                              const scene::Catalog& catalog = scene::builtin_catalog());

}  // namespace sinew::study
