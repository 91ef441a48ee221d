// SPDX-License-Identifier: Apache-2.0
// What a system knows about its energy: rows of stored energy, of power lost and of power supplied.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sinew/dynamics/state.hpp>

namespace sinew::dynamics {

struct Workspace;

enum class LedgerKind {
  stored,                 ///< energy now [J]
  stored_up_to_constant,  ///< likewise, but its zero means nothing: weight [J]
  loss_rate,              ///< power leaving the system now [W]
  supply_rate,            ///< power entering from outside now [W]
  loss_total,             ///< energy lost since the start, kept by the system itself [J]
};

/// One named row.
struct LedgerEntry {
  std::string name;
  LedgerKind kind = LedgerKind::stored;

  bool operator==(const LedgerEntry&) const = default;
};

struct Momentum {
  Vec3 linear = Vec3::Zero();   ///< [kg m/s]
  Vec3 angular = Vec3::Zero();  ///< about the origin [kg m^2/s]
};

class EnergyAccounts {
 public:
  virtual ~EnergyAccounts() = default;

  virtual std::vector<LedgerEntry> ledger_entries() const = 0;
  /// Values of the entries, in their order.
  virtual void evaluate_ledger(const State&, Workspace&, std::span<double> values) const = 0;
  /// The same, of which only those of the kind loss_rate need be right.
  virtual void evaluate_loss_rates(const State& state, Workspace& workspace,
                                   std::span<double> values) const {
    evaluate_ledger(state, workspace, values);
  }
  /// What the forces behind the supply rates, as they are at `at`, do on the way between two states
  /// [J]. Over long steps it says more than powers at single instants.
  virtual double external_work(const State& /*at*/, const State& /*from*/, const State& /*to*/,
                               Workspace&) const {
    return 0.0;
  }
  /// Stored energy at strains of order one, relative to which smaller ones are rounded [J].
  virtual double energy_scale() const { return 0.0; }
  /// Momentum of the free part, for systems in space.
  virtual std::optional<Momentum> momentum(const State&) const { return std::nullopt; }
};

}  // namespace sinew::dynamics
