// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/term_sum.hpp>

namespace sinew::physics {

TermWorkspace::TermWorkspace(std::uint64_t system, int num_vertices,
                             PrescribedVertices::Motion prescribed)
    : system_id(system),
      x(num_vertices),
      v(num_vertices),
      f(num_vertices),
      shifted(num_vertices),
      motion(std::move(prescribed)) {}

namespace {

/// What the traits of a term say must go together.
void check(const TermTraits& traits) {
  const bool is_damping = traits.force == TermForce::linear_damping;
  SINEW_ASSERT(!is_damping || traits.uses_velocity, "a term of linear damping uses velocities");
  SINEW_ASSERT(!is_damping || traits.row.kind == dynamics::LedgerKind::loss_rate,
               "linear damping belongs to a row of the kind loss_rate");
  SINEW_ASSERT(traits.force != TermForce::dissipative ||
                   (traits.uses_velocity && traits.row.kind == dynamics::LedgerKind::loss_total),
               "a dissipative term uses velocities and keeps account of what it took: a row of the "
               "kind loss_total");
  SINEW_ASSERT(traits.force != TermForce::potential || !traits.uses_velocity,
               "a potential does not depend on velocities");
  const bool is_stored = traits.row.kind == dynamics::LedgerKind::stored ||
                         traits.row.kind == dynamics::LedgerKind::stored_up_to_constant;
  SINEW_ASSERT(
      !is_stored || !traits.depends_on_time,
      "an energy that changes with time by itself is not stored: its row is a supply_rate");
}

}  // namespace

TermSum::TermSum(std::uint64_t system_id, std::shared_ptr<const Numbering> numbering,
                 PrescribedVertices prescribed, TetMass mass,
                 std::vector<std::shared_ptr<const Term>> terms, const core::Executor& executor)
    : system_id_(system_id),
      numbering_(std::move(numbering)),
      prescribed_(std::move(prescribed)),
      mass_(std::move(mass)),
      executor_(executor) {
  Index internal = 0;
  for (auto& term : terms) {
    SINEW_ASSERT(term != nullptr, "there is no term where one was to be made");
    Entry entry{.term = std::move(term), .traits = {}, .internal_begin = internal};
    entry.traits = entry.term->traits();
    check(entry.traits);
    entry.num_internal = entry.term->num_internal();
    internal += entry.num_internal;
    uses_velocity_ = uses_velocity_ || entry.traits.uses_velocity;
    terms_.push_back(std::move(entry));
  }
  build_pattern();
}

void TermSum::build_pattern() {
  std::vector<std::vector<VertexPair>> pairs_of_term;
  std::vector<std::pair<int, int>> blocks;
  const auto want = [&](const VertexPair& pair) {
    if (pair[0] < 0) return;
    require_pair(pair);
    const int row = numbering_->block(pair[0]), col = numbering_->block(pair[1]);
    if (row >= 0 && col >= 0 && row != col) blocks.emplace_back(row, col);
  };
  for (const VertexPair& pair : mass_.pairs()) want(pair);
  for (const Entry& entry : terms_) {
    pairs_of_term.push_back(entry.term->pairs());
    for (const VertexPair& pair : pairs_of_term.back()) want(pair);
  }
  base_pattern_ = la::BlockPattern::build(numbering_->num_free(), 3, std::move(blocks));

  for (const auto& pairs : pairs_of_term) {
    std::vector<int>& slots = base_slots_.emplace_back();
    slots.reserve(pairs.size());
    for (const VertexPair& pair : pairs) {
      const int row = pair[0] < 0 ? -1 : numbering_->block(pair[0]);
      const int col = pair[0] < 0 ? -1 : numbering_->block(pair[1]);
      slots.push_back(row < 0 || col < 0 ? -1 : base_pattern_->slot(row, col));
    }
  }
}

Index TermSum::num_internal() const {
  return terms_.empty() ? 0 : terms_.back().internal_begin + terms_.back().num_internal;
}

Vec TermSum::initial_internal() const {
  Vec internal = Vec::Zero(num_internal());
  for (const Entry& entry : terms_)
    entry.term->initial_internal(
        {internal.data() + entry.internal_begin, static_cast<std::size_t>(entry.num_internal)});
  return internal;
}

TermWorkspace& TermSum::own(dynamics::Workspace& workspace) const {
  auto* mine = dynamic_cast<TermWorkspace*>(&workspace);
  SINEW_ASSERT(mine != nullptr && mine->system_id == system_id_,
               "the workspace was not made by this system");
  return *mine;
}

std::unique_ptr<TermWorkspace> TermSum::make_workspace() const {
  auto work = std::make_unique<TermWorkspace>(system_id_, numbering_->num_vertices(),
                                              prescribed_.make_motion());
  work->terms.reserve(terms_.size());
  for (const Entry& entry : terms_) {
    const Term* partner = entry.term->shares_scratch_of();
    const auto found = std::find_if(terms_.begin(), terms_.end(), [&](const Entry& other) {
      return partner != nullptr && other.term.get() == partner;
    });
    const auto place = static_cast<std::size_t>(found - terms_.begin());
    if (partner)
      SINEW_ASSERT(place < work->terms.size(), "terms that share scratch are not in order");
    work->terms.push_back({.executor = executor_,
                           .own = partner ? work->terms[place].own : entry.term->make_scratch()});
  }
  return work;
}

void TermSum::require_pair(const VertexPair& pair) const {
  SINEW_ASSERT(0 <= pair[0] && pair[0] <= pair[1] && pair[1] < numbering().num_vertices(),
               "a pair of vertices of a term is not in order, or one of them does not exist");
}

void TermSum::evaluate_motion(double t, TermWorkspace& work) const {
  prescribed_.evaluate(t, !mass_.is_lumped(), work.motion);
}

void TermSum::load(const Vec& from, const std::vector<Vec3>& prescribed, PaddedField& to) const {
  scatter_free(from, to);
  for (std::size_t p = 0; p < prescribed_.size(); ++p)
    to.vector(prescribed_.vertices()[p]) = prescribed[p];
}

void TermSum::put_held(const TermWorkspace& work, PaddedField* x, PaddedField* v) const {
  if (!work.holds_any) return;
  for (int k = 0; k < numbering().num_vertices(); ++k) {
    if (!work.held[static_cast<std::size_t>(k)] || !numbering().is_free(k)) continue;
    if (x) x->vector(k) = work.held_at.vector(k);
    if (v) v->vector(k).setZero();
  }
}

void TermSum::load_positions(const dynamics::State& state, TermWorkspace& work) const {
  evaluate_motion(state.t, work);
  load(state.q, work.motion.x, work.x);
  put_held(work, &work.x, nullptr);
}

void TermSum::load_velocities(const dynamics::State& state, TermWorkspace& work) const {
  evaluate_motion(state.t, work);
  load(state.v, work.motion.v, work.v);
  put_held(work, nullptr, &work.v);
}

void TermSum::load_velocities_if_used(const dynamics::State& state, TermWorkspace& work) const {
  if (uses_velocity_) load_velocities(state, work);
}

void TermSum::load_after(const dynamics::State& state, TermWorkspace& work) const {
  if (work.x_after.num_vertices() == 0)
    work.x_after = work.v_after = PaddedField(numbering_->num_vertices());
  evaluate_motion(state.t, work);
  load(state.q, work.motion.x, work.x_after);
  load(state.v, work.motion.v, work.v_after);
  put_held(work, &work.x_after, &work.v_after);
}

namespace {

std::span<const double> internal_of(const TermSum::Entry& entry, const dynamics::State& state) {
  SINEW_ASSERT(state.internal.size() >= entry.internal_begin + entry.num_internal,
               "the state lacks internal variables: start from initial_internal()");
  return {state.internal.data() + entry.internal_begin,
          static_cast<std::size_t>(entry.num_internal)};
}

}  // namespace

Configuration TermSum::at(const Entry& entry, const dynamics::State& state,
                          const TermWorkspace& work) const {
  return {.x = work.x, .v = work.v, .t = state.t, .internal = internal_of(entry, state)};
}

Configuration TermSum::after(const Entry& entry, const dynamics::State& state,
                             const TermWorkspace& work) const {
  return {
      .x = work.x_after, .v = work.v_after, .t = state.t, .internal = internal_of(entry, state)};
}

void TermSum::add_inertial_load(TermWorkspace& work, PaddedField& f) const {
  if (!has_inertial_load()) return;
  work.v.set_zero();
  for (std::size_t p = 0; p < prescribed_.size(); ++p)
    work.v.vector(prescribed_.vertices()[p]) = work.motion.a[p];
  mass_.add_product(-1.0, work.v, f);
}

double TermSum::dot_free(const Vec& x, const PaddedField& f) const {
  double sum = 0.0;
  for (int k = 0; k < numbering_->num_vertices(); ++k)
    if (const Index block = numbering_->block(k); block >= 0)
      sum += x.segment<3>(3 * block).dot(f.vector(k));
  return sum;
}

void TermSum::add_free(double factor, const PaddedField& f, VecOut target) const {
  for_each_free([&](int k, Index block) { target.segment<3>(3 * block) += factor * f.vector(k); });
}

void TermSum::scatter_free(const VecIn& from, PaddedField& to) const {
  for_each_free([&](int k, Index block) { to.vector(k) = from.segment<3>(3 * block); });
}

void TermSum::gather_free(const PaddedField& f, VecOut target) const {
  for_each_free([&](int k, Index block) { target.segment<3>(3 * block) = f.vector(k); });
}

}  // namespace sinew::physics
