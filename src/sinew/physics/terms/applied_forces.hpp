// SPDX-License-Identifier: Apache-2.0
// Forces that a program sets between steps: of a hand, of a controller, of another simulation.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <sinew/physics/term_system.hpp>

namespace sinew::physics {

/// They hold until others are set. Not while a step is being made. A simulation that was told about
/// them has to be told about changes: sim::Simulation::refresh_books().
class AppliedForces {
 public:
  /// One per vertex as the user counts them through all bodies; those that are missing have none
  /// [N].
  void set(std::span<const Vec3> forces) { forces_->assign(forces.begin(), forces.end()); }
  std::span<const Vec3> forces() const { return *forces_; }

  /// The term that puts them on vertices. It may outlive this object.
  TermFactory term() const;

 private:
  std::shared_ptr<std::vector<Vec3>> forces_ = std::make_shared<std::vector<Vec3>>();
};

}  // namespace sinew::physics
