// SPDX-License-Identifier: Apache-2.0
// Taking a system apart into what explicit steps can advance and what they cannot.
#pragma once

#include <memory>
#include <vector>

#include <sinew/dynamics/state.hpp>

namespace sinew::dynamics {

class DynamicalSystem;
struct Workspace;

/// Dofs that are stable explicitly at a given step and those that are not, both ascending.
struct Partition {
  std::vector<Index> explicit_dofs, implicit_dofs;
};

/// What a partition is for.
struct PartitionWish {
  double dt = 0.0;      ///< length of the steps [s]
  double safety = 1.0;  ///< share of the limit that they may reach
  /// Of every dof, what is known of it from before an edit: 0 explicit, 1 implicit, -1 nothing.
  /// Only elements with dofs of which nothing is known are looked at. None: all are.
  std::vector<signed char> known{};
};

/// The two parts of a system, each with the forces that act on it and no others.
class SplitParts {
 public:
  virtual ~SplitParts() = default;

  /// All dofs; forces are those of the whole system for the explicit ones only.
  virtual const DynamicalSystem& explicit_system() const = 0;
  virtual Workspace& explicit_workspace() = 0;
  /// A state of the whole for it.
  virtual void explicit_state(const State& whole, State& own) const = 0;

  /// The implicit dofs alone; all others are where around() has put them.
  virtual const DynamicalSystem& implicit_system() const = 0;
  virtual Workspace& implicit_workspace() = 0;
  virtual void implicit_state(const State& whole, State& own) const = 0;
  virtual void around(const State& whole) = 0;
};

/// Knows which parts of a system an explicit step can advance.
class Split {
 public:
  virtual ~Split() = default;
  virtual void partition(const State&, const PartitionWish&, Workspace&, Partition&) const = 0;
  /// For one method on one thread; nullptr: it can only tell. The system must outlive the parts.
  virtual std::unique_ptr<SplitParts> make_parts(const Partition&) const { return nullptr; }
};

}  // namespace sinew::dynamics
