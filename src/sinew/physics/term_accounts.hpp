// SPDX-License-Identifier: Apache-2.0
// Energy rows of a sum of terms: stored energies and powers of all terms that name the same row add
// up; the work of prescribed motion goes to a row of its own choice.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sinew/dynamics/capabilities/energy_accounts.hpp>
#include <sinew/la/linear_operator.hpp>
#include <sinew/physics/term_sum.hpp>

namespace sinew::physics {

class TermAccounts final : public dynamics::EnergyAccounts {
 public:
  /// `rows` come first and are there even if no term names them.
  TermAccounts(const TermSum& sum, const la::LinearOperator& mass,
               std::vector<dynamics::LedgerEntry> rows, const std::string& constraint_row);

  std::vector<dynamics::LedgerEntry> ledger_entries() const override { return rows_; }
  void evaluate_ledger(const dynamics::State&, dynamics::Workspace&,
                       std::span<double> values) const override;
  void evaluate_loss_rates(const dynamics::State&, dynamics::Workspace&,
                           std::span<double> values) const override;
  double external_work(const dynamics::State& at, const dynamics::State& from,
                       const dynamics::State& to, dynamics::Workspace&) const override;
  double energy_scale() const override { return energy_scale_; }
  std::optional<dynamics::Momentum> momentum(const dynamics::State&) const override;

  /// 1/2 v^T D v of the terms whose power is a loss, and R of dissipative ones [W].
  double dissipation(const dynamics::State&, TermWorkspace&) const;

 private:
  std::size_t add_row(const dynamics::LedgerEntry& row);
  /// -v . f over all vertices for the loss terms of one row, or of all (no row).
  double lost_power(const dynamics::State&, std::optional<std::size_t> row, TermWorkspace&) const;
  /// What supplying terms of one row, or of all, do on this way of the free vertices, or with this
  /// velocity.
  double supply(const dynamics::State&, const Vec& way, std::optional<std::size_t> row,
                TermWorkspace&) const;
  /// What moved vertices do, which go another way themselves; damping goes with their velocity, for
  /// this time.
  double constraint_work(const dynamics::State&, const Vec& way,
                         const std::vector<Vec3>& prescribed_way, double span,
                         TermWorkspace&) const;

  const TermSum& sum_;
  const la::LinearOperator& mass_;
  std::vector<dynamics::LedgerEntry> rows_;
  std::vector<std::size_t> row_of_term_;
  std::vector<std::optional<std::size_t>> loss_row_of_term_;
  std::size_t constraint_row_;
  double energy_scale_ = 0.0;
};

}  // namespace sinew::physics
