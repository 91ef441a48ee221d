// SPDX-License-Identifier: Apache-2.0
// The energy balance of a run: what is stored, what came in, what was lost and to what; the
// difference that remains is what the method itself lost (or, negative, gained).
//
//   E(0) + external work - damping - friction - plastic losses - E(t) = numerical loss
//
// Supplied powers are integrated over accepted steps by the trapezoidal rule. Powers lost to
// damping are v^T D v: over a step of length h they amount to at least dq^T D dq / h, whatever the
// velocity did on the way, and that is what is counted: the power at the mean velocity. Both are of
// second order where the step resolves the motion; where it does not, velocities at the ends may be
// those of vibrations that damping ends at once, and say nothing about what was lost in between.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <sinew/dynamics/capabilities/energy_accounts.hpp>
#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/la/reducer.hpp>

namespace sinew::sim {

struct EnergyRecord {
  double kinetic = 0.0;         ///< [J]
  std::vector<double> stored;   ///< one per stored entry [J]
  std::vector<double> lost;     ///< since the start, one per loss entry [J]
  double total = 0.0;           ///< kinetic + stored [J]
  double external_work = 0.0;   ///< since the start [J]
  double numerical_loss = 0.0;  ///< since the start [J]
  dynamics::Momentum momentum;
};

/// What the balance says about how reliable a run is.
struct EnergyHealth {
  /// Largest kinetic and stored energy, relative to what the run began with and what came in.
  double largest_excess = 0.0;
  double excess_time = -1.0;  ///< when it first was more than ten times that [s]; -1: never
  /// Steps over which the velocities at the ends and the mean one disagree about what damping took.
  long unresolved_damping = 0;
};
/// More than this is no error of a method any more.
inline constexpr double absurd_excess = 10.0;

/// EnergyAccounts::external_work() of a system that keeps accounts, else 0 [J].
double external_work(const dynamics::DynamicalSystem& system, const dynamics::State& at,
                     const dynamics::State& from, const dynamics::State& to,
                     dynamics::Workspace& workspace);

class EnergyLedger {
 public:
  /// The reducer must outlive the ledger.
  EnergyLedger(const dynamics::DynamicalSystem& system, const la::Reducer& reducer);

  /// The balance at the start.
  void open(const dynamics::DynamicalSystem& system, const dynamics::State& state,
            dynamics::Workspace& workspace);
  /// After a step from `before` to `after`.
  void advance(const dynamics::DynamicalSystem& system, const dynamics::State& before,
               const dynamics::State& after, dynamics::Workspace& workspace);
  /// After an edit: the jump in energy is booked as external work.
  void edit(const dynamics::DynamicalSystem& system, const dynamics::State& state,
            dynamics::Workspace& workspace);

  const EnergyRecord& record() const { return record_; }
  const std::vector<std::string>& stored_names() const { return stored_names_; }
  const std::vector<std::string>& loss_names() const { return loss_names_; }
  double initial_energy() const { return initial_; }
  /// Kinetic and stored, without what is known up to a constant only or below zero [J].
  double intrinsic() const;
  /// What rounding errors of the total are relative to [J].
  double magnitude() const;
  /// The numerical loss that was largest by size, with its sign: negative is energy that was made.
  double largest_drift() const { return largest_drift_; }
  const EnergyHealth& health() const { return health_; }

  /// Everything above as numbers, for checkpoints.
  std::vector<double> save() const;
  void restore(const std::vector<double>& saved);

 private:
  void evaluate(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                dynamics::Workspace& workspace);
  void total_up();
  void close_balance();
  /// What the losses amount to over a step, by the power at its mean velocity.
  void book_losses(const dynamics::DynamicalSystem& system, const dynamics::State& before,
                   const dynamics::State& after, dynamics::Workspace& workspace);
  void watch_excess(const dynamics::DynamicalSystem& system, const dynamics::State& before,
                    const dynamics::State& after, dynamics::Workspace& workspace);
  /// What may fall without end: energy that is known up to a constant, and stored energy below
  /// zero, as attraction has it.
  double weight(std::span<const double> values) const;

  const la::Reducer* reducer_;
  std::vector<dynamics::LedgerEntry> entries_;
  std::vector<std::string> stored_names_, loss_names_;
  std::vector<double> values_;  // of the entries, at the last evaluation
  std::vector<double> before_;  // one step earlier
  std::vector<double> on_the_way_;
  dynamics::State middle_;
  Vec Mv_;
  EnergyRecord record_;
  double scale_ = 0.0;  // of stored energies, by the system
  double initial_ = 0.0;
  double largest_drift_ = 0.0;
  double started_with_ = 0.0;    // kinetic and stored energy at the beginning
  double initial_weight_ = 0.0;  // see weight()
  double most_supplied_ = 0.0;   // the largest so far
  EnergyHealth health_;
};

}  // namespace sinew::sim
