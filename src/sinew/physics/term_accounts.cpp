// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/physics/term_accounts.hpp>

namespace sinew::physics {

using dynamics::LedgerKind;

TermAccounts::TermAccounts(const TermSum& sum, const la::LinearOperator& mass,
                           std::vector<dynamics::LedgerEntry> rows,
                           const std::string& constraint_row)
    : sum_(sum), mass_(mass), rows_(std::move(rows)) {
  for (const TermSum::Entry& entry : sum_.terms()) {
    row_of_term_.push_back(add_row(entry.traits.row));
    const std::string& loss = entry.traits.loss_row;
    loss_row_of_term_.push_back(
        loss.empty() ? std::nullopt : std::optional(add_row({loss, LedgerKind::loss_total})));
    energy_scale_ += entry.term->energy_scale();
  }
  constraint_row_ = add_row({constraint_row, LedgerKind::supply_rate});
}

std::size_t TermAccounts::add_row(const dynamics::LedgerEntry& row) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  };
  constexpr std::array taken{"step", "t", "kinetic", "total", "numerical", "external_work"};
  if (row.name.empty() || !std::all_of(row.name.begin(), row.name.end(), is_plain) ||
      std::find(taken.begin(), taken.end(), row.name) != taken.end())
    throw InputError({.what = fmt::format("'{}' cannot be a row of the energy balance", row.name),
                      .hint = "letters, digits, - and _, and no name that every balance has"});
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (rows_[k].name == row.name) {
      if (rows_[k].kind != row.kind)
        throw InputError({.what = fmt::format("two terms mean different kinds of energy by the row "
                                              "'{}'",
                                              row.name),
                          .hint = "give the row of the added term another name"});
      return k;
    }
  rows_.push_back(row);
  return rows_.size() - 1;
}

void TermAccounts::evaluate_ledger(const dynamics::State& state, dynamics::Workspace& workspace,
                                   std::span<double> values) const {
  TermWorkspace& work = sum_.own(workspace);
  std::fill(values.begin(), values.end(), 0.0);
  sum_.load_positions(state, work);
  sum_.load_velocities_if_used(state, work);
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    if (const auto row = loss_row_of_term_[k])
      values[*row] += entry.term->lost(sum_.at(entry, state, work), work.terms[k]);
    const LedgerKind kind = entry.traits.row.kind;
    if (kind == LedgerKind::loss_rate || kind == LedgerKind::supply_rate) continue;
    values[row_of_term_[k]] += entry.term->energy(sum_.at(entry, state, work), work.terms[k]);
  }
  evaluate_loss_rates(state, workspace, values);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].kind == LedgerKind::supply_rate) values[row] = supply(state, state.v, row, work);
  }
  if (!sum_.prescribed().move()) return;
  sum_.evaluate_motion(state.t, work);
  values[constraint_row_] += constraint_work(state, state.v, work.motion.v, 1.0, work);
}

void TermAccounts::evaluate_loss_rates(const dynamics::State& state, dynamics::Workspace& workspace,
                                       std::span<double> values) const {
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (rows_[row].kind == LedgerKind::loss_rate)
      values[row] = lost_power(state, row, sum_.own(workspace));
}

double TermAccounts::external_work(const dynamics::State& at, const dynamics::State& from,
                                   const dynamics::State& to, dynamics::Workspace& ws) const {
  TermWorkspace& work = sum_.own(ws);
  const Vec way = to.q - from.q;
  const double by_loads = supply(at, way, std::nullopt, work);
  if (!sum_.prescribed().move()) return by_loads;
  sum_.evaluate_motion(to.t, work);
  std::vector<Vec3> prescribed_way = work.motion.x;
  sum_.evaluate_motion(from.t, work);
  for (std::size_t p = 0; p < prescribed_way.size(); ++p) prescribed_way[p] -= work.motion.x[p];
  return by_loads + constraint_work(at, way, prescribed_way, to.t - from.t, work);
}

double TermAccounts::dissipation(const dynamics::State& state, TermWorkspace& work) const {
  double sum = 0.5 * lost_power(state, std::nullopt, work);
  const auto is_dissipative = [](const TermTraits& t) { return t.force == TermForce::dissipative; };
  if (!sum_.any(is_dissipative)) return sum;
  sum_.load_positions(state, work);
  sum_.load_velocities(state, work);
  for (std::size_t k = 0; k < sum_.terms().size(); ++k)
    if (const TermSum::Entry& entry = sum_.terms()[k]; is_dissipative(entry.traits))
      sum += entry.term->dissipation(sum_.at(entry, state, work), work.terms[k]);
  return sum;
}

double TermAccounts::lost_power(const dynamics::State& state, std::optional<std::size_t> row,
                                TermWorkspace& work) const {
  bool is_any = false;
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    if (entry.traits.row.kind != LedgerKind::loss_rate || (row && row_of_term_[k] != *row))
      continue;
    if (!is_any) {
      sum_.load_positions(state, work);
      sum_.load_velocities(state, work);
      work.shifted.set_zero();
      is_any = true;
    }
    entry.term->add_force(sum_.at(entry, state, work), work.terms[k], work.shifted);
  }
  if (!is_any) return 0.0;
  double power = 0.0;
  for (int k = 0; k < sum_.numbering().num_vertices(); ++k)
    power -= work.v.vector(k).dot(work.shifted.vector(k));
  return power;
}

double TermAccounts::supply(const dynamics::State& state, const Vec& way,
                            std::optional<std::size_t> row, TermWorkspace& work) const {
  bool is_any = false;
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    if (entry.traits.row.kind != LedgerKind::supply_rate || (row && row_of_term_[k] != *row))
      continue;
    if (!is_any) {
      sum_.load_positions(state, work);
      sum_.load_velocities_if_used(state, work);
      work.shifted.set_zero();
      is_any = true;
    }
    entry.term->add_force(sum_.at(entry, state, work), work.terms[k], work.shifted);
  }
  return is_any ? sum_.dot_free(way, work.shifted) : 0.0;
}

double TermAccounts::constraint_work(const dynamics::State& state, const Vec& way,
                                     const std::vector<Vec3>& prescribed_way, double span,
                                     TermWorkspace& work) const {
  const PrescribedVertices& prescribed = sum_.prescribed();
  const auto reaction_times = [&](const std::vector<Vec3>& x) {
    double sum = 0.0;
    for (std::size_t p = 0; p < prescribed.size(); ++p)
      sum -= work.f.vector(prescribed.vertices()[p]).dot(x[p]);
    return sum;
  };
  // friction too: what it takes by sliding is booked by itself
  const auto is_stored = [](const TermTraits& t) {
    return t.row.kind == LedgerKind::stored || t.row.kind == LedgerKind::loss_total;
  };
  const auto is_lost = [](const TermTraits& t) { return t.row.kind == LedgerKind::loss_rate; };
  sum_.load_positions(state, work);
  sum_.load_velocities_if_used(state, work);
  work.f.set_zero();
  sum_.add_forces(state, is_stored, work, work.f);
  double sum = reaction_times(prescribed_way);
  if (sum_.any(is_lost)) {
    work.f.set_zero();
    sum_.add_forces(state, is_lost, work, work.f);
    sum += span * reaction_times(work.motion.v);
  }
  work.shifted.set_zero();
  sum_.add_inertial_load(work, work.shifted);
  return sum + sum_.dot_free(way, work.shifted);
}

std::optional<dynamics::Momentum> TermAccounts::momentum(const dynamics::State& state) const {
  Vec Mv(state.v.size());
  mass_.apply(state.v, Mv);
  dynamics::Momentum result;
  for (Index b = 0; b < sum_.numbering().num_free(); ++b) {
    const Vec3 p = Mv.segment<3>(3 * b);
    result.linear += p;
    result.angular += Vec3(state.q.segment<3>(3 * b)).cross(p);
  }
  return result;
}

}  // namespace sinew::physics
