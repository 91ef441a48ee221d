// SPDX-License-Identifier: Apache-2.0
// What a process sees of a system that consists of several: vectors and matrices hold what it owns,
// numbers are those of the whole.
#pragma once

#include <sinew/dynamics/capabilities/energy_accounts.hpp>
#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/la/reducer.hpp>

namespace sinew::test {

class PartOfSystem final : public dynamics::DynamicalSystem, dynamics::EnergyAccounts {
  using State = dynamics::State;
  using Workspace = dynamics::Workspace;

 public:
  PartOfSystem(const dynamics::DynamicalSystem& one, const la::Reducer& reducer)
      : one_(one), reducer_(reducer) {}

  // of the whole
  double potential(const State& s, Workspace& w) const override {
    return reducer_.total(one_.potential(s, w));
  }
  double dissipation(const State& s, Workspace& w) const override {
    return reducer_.total(one_.dissipation(s, w));
  }
  double max_step(const State& from, const State& to, Workspace& w) const override {
    return -reducer_.largest(-one_.max_step(from, to, w));
  }

  // of this process
  Index num_dofs() const override { return one_.num_dofs(); }
  const la::LinearOperator& mass() const override { return one_.mass(); }
  const la::LinearOperator& mass_inverse() const override { return one_.mass_inverse(); }
  void force(const State& s, Workspace& w, VecOut f) const override { one_.force(s, w, f); }
  void linearize(const State& s, const dynamics::LinearizeOptions& options, Workspace& w,
                 dynamics::Linearization& out, Vec* f) const override {
    one_.linearize(s, options, w, out, f);
  }
  std::unique_ptr<dynamics::Linearization> make_linearization() const override {
    return one_.make_linearization();
  }
  std::unique_ptr<Workspace> make_workspace() const override { return one_.make_workspace(); }
  dynamics::ForceTraits traits() const override { return one_.traits(); }
  void force_rate(const State& s, double dt, Workspace& w, VecOut rate) const override {
    one_.force_rate(s, dt, w, rate);
  }
  dynamics::Capabilities capabilities() const override {
    dynamics::Capabilities own = one_.capabilities();
    if (own.accounts) own.accounts = this;
    return own;
  }

 private:
  const dynamics::EnergyAccounts& accounts() const { return *one_.capabilities().accounts; }

  // of the whole
  std::vector<dynamics::LedgerEntry> ledger_entries() const override {
    return accounts().ledger_entries();
  }
  void evaluate_ledger(const State& s, Workspace& w, std::span<double> values) const override {
    accounts().evaluate_ledger(s, w, values);
    for (double& value : values) value = reducer_.total(value);
  }
  double external_work(const State& at, const State& from, const State& to,
                       Workspace& w) const override {
    return reducer_.total(accounts().external_work(at, from, to, w));
  }
  double energy_scale() const override { return reducer_.total(accounts().energy_scale()); }

  const dynamics::DynamicalSystem& one_;
  const la::Reducer& reducer_;
};

}  // namespace sinew::test
