// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <sinew/core/error.hpp>
#include <sinew/la/solvers/factored_inverse.hpp>
#include <sinew/physics/term_system.hpp>

namespace sinew::physics {
namespace {

using dynamics::LedgerKind;

constexpr auto all_terms = [](const TermTraits&) { return true; };

std::vector<int> prescribed_vertices(const TermSystemSpec& spec) {
  std::vector<int> vertices = spec.fixed;
  for (const MovedVertices& group : spec.moved)
    vertices.insert(vertices.end(), group.vertices.begin(), group.vertices.end());
  return vertices;
}

TermSum make_sum(std::uint64_t id, const TermSystemSpec& spec, const core::Executor& executor) {
  auto numbering = std::make_shared<const Numbering>(spec.rest, spec.edges,
                                                     prescribed_vertices(spec), spec.joined);
  PrescribedVertices prescribed(spec.fixed, spec.moved, *numbering);
  TetMass mass = spec.mass(*numbering);
  const Vec masses = mass.row_sums();
  std::vector<std::shared_ptr<const Term>> terms;
  for (const TermFactory& make : spec.terms)
    for (auto& term : make({*numbering, masses})) terms.push_back(std::move(term));
  return {id,      std::move(numbering), std::move(prescribed), std::move(mass), std::move(terms),
          executor};
}

std::unique_ptr<la::LinearOperator> make_mass(const TermSum& sum) {
  const Numbering& numbering = sum.numbering();
  if (!sum.mass().is_lumped()) {
    auto matrix = std::make_unique<la::SymmetricMatrix>(sum.base_pattern(), sum.executor());
    BlockSink sink(*matrix, numbering, {});
    sum.mass().for_each_block(
        [&](int a, int b, double value) { sink.add(a, b, value * Mat3::Identity()); });
    return matrix;
  }
  const Vec nodal = sum.mass().row_sums();
  Vec diagonal(numbering.num_dofs());
  for (int k = 0; k < numbering.num_vertices(); ++k)
    if (const Index block = numbering.block(k); block >= 0)
      diagonal.segment<3>(3 * block).setConstant(nodal[k]);
  return std::make_unique<la::DiagonalOperator>(std::move(diagonal), sum.executor());
}

std::unique_ptr<la::LinearOperator> make_inverse(const la::LinearOperator& mass,
                                                 const core::Executor& executor) {
  if (const Vec* diagonal = mass.diagonal_only())
    return std::make_unique<la::DiagonalOperator>(diagonal->cwiseInverse(), executor);
  return std::make_unique<la::FactoredInverse>(*mass.assembled(),
                                               la::solvers().front().make(la::serial_reducer()));
}

dynamics::ForceTraits traits_of(const TermSum& sum) {
  const auto is_general = [](const TermTraits& t) { return t.force == TermForce::general; };
  const bool is_damped = sum.any([](const TermTraits& t) { return t.uses_velocity; });
  // a held dof has no damping, so D is another matrix for the length of the hold
  const bool is_constant = !sum.any([](const TermTraits& t) {
    return t.holds_vertices || t.force == TermForce::dissipative ||
           (t.force == TermForce::general && t.uses_velocity);
  });
  using enum dynamics::DampingKind;
  return {.form = sum.any(is_general) ? dynamics::ForceForm::general
                                      : dynamics::ForceForm::potential_and_dissipation,
          .damping = !is_damped    ? none
                     : is_constant ? constant
                                   : state_dependent,
          .depends_on_time = sum.prescribed().move() ||
                             sum.any([](const TermTraits& t) { return t.depends_on_time; }),
          .can_project = !sum.any([](const TermTraits& t) { return !t.can_project; }),
          .has_contacts = sum.any([](const TermTraits& t) { return t.is_contact; }),
          .is_unsymmetric = sum.any([](const TermTraits& t) { return t.is_unsymmetric; }),
          .keeps_force = !sum.any(
              [](const TermTraits& t) { return t.has_step_hooks || t.changes_between_steps; })};
}

}  // namespace

TermSystem::TermSystem(const TermSystemSpec& spec, const core::Executor& executor)
    : sum_(make_sum(id(), spec, executor)),
      mass_(make_mass(sum_)),
      mass_inverse_(make_inverse(*mass_, sum_.executor())),
      traits_(traits_of(sum_)),
      accounts_(sum_, *mass_, spec.rows, spec.constraint_row),
      observables_(sum_, spec.geometry, spec.cell_labels),
      frame_(sum_),
      health_(sum_),
      split_(*this) {
  if (!mass_->diagonal_only() && sum_.any([](const TermTraits& t) { return t.holds_vertices; }))
    throw InputError(
        Problem{.what = "vertices can be held for a step only where the mass is lumped",
                .hint = "use \"mass\": \"lumped\" for all bodies"});
}

TermSystem::TermSystem(std::shared_ptr<const Numbering> numbering, PrescribedVertices prescribed,
                       TetMass mass, std::vector<std::shared_ptr<const Term>> terms,
                       const core::Executor& executor)
    : sum_(id(), std::move(numbering), std::move(prescribed), std::move(mass), std::move(terms),
           executor),
      mass_(make_mass(sum_)),
      mass_inverse_(make_inverse(*mass_, sum_.executor())),
      traits_(traits_of(sum_)),
      accounts_(sum_, *mass_, {}, "external"),
      observables_(sum_, {}, {}),
      frame_(sum_),
      health_(sum_),
      split_(*this) {}

TermSystem::~TermSystem() = default;

dynamics::Capabilities TermSystem::capabilities() const {
  return {.accounts = &accounts_,
          .observables = &observables_,
          .frame = &frame_,
          .health = &health_,
          .split = split_.is_possible() ? &split_ : nullptr};
}

std::unique_ptr<dynamics::Workspace> TermSystem::make_workspace() const {
  return sum_.make_workspace();
}

// ---- energy, force, tangent -----------------------------------------------------------------

double TermSystem::potential(const dynamics::State& state, dynamics::Workspace& ws) const {
  TermWorkspace& work = sum_.own(ws);
  sum_.load_positions(state, work);
  double energy = 0.0;
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    if (entry.traits.force == TermForce::potential)
      energy += entry.term->energy(sum_.at(entry, state, work), work.terms[k]);
  }
  if (sum_.has_inertial_load()) {
    work.shifted.set_zero();
    sum_.add_inertial_load(work, work.shifted);
    energy -= sum_.dot_free(state.q, work.shifted);
  }
  return energy;
}

void TermSystem::gather_force(TermWorkspace& work, VecOut f) const {
  sum_.add_inertial_load(work, work.f);
  if (work.holds_any)
    for (int k = 0; k < sum_.numbering().num_vertices(); ++k)
      if (work.held[static_cast<std::size_t>(k)]) work.f.vector(k).setZero();
  sum_.gather_free(work.f, f);
}

void TermSystem::force(const dynamics::State& state, dynamics::Workspace& ws, VecOut f) const {
  TermWorkspace& work = sum_.own(ws);
  sum_.load_positions(state, work);
  sum_.load_velocities_if_used(state, work);
  work.f.set_zero();
  sum_.add_forces(state, all_terms, work, work.f);
  gather_force(work, f);
}

void TermSystem::add_unsymmetric(const dynamics::State& state, const VecIn& x,
                                 dynamics::Workspace& ws, VecOut y) const {
  TermWorkspace& work = sum_.own(ws);
  sum_.load_positions(state, work);
  sum_.load_velocities(state, work);
  work.shifted.set_zero();
  sum_.scatter_free(x, work.shifted);
  work.f.set_zero();
  for (std::size_t k = 0; k < sum_.terms().size(); ++k)
    if (const TermSum::Entry& entry = sum_.terms()[k]; entry.traits.is_unsymmetric)
      entry.term->add_unsymmetric(sum_.at(entry, state, work), work.shifted, work.terms[k], work.f);
  sum_.add_free(1.0, work.f, y);
}

std::shared_ptr<const la::BlockPattern> TermSystem::pattern(const dynamics::State& state,
                                                            dynamics::Workspace& ws) const {
  if (!sum_.any([](const TermTraits& t) { return t.has_moving_pairs; })) return sum_.base_pattern();
  TermWorkspace& work = sum_.own(ws);
  sum_.load_positions(state, work);
  sum_.load_velocities_if_used(state, work);
  work.pairs.clear();
  for (std::size_t k = 0; k < sum_.terms().size(); ++k)
    if (const TermSum::Entry& entry = sum_.terms()[k]; entry.traits.has_moving_pairs)
      entry.term->moving_pairs(sum_.at(entry, state, work), work.terms[k], work.pairs);
  std::vector<std::pair<int, int>> blocks;
  for (const VertexPair& pair : work.pairs) {
    sum_.require_pair(pair);
    const int row = sum_.numbering().block(pair[0]), col = sum_.numbering().block(pair[1]);
    if (row >= 0 && col >= 0 && row != col) blocks.emplace_back(row, col);
  }
  work.overlay.update(sum_.base_pattern(), std::move(blocks), sum_.base_slots());
  return work.overlay.pattern();
}

namespace {

/// Rows and columns of held vertices become zero: only the mass is left there.
void drop_held(const std::vector<char>& held, const Numbering& numbering,
               la::SymmetricMatrix& matrix) {
  std::vector<char> is_held(static_cast<std::size_t>(numbering.num_free()), 0);
  for (int k = 0; k < numbering.num_vertices(); ++k)
    if (numbering.is_free(k))
      is_held[static_cast<std::size_t>(numbering.block(k))] = held[static_cast<std::size_t>(k)];
  const la::BlockPattern& pattern = matrix.pattern();
  for (int row = 0; row < pattern.num_blocks(); ++row)
    for (int slot = pattern.row_begin(row); slot < pattern.row_end(row); ++slot)
      if (is_held[static_cast<std::size_t>(row)] ||
          is_held[static_cast<std::size_t>(pattern.cols()[static_cast<std::size_t>(slot)])])
        std::fill_n(matrix.block(slot), 9, 0.0);
}

/// Methods move held vertices by the velocity and the history that they have, without anybody
/// seeing it.
void keep_held(const std::vector<char>& held, const Numbering& numbering,
               const dynamics::State& before, dynamics::State& after) {
  for (int k = 0; k < numbering.num_vertices(); ++k) {
    if (!held[static_cast<std::size_t>(k)] || !numbering.is_free(k)) continue;
    const Index dof = 3 * static_cast<Index>(numbering.block(k));
    after.q.segment<3>(dof) = before.q.segment<3>(dof);
    after.v.segment<3>(dof).setZero();
  }
}

dynamics::Definiteness definiteness_of(const TermTraits& traits, dynamics::Definiteness wish) {
  if (wish != dynamics::Definiteness::contact_clamp) return wish;
  return traits.is_contact ? dynamics::Definiteness::psd_clamp : dynamics::Definiteness::exact;
}

}  // namespace

void TermSystem::assemble(const dynamics::State& state, const dynamics::LinearizeOptions& options,
                          dynamics::Workspace& ws, la::SymmetricMatrix& K, la::SymmetricMatrix* D,
                          Vec* f, dynamics::LinearizeReport& report) const {
  TermWorkspace& work = sum_.own(ws);
  sum_.load_positions(state, work);
  sum_.load_velocities_if_used(state, work);
  if (f) work.f.set_zero();
  report.definiteness = options.definiteness;
  if (D) report.is_damped = false;
  // a mean over shapes on the way from rest may meet pairs that this state has not
  const auto missing =
      options.is_part_of_mean ? BlockSink::Missing::is_dropped : BlockSink::Missing::is_error;
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    // shapes on the way from rest may lie beyond a barrier
    if (options.is_part_of_mean && entry.traits.limits_steps) continue;
    const std::vector<int>* merged = work.overlay.slots(k);
    const std::vector<int>& slots = merged ? *merged : sum_.base_slots()[k];
    BlockSink to_K(K, sum_.numbering(), slots, missing);
    std::optional<BlockSink> to_D;
    if (D && entry.traits.uses_velocity) to_D.emplace(*D, sum_.numbering(), slots, missing);
    const Configuration at = sum_.at(entry, state, work);
    const bool takes_force = f && entry.traits.has_force_with_tangent;
    report.projected += entry.term->add_tangent(
        at, definiteness_of(entry.traits, options.definiteness), work.terms[k],
        {.K = &to_K,
         .D = to_D ? &*to_D : nullptr,
         .f = takes_force ? &work.f : nullptr,
         .damping = options.damping});
    if (to_D && to_D->is_used()) report.is_damped = true;
    if (f && !takes_force) entry.term->add_force(at, work.terms[k], work.f);
  }
  if (work.holds_any) {
    drop_held(work.held, sum_.numbering(), K);
    if (D) drop_held(work.held, sum_.numbering(), *D);
  }
  if (f) gather_force(work, *f);
}

double TermSystem::dissipation(const dynamics::State& state, dynamics::Workspace& ws) const {
  return accounts_.dissipation(state, sum_.own(ws));
}

// ---- steps ----------------------------------------------------------------------------------

void TermSystem::begin_step(const dynamics::State& state, double dt,
                            dynamics::Workspace& ws) const {
  if (!sum_.any([](const TermTraits& t) { return t.has_step_hooks || t.holds_vertices; })) return;
  TermWorkspace& work = sum_.own(ws);
  work.holds_any = false;  // of a step that was not finished
  sum_.load_positions(state, work);
  sum_.load_velocities(state, work);
  work.held.assign(static_cast<std::size_t>(sum_.numbering().num_vertices()), 0);
  work.f.set_zero();
  if (sum_.any([](const TermTraits& t) { return t.holds_vertices; }))
    sum_.add_forces(state, all_terms, work, work.f);
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    HeldVertices held(work.held, work.f, entry.traits.holds_vertices);
    entry.term->begin_step(sum_.at(entry, state, work), dt, work.terms[k], held);
  }
  work.holds_any = std::find(work.held.begin(), work.held.end(), 1) != work.held.end();
  if (work.holds_any) work.held_at = work.x;
}

void TermSystem::end_step(const dynamics::State& before, dynamics::State& after,
                          dynamics::Workspace& ws) const {
  TermWorkspace& work = sum_.own(ws);
  if (work.holds_any) keep_held(work.held, sum_.numbering(), before, after);
  work.holds_any = false;
  if (!sum_.any([](const TermTraits& t) { return t.has_step_hooks; })) return;
  sum_.load_after(after, work);
  sum_.load_positions(before, work);
  sum_.load_velocities(before, work);
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    StepEnd end{.x = work.x_after,
                .v = work.v_after,
                .t = after.t,
                .internal = {after.internal.data() + entry.internal_begin,
                             static_cast<std::size_t>(entry.num_internal)}};
    entry.term->end_step(sum_.at(entry, before, work), end, work.terms[k]);
  }
  sum_.gather_free(work.x_after, after.q);
  sum_.gather_free(work.v_after, after.v);
}

double TermSystem::max_step(const dynamics::State& from, const dynamics::State& to,
                            dynamics::Workspace& ws) const {
  if (!sum_.any([](const TermTraits& t) { return t.limits_steps; })) return 1.0;
  TermWorkspace& work = sum_.own(ws);
  sum_.load_after(to, work);
  sum_.load_positions(from, work);
  sum_.load_velocities(from, work);
  double part = 1.0;
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    if (!entry.traits.limits_steps) continue;
    const double of_term = entry.term->max_step(sum_.at(entry, from, work),
                                                sum_.after(entry, to, work), work.terms[k]);
    SINEW_ASSERT(of_term >= 0.0 && of_term <= 1.0, "max_step() of a term is not in [0, 1]");
    part = std::min(part, of_term);
  }
  return part;
}

dynamics::Admissibility TermSystem::TermHealth::admissibility(const dynamics::State& state,
                                                              dynamics::Workspace& ws) const {
  TermWorkspace& work = sum_.own(ws);
  sum_.load_positions(state, work);
  sum_.load_velocities_if_used(state, work);
  dynamics::Admissibility result;
  for (std::size_t k = 0; k < sum_.terms().size(); ++k) {
    const TermSum::Entry& entry = sum_.terms()[k];
    const dynamics::Admissibility one =
        entry.term->admissibility(sum_.at(entry, state, work), work.terms[k]);
    result.inverted_elements += one.inverted_elements;
    result.contacts += one.contacts;
    result.min_distance = std::min(result.min_distance, one.min_distance);
    result.largest_strain = std::max(result.largest_strain, one.largest_strain);
  }
  return result;
}

// ---- change with time -----------------------------------------------------------------------

void TermSystem::force_rate(const dynamics::State& state, double dt, dynamics::Workspace& ws,
                            VecOut rate) const {
  TermWorkspace& work = sum_.own(ws);
  rate.setZero();
  add_rate_of_time(state, dt, work, rate);
  if (!sum_.prescribed().move()) return;
  add_rate_of_motion(state, dt, work, rate);
  add_rate_of_coupling(state, dt, work, rate);
  work.motion.forget();  // its velocities were borrowed
}

/// Terms that change with time by themselves.
void TermSystem::add_rate_of_time(const dynamics::State& state, double dt, TermWorkspace& work,
                                  VecOut rate) const {
  const auto changes = [](const TermTraits& t) { return t.depends_on_time; };
  if (!sum_.any(changes)) return;
  sum_.load_positions(state, work);
  sum_.load_velocities(state, work);
  dynamics::State now;
  now.internal = state.internal;
  for (const double side : {1.0, -1.0}) {
    now.t = side > 0.0 ? state.t + dt : state.t;
    work.f.set_zero();
    sum_.add_forces(now, changes, work, work.f);
    sum_.add_free(side / dt, work.f, rate);
  }
}

/// Damping and inertia felt through the moved vertices are linear in their velocity and
/// acceleration.
void TermSystem::add_rate_of_motion(const dynamics::State& state, double dt, TermWorkspace& work,
                                    VecOut rate) const {
  const auto damps = [](const TermTraits& t) { return t.row.kind == LedgerKind::loss_rate; };
  if (!sum_.any(damps) && !sum_.has_inertial_load()) return;
  const PrescribedVertices& prescribed = sum_.prescribed();
  sum_.load_positions(state, work);
  for (const double side : {1.0, -1.0}) {
    sum_.evaluate_motion(side > 0.0 ? state.t + dt : state.t, work);
    work.f.set_zero();
    work.v.set_zero();
    for (std::size_t p = 0; p < prescribed.size(); ++p)
      work.v.vector(prescribed.vertices()[p]) = work.motion.v[p];
    sum_.add_forces(state, damps, work, work.f);
    sum_.add_inertial_load(work, work.f);
    sum_.add_free(side / dt, work.f, rate);
  }
}

/// The moved vertices change the force on others by -K_fp v_p. A derivative along their
/// displacement over the step, taken at the present shape, stays sane where they travel further
/// than an element is long.
void TermSystem::add_rate_of_coupling(const dynamics::State& state, double dt, TermWorkspace& work,
                                      VecOut rate) const {
  const PrescribedVertices& prescribed = sum_.prescribed();
  sum_.load_positions(state, work);
  double travel = 0.0, extent = 0.0;
  for (std::size_t p = 0; p < prescribed.size(); ++p) {
    const Vec3 step = (prescribed.position(p, state.t + dt) - work.motion.x[p]) / dt;
    travel = std::max(travel, step.lpNorm<Eigen::Infinity>());
    work.motion.v[p] = step;
  }
  if (travel == 0.0) return;
  for (const Vec3& rest : sum_.numbering().rest())
    extent = std::max(extent, rest.lpNorm<Eigen::Infinity>());
  const auto couples = [](const TermTraits& t) {
    return t.couples && t.row.kind == LedgerKind::stored;
  };
  // cube root of the rounding unit: best for a central difference
  const double span = std::cbrt(std::numeric_limits<double>::epsilon()) * extent / travel;
  const PaddedField present = work.x;
  for (const double side : {1.0, -1.0}) {
    work.x = present;
    for (std::size_t p = 0; p < prescribed.size(); ++p)
      work.x.vector(prescribed.vertices()[p]) += side * span * work.motion.v[p];
    work.f.set_zero();
    sum_.add_forces(state, couples, work, work.f);
    sum_.add_free(side / (2.0 * span), work.f, rate);
  }
}

// ---- what the outside sees ------------------------------------------------------------------

bool TermSystem::has_internal_of(const TermSystem& other) const {
  return std::ranges::equal(sum_.terms(), other.sum_.terms(), {}, &TermSum::Entry::num_internal,
                            &TermSum::Entry::num_internal);
}

Index TermSystem::dof_of_vertex(int vertex) const {
  const int block = sum_.numbering().block(sum_.numbering().internal(vertex));
  return block < 0 ? -1 : 3 * static_cast<Index>(block);
}

dynamics::ElementNodes TermSystem::element_nodes() const {
  dynamics::ElementNodes elements;
  const dynamics::Geometry& geometry = observables_.geometry();
  std::vector<int> nodes;
  int begin = 0;
  for (const int end : geometry.offsets) {
    nodes.clear();
    for (; begin < end; ++begin)
      if (const Index dof = dof_of_vertex(geometry.connectivity[static_cast<std::size_t>(begin)]);
          dof >= 0)
        nodes.push_back(static_cast<int>(dof / 3));
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    elements.add(nodes);
  }
  return elements;
}

dynamics::State TermSystem::rest_state() const {
  dynamics::State state;
  state.q.resize(num_dofs());
  state.v.setZero(num_dofs());
  frame_.rest_positions(state.q);
  state.internal = sum_.initial_internal();
  return state;
}

Vec3 TermSystem::vertex_position(int vertex, const dynamics::State& state) const {
  if (const Index dof = dof_of_vertex(vertex); dof >= 0) return state.q.segment<3>(dof);
  const PrescribedVertices& prescribed = sum_.prescribed();
  return prescribed.position(prescribed.index_of(sum_.numbering().internal(vertex)), state.t);
}

Vec3 TermSystem::vertex_velocity(int vertex, const dynamics::State& state) const {
  if (const Index dof = dof_of_vertex(vertex); dof >= 0) return state.v.segment<3>(dof);
  const PrescribedVertices& prescribed = sum_.prescribed();
  return prescribed.velocity(prescribed.index_of(sum_.numbering().internal(vertex)), state.t);
}

}  // namespace sinew::physics
