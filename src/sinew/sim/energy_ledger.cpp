// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include <sinew/core/error.hpp>
#include <sinew/sim/energy_ledger.hpp>

namespace sinew::sim {

using dynamics::LedgerKind;

namespace {

bool is_stored(const dynamics::LedgerEntry& entry) {
  return entry.kind == LedgerKind::stored || entry.kind == LedgerKind::stored_up_to_constant;
}

}  // namespace

EnergyLedger::EnergyLedger(const dynamics::DynamicalSystem& system)
    : entries_(system.ledger_entries()), values_(entries_.size()), before_(entries_.size()) {
  for (const auto& entry : entries_) {
    if (is_stored(entry)) stored_names_.push_back(entry.name);
    if (entry.kind == LedgerKind::loss_rate || entry.kind == LedgerKind::loss_total)
      loss_names_.push_back(entry.name);
  }
  record_.stored.assign(stored_names_.size(), 0.0);
  record_.lost.assign(loss_names_.size(), 0.0);
}

void EnergyLedger::evaluate(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                            dynamics::Workspace& workspace) {
  std::swap(values_, before_);
  system.evaluate_ledger(state, workspace, values_);
  Mv_.resize(state.v.size());
  system.mass().apply(state.v, Mv_);
  record_.kinetic = 0.5 * state.v.dot(Mv_);
  total_up();
  scale_ = system.energy_scale();
  record_.momentum = system.momentum(state).value_or(dynamics::Momentum{});
}

void EnergyLedger::total_up() {
  std::size_t next = 0;
  for (std::size_t e = 0; e < entries_.size(); ++e)
    if (is_stored(entries_[e])) record_.stored[next++] = values_[e];
  record_.total = std::accumulate(record_.stored.begin(), record_.stored.end(), record_.kinetic);
}

void EnergyLedger::close_balance() {
  const double lost = std::accumulate(record_.lost.begin(), record_.lost.end(), 0.0);
  record_.numerical_loss = initial_ + record_.external_work - lost - record_.total;
  // written so that a value that is not a number is not lost
  const double drift = std::abs(record_.numerical_loss);
  if (!(drift <= largest_drift_)) largest_drift_ = drift;
}

void EnergyLedger::open(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                        dynamics::Workspace& workspace) {
  evaluate(system, state, workspace);
  initial_ = record_.total;
}

void EnergyLedger::advance(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                           double dt, dynamics::Workspace& workspace) {
  evaluate(system, state, workspace);
  std::size_t loss = 0;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const double work = 0.5 * dt * (before_[e] + values_[e]);
    switch (entries_[e].kind) {
      case LedgerKind::stored:
      case LedgerKind::stored_up_to_constant:
        break;
      case LedgerKind::supply_rate:
        record_.external_work += work;
        break;
      case LedgerKind::loss_rate:
        record_.lost[loss++] += work;
        break;
      case LedgerKind::loss_total:
        record_.lost[loss++] = values_[e];
        break;
    }
  }
  close_balance();
}

void EnergyLedger::edit(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                        dynamics::Workspace& workspace) {
  SINEW_ASSERT(system.ledger_entries().size() == entries_.size(),
               "an edit must not change the entries of the ledger");
  const double before = record_.total;
  evaluate(system, state, workspace);
  record_.external_work += record_.total - before;
  close_balance();
}

double EnergyLedger::intrinsic() const {
  double sum = record_.kinetic;
  for (std::size_t e = 0; e < entries_.size(); ++e)
    if (entries_[e].kind == LedgerKind::stored) sum += std::abs(values_[e]);
  return sum;
}

double EnergyLedger::magnitude() const {
  double sum = scale_ + record_.kinetic;
  for (const double energy : record_.stored) sum += std::abs(energy);
  return sum;
}

std::vector<double> EnergyLedger::save() const {
  std::vector<double> saved = values_;
  saved.insert(saved.end(), record_.lost.begin(), record_.lost.end());
  saved.insert(saved.end(), {record_.kinetic, record_.external_work, initial_, largest_drift_});
  return saved;
}

void EnergyLedger::restore(const std::vector<double>& saved) {
  SINEW_ASSERT(saved.size() == values_.size() + record_.lost.size() + 4,
               "the saved energy ledger belongs to another system");
  auto next = saved.begin();
  for (double& value : values_) value = *next++;
  for (double& value : record_.lost) value = *next++;
  record_.kinetic = *next++;
  record_.external_work = *next++;
  initial_ = *next++;
  largest_drift_ = *next++;
  total_up();
  close_balance();
}

}  // namespace sinew::sim
