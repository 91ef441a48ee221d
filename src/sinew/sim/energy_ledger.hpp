// SPDX-License-Identifier: Apache-2.0
// Books the energy of a run: what is stored, what came in, what was lost and to what. Powers are
// integrated by the trapezoidal rule over accepted steps; the difference that remains is what the
// method itself lost (or, negative, made).
//
//   E(0) + external work - damping - friction - plastic losses - E(t) = numerical loss
#pragma once

#include <string>
#include <vector>

#include <sinew/dynamics/dynamical_system.hpp>

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

class EnergyLedger {
 public:
  explicit EnergyLedger(const dynamics::DynamicalSystem& system);

  /// The first entry of the books.
  void open(const dynamics::DynamicalSystem& system, const dynamics::State& state,
            dynamics::Workspace& workspace);
  /// After an accepted step of length dt.
  void advance(const dynamics::DynamicalSystem& system, const dynamics::State& state, double dt,
               dynamics::Workspace& workspace);
  /// After an edit: the jump in energy is booked as external work.
  void edit(const dynamics::DynamicalSystem& system, const dynamics::State& state,
            dynamics::Workspace& workspace);

  const EnergyRecord& record() const { return record_; }
  const std::vector<std::string>& stored_names() const { return stored_names_; }
  const std::vector<std::string>& loss_names() const { return loss_names_; }
  double initial_energy() const { return initial_; }
  /// Kinetic and stored, without what is known up to a constant only [J].
  double intrinsic() const;
  /// What rounding errors of the total are relative to [J].
  double magnitude() const;
  /// Largest |numerical loss| so far.
  double largest_drift() const { return largest_drift_; }

  /// Everything above as numbers, for checkpoints.
  std::vector<double> save() const;
  void restore(const std::vector<double>& saved);

 private:
  void evaluate(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                dynamics::Workspace& workspace);
  void total_up();
  void close_balance();

  std::vector<dynamics::LedgerEntry> entries_;
  std::vector<std::string> stored_names_, loss_names_;
  std::vector<double> values_;  // of the entries, at the last evaluation
  std::vector<double> before_;  // one step earlier
  Vec Mv_;
  EnergyRecord record_;
  double scale_ = 0.0;  // of stored energies, by the system
  double initial_ = 0.0;
  double largest_drift_ = 0.0;
};

}  // namespace sinew::sim
