// SPDX-License-Identifier: Apache-2.0
// The smallest system there is, by which methods are measured and explained.
#pragma once

#include <memory>
#include <vector>

#include <sinew/dynamics/capabilities/energy_accounts.hpp>
#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/la/diagonal_operator.hpp>

namespace sinew::dynamics {

/// q'' + d q' + omega^2 q = 0.
class Oscillator final : public DynamicalSystem, EnergyAccounts, MaterialFrame {
 public:
  explicit Oscillator(double omega, double damping = 0.0)
      : omega2_(omega * omega), damping_(damping) {}

  Index num_dofs() const override { return 1; }
  const la::LinearOperator& mass() const override { return mass_; }
  const la::LinearOperator& mass_inverse() const override { return mass_; }
  double potential(const State& s, Workspace&) const override {
    return 0.5 * omega2_ * s.q[0] * s.q[0];
  }
  void force(const State& s, Workspace&, VecOut f) const override {
    f[0] = -omega2_ * s.q[0] - damping_ * s.v[0];
  }
  ForceTraits traits() const override {
    return {.form = ForceForm::potential_and_dissipation,
            .damping = damping_ > 0.0 ? DampingKind::constant : DampingKind::none};
  }
  Capabilities capabilities() const override { return {.accounts = this, .frame = this}; }
  double dissipation(const State& s, Workspace&) const override {
    return 0.5 * damping_ * s.v[0] * s.v[0];
  }
  static State displaced(double q = 1.0, double v = 0.0) {
    State state;
    state.q = Vec::Constant(1, q);
    state.v = Vec::Constant(1, v);
    return state;
  }

 protected:
  std::shared_ptr<const la::BlockPattern> pattern(const State&, Workspace&) const override {
    return pattern_;
  }
  void assemble(const State& s, const LinearizeOptions&, Workspace& w, la::SymmetricMatrix& K,
                la::SymmetricMatrix* D, Vec* f, LinearizeReport&) const override {
    K.add(0, 0, omega2_);
    if (D) D->add(0, 0, damping_);
    if (f) force(s, w, *f);
  }

 private:
  std::vector<LedgerEntry> ledger_entries() const override {
    return {{"elastic", LedgerKind::stored}, {"damping", LedgerKind::loss_rate}};
  }
  void evaluate_ledger(const State& s, Workspace& w, std::span<double> values) const override {
    values[0] = potential(s, w);
    values[1] = 2.0 * dissipation(s, w);
  }
  void rest_positions(VecOut q) const override { q.setZero(); }

  double omega2_, damping_;
  la::DiagonalOperator mass_{Vec::Ones(1)};
  std::shared_ptr<const la::BlockPattern> pattern_ = la::BlockPattern::dense(1);
};

}  // namespace sinew::dynamics
