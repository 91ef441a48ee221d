// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include <sinew/core/error.hpp>
#include <sinew/sim/energy_ledger.hpp>

namespace sinew::sim {

using dynamics::LedgerKind;

namespace {

bool is_stored(const dynamics::LedgerEntry& entry) {
  return entry.kind == LedgerKind::stored || entry.kind == LedgerKind::stored_up_to_constant;
}

/// Rows of a system that keeps no accounts: its potential.
std::vector<dynamics::LedgerEntry> entries_of(const dynamics::DynamicalSystem& system) {
  const dynamics::EnergyAccounts* accounts = system.capabilities().accounts;
  if (accounts) return accounts->ledger_entries();
  return {{"potential", LedgerKind::stored}};
}

void evaluate_rows(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                   dynamics::Workspace& workspace, std::span<double> values) {
  if (const dynamics::EnergyAccounts* accounts = system.capabilities().accounts) {
    accounts->evaluate_ledger(state, workspace, values);
  } else {
    values[0] = system.potential(state, workspace);
  }
}

/// A way without any velocity: powers at its ends say nothing of the work along it.
bool is_static(const dynamics::State& before, const dynamics::State& after,
               const la::Reducer& reducer) {
  std::array<double, 2> is_so{before.v.isZero(0.0) && after.v.isZero(0.0) ? 0.0 : 1.0,
                              before.q != after.q ? 1.0 : 0.0};
  reducer.find_largest(is_so);
  const auto [has_velocity, moves] = is_so;
  return has_velocity == 0.0 && moves != 0.0;
}

}  // namespace

double external_work(const dynamics::DynamicalSystem& system, const dynamics::State& at,
                     const dynamics::State& from, const dynamics::State& to,
                     dynamics::Workspace& workspace) {
  const dynamics::EnergyAccounts* accounts = system.capabilities().accounts;
  return accounts ? accounts->external_work(at, from, to, workspace) : 0.0;
}

EnergyLedger::EnergyLedger(const dynamics::DynamicalSystem& system, const la::Reducer& reducer)
    : reducer_(&reducer),
      entries_(entries_of(system)),
      values_(entries_.size()),
      before_(entries_.size()) {
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
  evaluate_rows(system, state, workspace, values_);
  Mv_.resize(state.v.size());
  system.mass().apply(state.v, Mv_);
  record_.kinetic = 0.5 * reducer_->dot(state.v, Mv_);
  total_up();
  const dynamics::EnergyAccounts* accounts = system.capabilities().accounts;
  scale_ = accounts ? accounts->energy_scale() : 0.0;
  record_.momentum = dynamics::Momentum{};
  if (accounts) record_.momentum = accounts->momentum(state).value_or(dynamics::Momentum{});
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
  if (!(std::abs(record_.numerical_loss) <= std::abs(largest_drift_)))
    largest_drift_ = record_.numerical_loss;
}

void EnergyLedger::open(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                        dynamics::Workspace& workspace) {
  evaluate(system, state, workspace);
  initial_ = record_.total;
  started_with_ = intrinsic();
  initial_weight_ = weight(values_);
}

void EnergyLedger::advance(const dynamics::DynamicalSystem& system, const dynamics::State& before,
                           const dynamics::State& after, dynamics::Workspace& workspace) {
  evaluate(system, after, workspace);
  const double dt = after.t - before.t;
  if (is_static(before, after, *reducer_)) {
    for (const dynamics::State* at : {&before, &after})
      record_.external_work += 0.5 * external_work(system, *at, before, after, workspace);
  } else {
    for (std::size_t e = 0; e < entries_.size(); ++e)
      if (entries_[e].kind == LedgerKind::supply_rate)
        record_.external_work += 0.5 * dt * (before_[e] + values_[e]);
  }
  book_losses(system, before, after, workspace);
  close_balance();
  watch_excess(system, before, after, workspace);
}

void EnergyLedger::book_losses(const dynamics::DynamicalSystem& system,
                               const dynamics::State& before, const dynamics::State& after,
                               dynamics::Workspace& workspace) {
  const double dt = after.t - before.t;
  bool is_losing = false;
  for (std::size_t e = 0; e < entries_.size(); ++e)
    is_losing = is_losing || (entries_[e].kind == LedgerKind::loss_rate &&
                              (before_[e] != 0.0 || values_[e] != 0.0));
  if (is_losing) {
    middle_ = after;
    middle_.q = 0.5 * (before.q + after.q);
    middle_.v = (after.q - before.q) / dt;
    middle_.t = 0.5 * (before.t + after.t);
    on_the_way_.resize(entries_.size());
    // a system without accounts has no losses
    system.capabilities().accounts->evaluate_loss_rates(middle_, workspace, on_the_way_);
  }
  std::size_t loss = 0;
  double by_ends = 0.0, by_mean = 0.0;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    // what a history had lost before the run began is not lost by it
    if (entries_[e].kind == LedgerKind::loss_total) record_.lost[loss++] += values_[e] - before_[e];
    if (entries_[e].kind != LedgerKind::loss_rate) continue;
    const double lost = is_losing ? dt * on_the_way_[e] : 0.0;
    record_.lost[loss++] += lost;
    by_mean += lost;
    by_ends += 0.5 * dt * (before_[e] + values_[e]);
  }
  // both are of second order, so they agree where the motion is resolved
  constexpr double much = 2.0, worth_mentioning = 1e-3;
  const double energy = std::max(intrinsic(), started_with_ + most_supplied_);
  if (by_ends > much * by_mean && by_ends - by_mean > worth_mentioning * energy)
    ++health_.unresolved_damping;
}

void EnergyLedger::watch_excess(const dynamics::DynamicalSystem& system,
                                const dynamics::State& before, const dynamics::State& after,
                                dynamics::Workspace& workspace) {
  most_supplied_ =
      std::max(most_supplied_, record_.external_work + initial_weight_ - weight(values_));
  const double energy = intrinsic(), rounding = 1e-13 * magnitude();
  const auto is_absurd = [&] {
    return energy > absurd_excess * (started_with_ + most_supplied_) + rounding;
  };
  if (is_absurd()) {
    // Look again before saying so: moved vertices and loads may jump between the two ends, and a
    // method may turn force into velocity before it turns velocity into displacement.
    middle_ = after;
    middle_.q += (after.t - before.t) * after.v;
    on_the_way_.resize(entries_.size());
    evaluate_rows(system, middle_, workspace, on_the_way_);
    const double weight_soon = weight(on_the_way_);
    double jump = 0.0;
    const dynamics::State heading = middle_;
    constexpr int samples = 16;  // loads may act within the step only
    for (int k = 0; k <= samples; ++k) {
      dynamics::State at = 2 * k < samples ? before : after;
      at.t = before.t + (after.t - before.t) * k / samples;
      for (const dynamics::State* to : {&after, &heading})
        jump = std::max(jump, external_work(system, at, before, *to, workspace));
    }
    most_supplied_ =
        std::max(most_supplied_ + jump, record_.external_work + initial_weight_ - weight_soon);
  }
  const double known = started_with_ + most_supplied_ + rounding;
  if (known > 0.0) health_.largest_excess = std::max(health_.largest_excess, energy / known);
  if (is_absurd() && health_.excess_time < 0.0) health_.excess_time = after.t;
}

void EnergyLedger::edit(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                        dynamics::Workspace& workspace) {
  SINEW_ASSERT(entries_of(system).size() == entries_.size(),
               "an edit must not change the entries of the ledger");
  const double before = record_.total;
  evaluate(system, state, workspace);
  record_.external_work += record_.total - before;
  close_balance();
}

double EnergyLedger::intrinsic() const {
  double sum = record_.kinetic;
  for (std::size_t e = 0; e < entries_.size(); ++e)
    if (entries_[e].kind == LedgerKind::stored) sum += std::max(values_[e], 0.0);
  return sum;
}

double EnergyLedger::weight(std::span<const double> values) const {
  double sum = 0.0;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    if (entries_[e].kind == LedgerKind::stored_up_to_constant) sum += values[e];
    if (entries_[e].kind == LedgerKind::stored) sum += std::min(values[e], 0.0);
  }
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
  saved.insert(saved.end(), {record_.kinetic, record_.external_work, initial_, largest_drift_,
                             started_with_, initial_weight_, most_supplied_, health_.largest_excess,
                             health_.excess_time, static_cast<double>(health_.unresolved_damping)});
  return saved;
}

void EnergyLedger::restore(const std::vector<double>& saved) {
  SINEW_ASSERT(saved.size() == save().size(), "the saved energy ledger belongs to another system");
  auto next = saved.begin();
  for (double& value : values_) value = *next++;
  for (double& value : record_.lost) value = *next++;
  for (double* value :
       {&record_.kinetic, &record_.external_work, &initial_, &largest_drift_, &started_with_,
        &initial_weight_, &most_supplied_, &health_.largest_excess, &health_.excess_time})
    *value = *next++;
  health_.unresolved_damping = static_cast<long>(*next++);
  total_up();
  close_balance();
}

}  // namespace sinew::sim
