// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/petsc/shared_system.hpp>
#include <sinew/physics/rigid_modes.hpp>

namespace sinew::petsc {

using dynamics::State;
using dynamics::Workspace;

struct SharedSystem::Work final : dynamics::Workspace {
  std::unique_ptr<Workspace> part, surplus;
  State here, here_from, here_to, in_surplus, surplus_from, surplus_to;
  Vec f, x;
};

SharedSystem::Work& SharedSystem::own(Workspace& workspace) const {
  return static_cast<Work&>(workspace);
}

std::unique_ptr<Workspace> SharedSystem::make_workspace() const {
  auto work = std::make_unique<Work>();
  work->part = part_->make_workspace();
  work->surplus = surplus_.system->make_workspace();
  work->f.resize(3 * nodes_->num_all());
  return work;
}

const State& SharedSystem::load(const State& state, bool with_velocities, Work&,
                                State& target) const {
  target.t = state.t;
  target.q.resize(3 * nodes_->num_all());
  target.v.resize(3 * nodes_->num_all());
  if (with_velocities) {
    const std::array<const Vec*, 2> from{&state.q, &state.v};
    const std::array<Vec*, 2> to{&target.q, &target.v};
    nodes_->spread(from, to);
  } else {
    nodes_->spread(state.q, target.q);
    target.v.setZero();
  }
  return target;
}

void SharedSystem::load_surplus(const State& of_part, State& target) const {
  const Index n = surplus_.system->num_dofs();
  target.t = of_part.t;
  target.q.resize(n);
  target.v.resize(n);
  for (const auto& [own, part] : surplus_blocks_) {
    target.q.segment<3>(3 * own) = of_part.q.segment<3>(3 * part);
    target.v.segment<3>(3 * own) = of_part.v.segment<3>(3 * part);
  }
}

template <class Say>
double SharedSystem::difference(const State& of_part, Work& work, const Say& say) const {
  load_surplus(of_part, work.in_surplus);
  return say(*part_, of_part, *work.part) - say(*surplus_.system, work.in_surplus, *work.surplus);
}

State SharedSystem::owned_part(const State& of_part) const {
  State state;
  state.t = of_part.t;
  state.q.resize(num_dofs());
  state.v.resize(num_dofs());
  nodes_->gather(of_part.q, state.q);
  nodes_->gather(of_part.v, state.v);
  return state;
}

std::vector<std::int64_t> SharedSystem::owned_numbers() const {
  std::vector<std::int64_t> result;
  for (const int block : nodes_->owned())
    result.push_back(
        numbers_
            .vertices[static_cast<std::size_t>(vertex_of_block_[static_cast<std::size_t>(block)])]);
  return result;
}

// ---- mathematics ----------------------------------------------------------------------------

double SharedSystem::potential(const State& state, Workspace& ws) const {
  Work& work = own(ws);
  const State& here = load(state, false, work, work.here);
  return reducer_.total(
      difference(here, work, [](const physics::TermSystem& system, const State& at, Workspace& w) {
        return system.potential(at, w);
      }));
}

double SharedSystem::dissipation(const State& state, Workspace& ws) const {
  Work& work = own(ws);
  const State& here = load(state, true, work, work.here);
  return reducer_.total(
      difference(here, work, [](const physics::TermSystem& system, const State& at, Workspace& w) {
        return system.dissipation(at, w);
      }));
}

void SharedSystem::force(const State& state, Workspace& ws, VecOut f) const {
  Work& work = own(ws);
  part_->force(load(state, uses_velocity_, work, work.here), *work.part, work.f);
  nodes_->gather(work.f, f);
}

void SharedSystem::add_unsymmetric(const State& state, const VecIn& x, Workspace& ws,
                                   VecOut y) const {
  Work& work = own(ws);
  const State& here = load(state, true, work, work.here);
  work.x.resize(3 * nodes_->num_all());
  nodes_->spread(x, work.x);
  work.f.setZero();
  part_->add_unsymmetric(here, work.x, *work.part, work.f);
  for (Index k = 0; k < nodes_->num_owned(); ++k)
    y.segment<3>(3 * k) += work.f.segment<3>(3 * nodes_->owned()[static_cast<std::size_t>(k)]);
}

void SharedSystem::force_rate(const State& state, double dt, Workspace& ws, VecOut rate) const {
  Work& work = own(ws);
  part_->force_rate(load(state, true, work, work.here), dt, *work.part, work.f);
  nodes_->gather(work.f, rate);
}

std::unique_ptr<dynamics::Linearization> SharedSystem::make_linearization() const {
  auto result = std::make_unique<SharedLinearization>(part_->make_linearization(), *nodes_);
  result->system_id = id();
  return result;
}

void SharedSystem::linearize(const State& state, const dynamics::LinearizeOptions& options,
                             Workspace& ws, dynamics::Linearization& out, Vec* force) const {
  auto* shared = dynamic_cast<SharedLinearization*>(&out);
  SINEW_ASSERT(shared != nullptr && out.system_id == id(),
               "linearize() needs an object made by make_linearization() of this system");
  Work& work = own(ws);
  const State& here = load(state, uses_velocity_, work, work.here);
  part_->linearize(here, options, *work.part, shared->part(), force ? &work.f : nullptr);
  if (force) {
    force->resize(num_dofs());
    nodes_->gather(work.f, *force);
  }
  dynamics::LinearizeReport report = shared->part().report;
  if (traits_.damping == dynamics::DampingKind::state_dependent)
    report.is_damped =
        reducer_.any(shared->part().damping() != nullptr && shared->part().report.is_damped);
  else
    report.is_damped = traits_.damping != dynamics::DampingKind::none;
  // elements at the edges count on every process that has them
  if (options.definiteness != dynamics::Definiteness::exact)
    report.projected = reducer_.count(report.projected);
  shared->take_over(report);
}

// ---- what it knows of itself ----------------------------------------------------------------

class SharedSystem::Accounts final : public dynamics::EnergyAccounts {
 public:
  explicit Accounts(const SharedSystem& system)
      : system_(system),
        scale_(system.reducer_.total(system.part_->accounts().energy_scale() -
                                     system.surplus_.system->accounts().energy_scale())) {}

  std::vector<dynamics::LedgerEntry> ledger_entries() const override {
    return system_.part_->accounts().ledger_entries();
  }
  void evaluate_ledger(const State& state, Workspace& ws, std::span<double> values) const override {
    evaluate(state, ws, values, &physics::TermAccounts::evaluate_ledger);
  }
  void evaluate_loss_rates(const State& state, Workspace& ws,
                           std::span<double> values) const override {
    evaluate(state, ws, values, &physics::TermAccounts::evaluate_loss_rates);
  }
  double external_work(const State& at, const State& from, const State& to,
                       Workspace& ws) const override {
    Work& work = system_.own(ws);
    system_.load(at, true, work, work.here);
    system_.load(from, true, work, work.here_from);
    system_.load(to, true, work, work.here_to);
    system_.load_surplus(work.here, work.in_surplus);
    system_.load_surplus(work.here_from, work.surplus_from);
    system_.load_surplus(work.here_to, work.surplus_to);
    return system_.reducer_.total(
        system_.part_->accounts().external_work(work.here, work.here_from, work.here_to,
                                                *work.part) -
        system_.surplus_.system->accounts().external_work(work.in_surplus, work.surplus_from,
                                                          work.surplus_to, *work.surplus));
  }
  double energy_scale() const override { return scale_; }

  std::optional<dynamics::Momentum> momentum(const State& state) const override {
    const Vec& mass = *system_.mass_->diagonal_only();
    dynamics::Momentum sum;
    for (Index b = 0; b < system_.nodes_->num_owned(); ++b) {
      const Vec3 p = mass[3 * b] * Vec3(state.v.segment<3>(3 * b));
      sum.linear += p;
      sum.angular += Vec3(state.q.segment<3>(3 * b)).cross(p);
    }
    std::array<double, 6> all{sum.linear[0],  sum.linear[1],  sum.linear[2],
                              sum.angular[0], sum.angular[1], sum.angular[2]};
    system_.reducer_.add_up(all);
    return dynamics::Momentum{{all[0], all[1], all[2]}, {all[3], all[4], all[5]}};
  }

 private:
  using Evaluate = void (physics::TermAccounts::*)(const State&, Workspace&,
                                                   std::span<double>) const;

  void evaluate(const State& state, Workspace& ws, std::span<double> values, Evaluate rows) const {
    Work& work = system_.own(ws);
    const State& here = system_.load(state, true, work, work.here);
    (system_.part_->accounts().*rows)(here, *work.part, values);
    system_.load_surplus(here, work.in_surplus);
    std::vector<double> surplus(values.size());
    (system_.surplus_.system->accounts().*rows)(work.in_surplus, *work.surplus, surplus);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] -= surplus[k];
    system_.reducer_.add_up(values);
  }

  const SharedSystem& system_;
  double scale_;
};

class SharedSystem::Frame final : public dynamics::MaterialFrame {
 public:
  explicit Frame(const SharedSystem& system) : system_(system) {}

  void rest_positions(VecOut q) const override {
    Vec all(3 * system_.nodes_->num_all());
    system_.part_->frame().rest_positions(all);
    system_.nodes_->gather(all, q);
  }

  bool node_rotations(const State& state, Workspace& ws, std::vector<Mat3>& rotations,
                      dynamics::NodeRotations kind) const override {
    Work& work = system_.own(ws);
    const State& here = system_.load(state, false, work, work.here);
    std::vector<Mat3> all;
    system_.part_->frame().node_rotations(here, *work.part, all, kind);
    rotations.clear();
    for (const int block : system_.nodes_->owned())
      rotations.push_back(all[static_cast<std::size_t>(block)]);
    return true;
  }

  Mat rigid_modes(const State& state) const override {
    const physics::TermSum& sum = system_.part_->sum();
    const physics::Numbering& numbering = sum.numbering();
    std::vector<int> index_of_block(static_cast<std::size_t>(numbering.num_free()), -1);
    for (std::size_t k = 0; k < system_.nodes_->owned().size(); ++k)
      index_of_block[static_cast<std::size_t>(system_.nodes_->owned()[k])] = static_cast<int>(k);
    std::vector<physics::RigidVertex> vertices;
    for (const int user : system_.vertices_->owned()) {
      const int vertex = numbering.internal(user), block = numbering.block(vertex);
      const int index = block < 0 ? -1 : index_of_block[static_cast<std::size_t>(block)];
      const Vec3 position =
          index >= 0 ? Vec3(state.q.segment<3>(3 * static_cast<Index>(index)))
                     : sum.prescribed().position(sum.prescribed().index_of(vertex), state.t);
      vertices.push_back(
          {position, system_.pieces_.of_vertex[static_cast<std::size_t>(user)], index});
    }
    return physics::rigid_modes(vertices, system_.pieces_.count, system_.num_dofs(),
                                system_.reducer_);
  }

 private:
  const SharedSystem& system_;
};

class SharedSystem::Condition final : public dynamics::Health {
 public:
  explicit Condition(const SharedSystem& system) : system_(system) {}

  dynamics::Admissibility admissibility(const State& state, Workspace& ws) const override {
    Work& work = system_.own(ws);
    const State& here = system_.load(state, system_.uses_velocity_, work, work.here);
    system_.load_surplus(here, work.in_surplus);
    dynamics::Admissibility found = system_.part_->health().admissibility(here, *work.part);
    found.inverted_elements -= system_.surplus_.system->health()
                                   .admissibility(work.in_surplus, *work.surplus)
                                   .inverted_elements;
    found.inverted_elements = system_.reducer_.count(found.inverted_elements);
    std::array<double, 2> largest{-found.min_distance, found.largest_strain};
    system_.reducer_.find_largest(largest);
    found.min_distance = -largest[0];
    found.largest_strain = largest[1];
    return found;
  }

 private:
  const SharedSystem& system_;
};

/// The cells that this process answers for, at all points of the part.
class SharedSystem::Shown final : public dynamics::Observables {
 public:
  explicit Shown(const SharedSystem& system) : system_(system) {
    const dynamics::Geometry& all = system.part_->observables().geometry();
    geometry_.num_points = all.num_points;
    for (std::size_t cell = 0; cell < all.types.size(); ++cell) {
      if (!system.numbers_.counts[cell]) continue;
      cells_.push_back(static_cast<int>(cell));
      const int begin = cell == 0 ? 0 : all.offsets[cell - 1];
      geometry_.connectivity.insert(geometry_.connectivity.end(), all.connectivity.begin() + begin,
                                    all.connectivity.begin() + all.offsets[cell]);
      geometry_.offsets.push_back(static_cast<int>(geometry_.connectivity.size()));
      geometry_.types.push_back(all.types[cell]);
    }
  }

  const dynamics::Geometry& geometry() const override { return geometry_; }
  std::vector<dynamics::FieldInfo> fields() const override {
    return system_.part_->observables().fields();
  }

  void evaluate_field(std::string_view name, const State& state, Workspace& ws,
                      VecOut values) const override {
    const physics::TermObservables& shown = system_.part_->observables();
    for (const dynamics::FieldInfo& field : shown.fields()) {
      if (field.name != name) continue;
      if (field.site == dynamics::FieldSite::per_cell) {
        Vec all(static_cast<Index>(shown.geometry().types.size()) * field.components);
        system_.evaluate_on_part(name, state, ws, all);
        for (std::size_t k = 0; k < cells_.size(); ++k)
          for (int c = 0; c < field.components; ++c)
            values[static_cast<Index>(k) * field.components + c] =
                all[static_cast<Index>(cells_[k]) * field.components + c];
        return;
      }
      system_.evaluate_on_part(name, state, ws, values);
      // what acts on a ghost is not all here
      const auto width = static_cast<std::size_t>(field.components);
      std::vector<double> owned;
      owned.reserve(system_.vertices_->owned().size() * width);
      for (const int vertex : system_.vertices_->owned())
        for (std::size_t c = 0; c < width; ++c)
          owned.push_back(values[static_cast<Index>(static_cast<std::size_t>(vertex) * width + c)]);
      system_.vertices_->spread(owned, {values.data(), static_cast<std::size_t>(values.size())},
                                field.components);
      return;
    }
    SINEW_ASSERT(false, "there is no such field");
  }

 private:
  const SharedSystem& system_;
  dynamics::Geometry geometry_;
  std::vector<int> cells_;  // numbers in the part
};

void SharedSystem::evaluate_on_part(std::string_view field, const State& state, Workspace& ws,
                                    VecOut values) const {
  Work& work = own(ws);
  part_->observables().evaluate_field(field, load(state, true, work, work.here), *work.part,
                                      values);
}

dynamics::Capabilities SharedSystem::capabilities() const {
  return {.accounts = accounts_.get(),
          .observables = shown_.get(),
          .frame = frame_.get(),
          .health = health_.get(),
          .split = nullptr};
}

// ---- making it ------------------------------------------------------------------------------

namespace {

dynamics::ForceTraits traits_of_all(const dynamics::ForceTraits& here, const la::Reducer& reducer) {
  std::array<double, 5> flags{here.form == dynamics::ForceForm::general ? 1.0 : 0.0,
                              static_cast<double>(here.damping), here.depends_on_time ? 1.0 : 0.0,
                              here.can_project ? 0.0 : 1.0, here.is_unsymmetric ? 1.0 : 0.0};
  reducer.find_largest(flags);
  dynamics::ForceTraits all = here;
  all.form = flags[0] > 0.0 ? dynamics::ForceForm::general
                            : dynamics::ForceForm::potential_and_dissipation;
  all.damping = static_cast<dynamics::DampingKind>(static_cast<int>(flags[1]));
  all.depends_on_time = flags[2] > 0.0;
  all.can_project = flags[3] == 0.0;
  all.is_unsymmetric = flags[4] > 0.0;
  return all;
}

}  // namespace

SharedSystem::SharedSystem(const Processes& processes, const la::Reducer& reducer,
                           std::unique_ptr<physics::TermSystem> part, Surplus surplus,
                           PartNumbers numbers)
    : reducer_(reducer),
      part_(std::move(part)),
      surplus_(std::move(surplus)),
      numbers_(std::move(numbers)),
      traits_(traits_of_all(part_->traits(), reducer)) {
  require_shareable();
  const physics::TermSum& sum = part_->sum();
  uses_velocity_ =
      reducer.any(sum.any([](const physics::TermTraits& t) { return t.uses_velocity; }));
  vertex_of_block_.resize(static_cast<std::size_t>(sum.numbering().num_free()));
  for (int user = 0; user < part_->num_vertices(); ++user)
    if (const Index dof = part_->dof_of_vertex(user); dof >= 0)
      vertex_of_block_[static_cast<std::size_t>(dof / 3)] = user;
  std::vector<std::int64_t> node_numbers;
  std::vector<int> node_owners;
  for (const int vertex : vertex_of_block_) {
    node_numbers.push_back(numbers_.vertices[static_cast<std::size_t>(vertex)]);
    node_owners.push_back(numbers_.owners[static_cast<std::size_t>(vertex)]);
  }
  nodes_ = std::make_unique<Halo>(processes, node_numbers, node_owners);
  vertices_ = std::make_unique<Halo>(processes, numbers_.vertices, numbers_.owners);
  if (reducer.any(num_dofs() == 0))
    throw InputError(
        Problem{.what = fmt::format("there are too few free vertices for {} processes: "
                                    "one of them would have none",
                                    processes.count()),
                .hint = "use fewer processes"});
  for (std::size_t k = 0; k < surplus_.vertices.size(); ++k)
    if (const Index own = surplus_.system->dof_of_vertex(static_cast<int>(k)); own >= 0)
      surplus_blocks_.emplace_back(own / 3, part_->dof_of_vertex(surplus_.vertices[k]) / 3);
  Vec diagonal(num_dofs());
  nodes_->gather(*part_->mass().diagonal_only(), diagonal);
  mass_inverse_ = std::make_unique<la::DiagonalOperator>(diagonal.cwiseInverse());
  mass_ = std::make_unique<la::DiagonalOperator>(std::move(diagonal));
  std::vector<int> pieces;
  for (int user = 0; user < part_->num_vertices(); ++user)
    pieces.push_back(sum.numbering().piece(sum.numbering().internal(user)));
  pieces_ = join_pieces(processes, reducer, *vertices_, numbers_.vertices, numbers_.owners, pieces);
  accounts_ = std::make_unique<Accounts>(*this);
  frame_ = std::make_unique<Frame>(*this);
  health_ = std::make_unique<Condition>(*this);
  shown_ = std::make_unique<Shown>(*this);
}

SharedSystem::~SharedSystem() = default;

void SharedSystem::require_shareable() const {
  const bool is_lumped = part_->mass().diagonal_only() != nullptr;
  if (reducer_.any(!is_lumped))
    throw InputError(Problem{.what = "a consistent mass is not shared by processes yet",
                             .hint = "use \"mass\": \"lumped\", or one process"});
  const bool is_local = !part_->sum().any([](const physics::TermTraits& t) {
    return t.has_step_hooks || t.holds_vertices || t.has_moving_pairs || t.limits_steps ||
           t.changes_between_steps;
  });
  if (reducer_.any(!is_local))
    throw InputError(Problem{.what = "terms that look for pairs, keep a history or limit steps are "
                                     "not shared by processes yet",
                             .hint = "run this scene in one process"});
}

}  // namespace sinew::petsc
