// SPDX-License-Identifier: Apache-2.0
// Everything that determines the rest of a run. Continuing from a checkpoint gives the same bits as
// not having stopped.
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <sinew/core/profile.hpp>
#include <sinew/dynamics/state.hpp>
#include <sinew/integrators/integrator.hpp>
#include <sinew/sim/guard.hpp>

namespace sinew::sim {

struct Checkpoint {
  dynamics::State state;
  integrators::Memory memory;
  std::vector<double> ledger;
  long accepted_steps = 0;
  long rejected_steps = 0;
  Redone redone;
  double largest_strain = 0.0;
  long next_nominal_step = 0;
  bool is_edited = false;  ///< the system is no longer that of the scene
  std::string edited{};    ///< what it is then (EditSource::description)
  double last_edit = 0.0;  ///< time of the last edit by time [s]
  double dt = 0.0;         ///< nominal step of the run [s]
  double step_size = 0.0;  ///< next one that error control would try [s]
  double last_frame_time = std::numeric_limits<double>::quiet_NaN();  ///< NaN: none yet [s]
  // what it took to come here
  core::Profile profile;
  double wall_seconds = 0.0;
  double output_seconds = 0.0;
  double parallel_seconds = 0.0;
};

/// Writes DIR/state.bin, whole or not at all.
void save_checkpoint(const std::filesystem::path& directory, const Checkpoint& checkpoint);
/// Throws InputError if there is none, or it is damaged.
Checkpoint load_checkpoint(const std::filesystem::path& directory);

}  // namespace sinew::sim
