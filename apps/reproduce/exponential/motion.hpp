// SPDX-License-Identifier: Apache-2.0
// Scenes from t = 0 to their end without files: for errors against steps, where runs are many.
#pragma once

#include <functional>
#include <string>

#include <sinew/core/profile.hpp>
#include <sinew/core/types.hpp>
#include <sinew/sim/observer.hpp>

#include "../scene_runs.hpp"

namespace sinew::cli {

struct Motion {
  Vec begin, end;  ///< positions of all dofs [m]
  double t = 0.0;  ///< how far it came [s]
  bool reached = false;
  long steps = 0, redone = 0;  ///< redone: by the guard, or cut in two
  double begin_energy = 0.0, end_energy = 0.0;
  double most_kinetic = 0.0;    ///< after any step [J]
  double largest_strain = 0.0;  ///< of a spring, after any step
  double first_step = 0.0;      ///< CPU seconds, set-up included
  double cpu_seconds = 0.0;     ///< of all steps
  core::Profile profile;

  /// Of the steps after the first, which prepares much; of it where there is no other.
  double cpu_per_step() const;
};

/// Told the state at the start and after every step.
using Watch = std::function<void(const sim::FrameView&)>;

/// No frames, no guard, no halving unless the changes say otherwise.
Motion motion_of(const std::string& scene, const std::string& method, const Changes& changes,
                 const Watch& watch = {});

/// The same in so many steps over `end` seconds.
Motion motion_in(const std::string& scene, const std::string& method, long steps, double end,
                 const Changes& changes);

/// Largest distance of the ends, as part of how far the reference went; infinite if it never got
/// there.
double error_of(const Motion& motion, const Motion& reference);

struct LargestStep {
  double dt = 0.0;     ///< [s]
  double error = 0.0;  ///< with that step
  bool found = false;  ///< false: even `dt`, the smallest that was tried, is not accurate enough
};

/// The largest of the steps end, end/2, end/4, ... whose error stays below `tolerance`, and stays
/// so with half of it.
LargestStep largest_step(const std::string& scene, const std::string& method, double end,
                         double tolerance, long most_steps, const Motion& reference,
                         const Changes& changes);

}  // namespace sinew::cli
