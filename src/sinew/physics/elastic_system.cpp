// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Geometry>

#include <sinew/core/error.hpp>
#include <sinew/la/ordering.hpp>
#include <sinew/la/solvers/factored_inverse.hpp>
#include <sinew/physics/body_elements.hpp>
#include <sinew/physics/elastic_system.hpp>
#include <sinew/physics/elements/nearest_rotation.hpp>
#include <sinew/physics/materials/small_strain.hpp>
#include <sinew/physics/rigid_modes.hpp>
#include <sinew/physics/terms/tet_elasticity.hpp>

namespace sinew::physics {
namespace {

// A set of about 2,500 tets: long enough to hide the cost of handing it to a thread, small enough
// to balance a few threads on meshes of 50,000 tets.
constexpr int vertices_per_part = 512;

/// At strains of order one [J].
double stored_energy(const Body& body) {
  double sum = 0.0;
  for (std::size_t t = 0; t < body.tets.size(); ++t) {
    const Moduli& moduli = body.tets[t].moduli;
    sum += (moduli.mu + std::abs(moduli.lambda)) *
           std::abs(mesh::signed_volume(body.mesh, static_cast<int>(t)));
  }
  for (const Spring& spring : body.springs)
    sum += 0.5 * spring.stiffness * spring.rest_length * spring.rest_length;
  return sum;
}

}  // namespace

/// Filled anew by every evaluation, except for the prescribed motion and the loads on vertices,
/// which are kept for as long as the same time is asked for.
struct ElasticSystem::Scratch final : dynamics::Workspace {
  explicit Scratch(int num_vertices, std::size_t num_prescribed)
      : x(num_vertices),
        v(num_vertices),
        f(num_vertices),
        shifted(num_vertices),
        load(num_vertices),
        prescribed_x(num_prescribed, Vec3::Zero()),
        prescribed_v(num_prescribed, Vec3::Zero()),
        prescribed_a(num_prescribed, Vec3::Zero()) {}

  std::uint64_t system_id = 0;
  PaddedField x, v, f, shifted;
  PaddedField load;  // of vertices, at load_time
  double load_time = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> partial;
  std::vector<Mat3> gradients;
  std::vector<Vec3> prescribed_x, prescribed_v, prescribed_a;  // at motion_time
  double motion_time = std::numeric_limits<double>::quiet_NaN();
};

ElasticSystem::ElasticSystem(const ElasticSystemSpec& spec, const core::Executor& executor)
    : executor_(executor) {
  number_vertices(spec);
  prescribe(spec);
  build_terms(spec);
  build_mass(spec.gravity);
  build_loads(spec);
  build_geometry(spec);
}

ElasticSystem::~ElasticSystem() = default;

// ---- construction -----------------------------------------------------------------------------

void ElasticSystem::number_vertices(const ElasticSystemSpec& spec) {
  std::vector<Vec3> user_rest;
  std::vector<int> edges;
  for (const Body& body : spec.bodies) {
    SINEW_ASSERT(body.tets.empty() || body.tets.size() == body.mesh.tets.size(),
                 "one property record per tet");
    SINEW_ASSERT(body.points.empty() || body.points.size() == body.mesh.vertices.size(),
                 "one point mass per vertex");
    const int offset = static_cast<int>(user_rest.size());
    user_rest.insert(user_rest.end(), body.mesh.vertices.begin(), body.mesh.vertices.end());
    for (std::size_t t = 0; t < body.tets.size(); ++t)
      for (const auto& edge : mesh::tet_edges)
        for (const int corner : edge) edges.push_back(body.mesh.tets[t][corner] + offset);
    for (const Spring& spring : body.springs)
      for (const int vertex : spring.vertices) edges.push_back(vertex + offset);
    num_tets_ += static_cast<int>(body.tets.size());
    num_springs_ += static_cast<int>(body.springs.size());
    energy_scale_ += stored_energy(body);
  }
  const int n = static_cast<int>(user_rest.size());
  const la::Graph graph = la::graph_of_elements(n, edges, 2);
  const std::vector<int> order = la::reverse_cuthill_mckee(graph);
  internal_of_user_ = la::inverse_permutation(order);

  rest_.resize(static_cast<std::size_t>(n));
  std::vector<int> reach(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) {
    rest_[k] = user_rest[order[k]];
    reach[k] = k;
    for (const int neighbour : graph.of(order[k]))
      reach[k] = std::max(reach[k], internal_of_user_[neighbour]);
  }
  parts_ = la::banded_parts(reach, vertices_per_part);

  // in this order a connected piece is a run, and it ends where nothing reaches further
  component_of_vertex_.resize(static_cast<std::size_t>(n));
  for (int k = 0, end = -1; k < n; ++k) {
    if (k > end) {
      ++num_components_;
      end = k;
    }
    end = std::max(end, reach[k]);
    component_of_vertex_[k] = num_components_ - 1;
  }
}

void ElasticSystem::prescribe(const ElasticSystemSpec& spec) {
  constexpr int free_mark = 0, held_mark = -1;
  block_of_vertex_.assign(rest_.size(), free_mark);
  std::vector<const ScriptedMotion*> motion(rest_.size(), nullptr);
  for (const int vertex : spec.fixed) block_of_vertex_[internal_of_user_[vertex]] = held_mark;
  for (const MovedVertices& group : spec.moved) {
    motions_.push_back(group.motion);
    has_motion_ = has_motion_ || group.motion->depends_on_time();
    for (const int vertex : group.vertices) {
      block_of_vertex_[internal_of_user_[vertex]] = held_mark;
      motion[static_cast<std::size_t>(internal_of_user_[vertex])] = group.motion.get();
    }
  }
  for (std::size_t k = 0; k < rest_.size(); ++k) {
    if (block_of_vertex_[k] == held_mark) {
      prescribed_.push_back({static_cast<int>(k), motion[k]});
      block_of_vertex_[k] = -static_cast<int>(prescribed_.size());
    } else {
      block_of_vertex_[k] = static_cast<int>(num_free_++);
    }
  }
}

void ElasticSystem::build_terms(const ElasticSystemSpec& spec) {
  BodyElements elements = gather_elements(spec.bodies, internal_of_user_, rest_);
  std::vector<std::pair<int, int>> pairs;
  const auto couple = [&](int vertex, int other) {
    const int row = block_of_vertex_[vertex], col = block_of_vertex_[other];
    if (row >= 0 && col >= 0 && row != col) pairs.emplace_back(row, col);
  };
  for (const auto& [material, tets] : elements.tets)
    for (const TetElement& tet : tets)
      for (const auto& [a, b] : tet_pairs) couple(tet.vertices[a], tet.vertices[b]);
  for (const SpringElement& spring : elements.springs)
    couple(spring.vertices[0], spring.vertices[1]);
  pattern_ = la::BlockPattern::build(static_cast<int>(num_free_), 3, std::move(pairs));

  const auto add = [&](std::unique_ptr<ElementTerm> term, auto& terms) {
    term->bind(*pattern_, block_of_vertex_);
    terms.push_back(std::move(term));
  };
  for (const MaterialEntry* material : elements.materials) {
    add(material->make_term({std::move(elements.tets[material]), parts_}), elastic_);
    if (elements.tets_damped_now.contains(material))
      add(material->make_term({std::move(elements.tets_damped_now[material]), parts_}),
          current_damping_);
  }
  if (!elements.tets_damped_at_rest.empty())
    add(make_tet_elasticity<SmallStrain>({std::move(elements.tets_damped_at_rest), parts_}),
        rest_damping_);
  if (!elements.springs.empty())
    add(make_spring_elasticity<LinearSpring>(std::move(elements.springs), parts_), elastic_);
  if (!elements.springs_damped_now.empty())
    add(make_spring_elasticity<LinearSpring>(std::move(elements.springs_damped_now), parts_),
        current_damping_);
  if (!elements.springs_damped_at_rest.empty())
    add(make_rest_springs<LinearSpring>(std::move(elements.springs_damped_at_rest), parts_),
        rest_damping_);

  const bool has_mass_damping =
      !elements.damped_lumped.isZero(0.0) || !elements.damped_consistent.empty();
  tet_mass_ = std::make_unique<TetMass>(std::move(elements.lumped), std::move(elements.consistent));
  if (has_mass_damping)
    mass_damping_ = std::make_unique<TetMass>(std::move(elements.damped_lumped),
                                              std::move(elements.damped_consistent));
}

void ElasticSystem::build_mass(const Vec3& gravity) {
  const Vec nodal = tet_mass_->row_sums();
  weight_.resize(num_dofs());
  Vec diagonal(num_dofs());
  for (int k = 0; k < num_vertices(); ++k) {
    const int block = block_of_vertex_[k];
    if (block < 0) {
      prescribed_[static_cast<std::size_t>(-1 - block)].weight = nodal[k] * gravity;
      continue;
    }
    weight_.segment<3>(3 * block) = nodal[k] * gravity;
    diagonal.segment<3>(3 * block).setConstant(nodal[k]);
  }
  if (tet_mass_->is_lumped()) {
    mass_inverse_ = std::make_unique<la::DiagonalOperator>(diagonal.cwiseInverse());
    mass_ = std::make_unique<la::DiagonalOperator>(std::move(diagonal));
    return;
  }
  auto matrix = std::make_unique<la::SymmetricMatrix>(pattern_, executor_);
  tet_mass_->add_to(1.0, block_of_vertex_, *matrix);
  mass_inverse_ = std::make_unique<la::FactoredInverse>(
      *matrix, la::solvers().front().make(la::serial_reducer()));
  mass_ = std::move(matrix);
}

void ElasticSystem::build_loads(const ElasticSystemSpec& spec) {
  vertex_loads_ = std::make_unique<VertexLoads>(spec.forces, internal_of_user_, rest_);
  surface_loads_ = std::make_unique<SurfaceLoads>(spec.pressures, spec.winds, internal_of_user_,
                                                  rest_, *pattern_, block_of_vertex_);
}

void ElasticSystem::build_geometry(const ElasticSystemSpec& spec) {
  constexpr std::uint8_t vtk_line = 3, vtk_tetra = 10;
  geometry_.num_points = num_vertices();
  int vertex_offset = 0;
  for (std::size_t b = 0; b < spec.bodies.size(); ++b) {
    const mesh::TetMesh& mesh = spec.bodies[b].mesh;
    const auto add_cell = [&](const auto& vertices, std::uint8_t type, int region) {
      for (const int vertex : vertices) geometry_.connectivity.push_back(vertex + vertex_offset);
      geometry_.offsets.push_back(static_cast<int>(geometry_.connectivity.size()));
      geometry_.types.push_back(type);
      region_of_cell_.push_back(region);
      body_of_cell_.push_back(static_cast<int>(b));
    };
    for (int t = 0; t < mesh.num_tets(); ++t)
      add_cell(mesh.tets[t], vtk_tetra, mesh.regions.empty() ? 0 : mesh.regions[t]);
    if (mesh.tets.empty())
      for (const Spring& spring : spec.bodies[b].springs) add_cell(spring.vertices, vtk_line, 0);
    vertex_offset += mesh.num_vertices();
  }
}

// ---- evaluation ---------------------------------------------------------------------------------

std::unique_ptr<dynamics::Workspace> ElasticSystem::make_workspace() const {
  auto result = std::make_unique<Scratch>(num_vertices(), prescribed_.size());
  result->system_id = id();
  return result;
}

ElasticSystem::Scratch& ElasticSystem::scratch(dynamics::Workspace& workspace) const {
  auto* mine = dynamic_cast<Scratch*>(&workspace);
  SINEW_ASSERT(mine != nullptr && mine->system_id == id(),
               "the workspace was not made by this system");
  return *mine;
}

void ElasticSystem::evaluate_motion(double t, Scratch& work) const {
  if (work.motion_time == t) return;
  for (std::size_t p = 0; p < prescribed_.size(); ++p) {
    const int vertex = prescribed_[p].vertex;
    const ScriptedMotion* motion = prescribed_[p].motion;
    const Vec3& rest = rest_[vertex];
    work.prescribed_x[p] = motion ? motion->position(rest, t) : rest;
    work.prescribed_v[p] = motion ? motion->velocity(rest, t) : Vec3(Vec3::Zero());
    if (!tet_mass_->is_lumped())
      work.prescribed_a[p] = motion ? motion->acceleration(rest, t) : Vec3(Vec3::Zero());
  }
  work.motion_time = t;
}

void ElasticSystem::load_positions(const dynamics::State& state, Scratch& work) const {
  evaluate_motion(state.t, work);
  for (int k = 0; k < num_vertices(); ++k)
    if (block_of_vertex_[k] >= 0) work.x.vector(k) = state.q.segment<3>(3 * block_of_vertex_[k]);
  for (std::size_t p = 0; p < prescribed_.size(); ++p)
    work.x.vector(prescribed_[p].vertex) = work.prescribed_x[p];
}

void ElasticSystem::load_velocities(const dynamics::State& state, Scratch& work) const {
  evaluate_motion(state.t, work);
  for (int k = 0; k < num_vertices(); ++k)
    if (block_of_vertex_[k] >= 0) work.v.vector(k) = state.v.segment<3>(3 * block_of_vertex_[k]);
  for (std::size_t p = 0; p < prescribed_.size(); ++p)
    work.v.vector(prescribed_[p].vertex) = work.prescribed_v[p];
}

void ElasticSystem::evaluate_vertex_loads(double t, Scratch& work) const {
  if (vertex_loads_->empty() || work.load_time == t) return;
  work.load.set_zero();
  vertex_loads_->add_force(t, work.load);
  work.load_time = t;
}

bool ElasticSystem::has_damping() const {
  return mass_damping_ || !rest_damping_.empty() || !current_damping_.empty();
}

void ElasticSystem::add_damping_force(Scratch& work, PaddedField& f) const {
  for (const auto& term : rest_damping_) term->add_force(work.v, executor_, f);
  for (const auto& term : current_damping_)
    term->add_definite_product(work.x, work.v, executor_, f);
  if (mass_damping_) mass_damping_->add_product(-1.0, work.v, f);
}

void ElasticSystem::add_damping_and_surface_forces(const dynamics::State& state,
                                                   Scratch& work) const {
  if (!has_damping() && surface_loads_->empty()) return;
  load_velocities(state, work);
  add_damping_force(work, work.f);
  surface_loads_->add_force(work.x, work.v, state.t, work.f);
}

void ElasticSystem::add_inertial_load(Scratch& work, PaddedField& f) const {
  if (!has_motion_ || tet_mass_->is_lumped()) return;
  work.v.set_zero();
  for (std::size_t p = 0; p < prescribed_.size(); ++p)
    work.v.vector(prescribed_[p].vertex) = work.prescribed_a[p];
  tet_mass_->add_product(-1.0, work.v, f);
}

double ElasticSystem::dot_free(const Vec& x, const PaddedField& f) const {
  double sum = 0.0;
  for (int k = 0; k < num_vertices(); ++k)
    if (block_of_vertex_[k] >= 0) sum += x.segment<3>(3 * block_of_vertex_[k]).dot(f.vector(k));
  return sum;
}

void ElasticSystem::gather_force(Scratch& work, VecOut f) const {
  add_inertial_load(work, work.f);
  for (int k = 0; k < num_vertices(); ++k) {
    const int block = block_of_vertex_[k];
    if (block >= 0)
      f.segment<3>(3 * block) =
          work.f.vector(k) + work.load.vector(k) + weight_.segment<3>(3 * block);
  }
}

double ElasticSystem::elastic_energy(const dynamics::State& state, Scratch& work) const {
  load_positions(state, work);
  double energy = 0.0;
  for (const auto& term : elastic_) energy += term->energy(work.x, executor_, work.partial);
  return energy;
}

double ElasticSystem::potential(const dynamics::State& state, dynamics::Workspace& ws) const {
  Scratch& work = scratch(ws);
  double energy = elastic_energy(state, work) - weight_.dot(state.q);
  evaluate_vertex_loads(state.t, work);
  if (!vertex_loads_->empty()) energy -= dot_free(state.q, work.load);
  if (has_motion_ && !tet_mass_->is_lumped()) {
    work.shifted.set_zero();
    add_inertial_load(work, work.shifted);
    energy -= dot_free(state.q, work.shifted);
  }
  return energy;
}

void ElasticSystem::force(const dynamics::State& state, dynamics::Workspace& ws, VecOut f) const {
  Scratch& work = scratch(ws);
  load_positions(state, work);
  evaluate_vertex_loads(state.t, work);
  work.f.set_zero();
  for (const auto& term : elastic_) term->add_force(work.x, executor_, work.f);
  add_damping_and_surface_forces(state, work);
  gather_force(work, f);
}

void ElasticSystem::assemble(const dynamics::State& state,
                             const dynamics::LinearizeOptions& options, dynamics::Workspace& ws,
                             la::SymmetricMatrix& K, la::SymmetricMatrix* D, Vec* f,
                             dynamics::LinearizeReport& report) const {
  Scratch& work = scratch(ws);
  load_positions(state, work);
  if (f) work.f.set_zero();
  report.definiteness = options.definiteness;
  for (const auto& term : elastic_)
    report.projected +=
        term->add_tangent(work.x, options.definiteness, executor_, K, f ? &work.f : nullptr);
  if (!surface_loads_->empty()) {
    load_velocities(state, work);
    const bool exact = options.definiteness == dynamics::Definiteness::exact;
    surface_loads_->add_tangent(work.x, work.v, state.t, exact ? &K : nullptr, D);
  }
  if (D) {
    constexpr auto clamp = dynamics::Definiteness::psd_clamp;
    for (const auto* terms : {&rest_damping_, &current_damping_})
      for (const auto& term : *terms) term->add_tangent(work.x, clamp, executor_, *D, nullptr);
    if (mass_damping_) mass_damping_->add_to(1.0, block_of_vertex_, *D);
  }
  if (f) {
    evaluate_vertex_loads(state.t, work);
    add_damping_and_surface_forces(state, work);
    gather_force(work, *f);
  }
}

void ElasticSystem::force_rate(const dynamics::State& state, double dt, dynamics::Workspace& ws,
                               VecOut rate) const {
  Scratch& work = scratch(ws);
  rate.setZero();
  add_load_rate(state, dt, work, rate);
  if (!has_motion_) return;
  add_linear_rate(state, dt, work, rate);
  add_elastic_rate(state, dt, work, rate);
  work.motion_time = std::numeric_limits<double>::quiet_NaN();  // its velocities were borrowed
}

void ElasticSystem::add_load_rate(const dynamics::State& state, double dt, Scratch& work,
                                  VecOut rate) const {
  if (!vertex_loads_->depends_on_time() && !surface_loads_->depends_on_time()) return;
  load_positions(state, work);
  load_velocities(state, work);
  for (const double side : {1.0, -1.0}) {
    const double t = side > 0.0 ? state.t + dt : state.t;
    work.f.set_zero();
    vertex_loads_->add_force(t, work.f);
    surface_loads_->add_force(work.x, work.v, t, work.f);
    add_free(side / dt, work.f, rate);
  }
}

/// Damping and inertia felt through the moved vertices are linear in their velocity and
/// acceleration.
void ElasticSystem::add_linear_rate(const dynamics::State& state, double dt, Scratch& work,
                                    VecOut rate) const {
  const bool has_inertia = !tet_mass_->is_lumped();
  if (!has_damping() && !has_inertia) return;
  load_positions(state, work);
  for (const double side : {1.0, -1.0}) {
    evaluate_motion(side > 0.0 ? state.t + dt : state.t, work);
    work.f.set_zero();
    work.v.set_zero();
    for (std::size_t p = 0; p < prescribed_.size(); ++p)
      work.v.vector(prescribed_[p].vertex) = work.prescribed_v[p];
    add_damping_force(work, work.f);
    add_inertial_load(work, work.f);
    add_free(side / dt, work.f, rate);
  }
}

/// The moved vertices change the elastic force by -K_fp v_p. A derivative along their displacement
/// over the step, taken at the present shape, stays sane where they travel further than an element
/// is long.
void ElasticSystem::add_elastic_rate(const dynamics::State& state, double dt, Scratch& work,
                                     VecOut rate) const {
  load_positions(state, work);
  double travel = 0.0, extent = 0.0;
  for (std::size_t p = 0; p < prescribed_.size(); ++p) {
    const int vertex = prescribed_[p].vertex;
    const ScriptedMotion* motion = prescribed_[p].motion;
    Vec3 step = Vec3::Zero();
    if (motion) step = (motion->position(rest_[vertex], state.t + dt) - work.prescribed_x[p]) / dt;
    travel = std::max(travel, step.lpNorm<Eigen::Infinity>());
    work.prescribed_v[p] = step;
  }
  if (travel == 0.0) return;
  for (const Vec3& rest : rest_) extent = std::max(extent, rest.lpNorm<Eigen::Infinity>());
  // cube root of the rounding unit: best for a central difference
  const double span = std::cbrt(std::numeric_limits<double>::epsilon()) * extent / travel;
  for (const double side : {1.0, -1.0}) {
    work.shifted = work.x;
    for (std::size_t p = 0; p < prescribed_.size(); ++p)
      work.shifted.vector(prescribed_[p].vertex) += side * span * work.prescribed_v[p];
    work.f.set_zero();
    for (const auto& term : elastic_) term->add_force(work.shifted, executor_, work.f);
    add_free(side / (2.0 * span), work.f, rate);
  }
}

void ElasticSystem::add_free(double factor, const PaddedField& f, VecOut target) const {
  for (int k = 0; k < num_vertices(); ++k)
    if (block_of_vertex_[k] >= 0)
      target.segment<3>(3 * block_of_vertex_[k]) += factor * f.vector(k);
}

bool ElasticSystem::is_time_dependent() const {
  return has_motion_ || vertex_loads_->depends_on_time() || surface_loads_->depends_on_time();
}

dynamics::ForceForm ElasticSystem::force_form() const {
  // pressure on an open patch, wind, and damping that follows the shape have no potential
  return surface_loads_->empty() && current_damping_.empty()
             ? dynamics::ForceForm::potential_and_linear_damping
             : dynamics::ForceForm::general;
}

dynamics::DampingKind ElasticSystem::damping_kind() const {
  if (surface_loads_->depends_on_velocity() || !current_damping_.empty())
    return dynamics::DampingKind::state_dependent;
  return has_damping() ? dynamics::DampingKind::constant : dynamics::DampingKind::none;
}

double ElasticSystem::dissipation(const dynamics::State& state, dynamics::Workspace& ws) const {
  if (!has_damping()) return 0.0;
  Scratch& work = scratch(ws);
  if (!current_damping_.empty()) load_positions(state, work);
  load_velocities(state, work);
  work.shifted.set_zero();
  add_damping_force(work, work.shifted);
  double power = 0.0;
  for (int k = 0; k < num_vertices(); ++k)
    power -= 0.5 * work.v.vector(k).dot(work.shifted.vector(k));
  return power;
}

dynamics::Admissibility ElasticSystem::admissibility(const dynamics::State& state,
                                                     dynamics::Workspace& ws) const {
  Scratch& work = scratch(ws);
  load_positions(state, work);
  dynamics::Admissibility result;
  for (const auto& term : elastic_)
    result.inverted_elements += term->count_inverted(work.x, executor_, work.partial);
  return result;
}

bool ElasticSystem::node_rotations(const dynamics::State& state, dynamics::Workspace& ws,
                                   std::vector<Mat3>& rotations) const {
  Scratch& work = scratch(ws);
  load_positions(state, work);
  work.gradients.assign(static_cast<std::size_t>(num_vertices()), Mat3::Zero());
  for (const auto& term : elastic_) term->add_gradients(work.x, executor_, work.gradients);
  rotations.resize(static_cast<std::size_t>(num_free_));
  for (int k = 0; k < num_vertices(); ++k) {
    if (block_of_vertex_[k] < 0) continue;
    const Mat3& sum = work.gradients[static_cast<std::size_t>(k)];
    // a vertex without elements does not turn
    rotations[static_cast<std::size_t>(block_of_vertex_[k])] =
        sum.isZero(0.0) ? Mat3(Mat3::Identity()) : sum;
  }
  replace_by_nearest_rotations(rotations);
  return true;
}

// ---- ledger -------------------------------------------------------------------------------------

std::vector<dynamics::LedgerEntry> ElasticSystem::ledger_entries() const {
  using enum dynamics::LedgerKind;
  return {{"elastic", stored},
          {"gravity", stored_up_to_constant},
          {"damping", loss_rate},
          {"external", supply_rate}};
}

void ElasticSystem::evaluate_ledger(const dynamics::State& state, dynamics::Workspace& ws,
                                    std::span<double> values) const {
  values[0] = elastic_energy(state, scratch(ws));
  values[1] = -weight_.dot(state.q);
  values[2] = 2.0 * dissipation(state, ws);
  Scratch& work = scratch(ws);
  values[3] = load_work(state, state.v, work);
  evaluate_motion(state.t, work);
  if (has_motion_) values[3] += constraint_work(state, state.v, work.prescribed_v, 1.0, work);
}

double ElasticSystem::external_work(const dynamics::State& at, const dynamics::State& from,
                                    const dynamics::State& to, dynamics::Workspace& ws) const {
  Scratch& work = scratch(ws);
  const Vec way = to.q - from.q;
  const double by_loads = load_work(at, way, work);
  if (!has_motion_) return by_loads;
  evaluate_motion(to.t, work);
  std::vector<Vec3> prescribed_way = work.prescribed_x;
  evaluate_motion(from.t, work);
  for (std::size_t p = 0; p < prescribed_.size(); ++p) prescribed_way[p] -= work.prescribed_x[p];
  return by_loads + constraint_work(at, way, prescribed_way, to.t - from.t, work);
}

double ElasticSystem::load_work(const dynamics::State& state, const Vec& way, Scratch& work) const {
  if (vertex_loads_->empty() && surface_loads_->empty()) return 0.0;
  evaluate_vertex_loads(state.t, work);
  work.shifted = work.load;
  if (!surface_loads_->empty()) {
    load_positions(state, work);
    load_velocities(state, work);
    surface_loads_->add_force(work.x, work.v, state.t, work.shifted);
  }
  return dot_free(way, work.shifted);
}

double ElasticSystem::constraint_work(const dynamics::State& state, const Vec& way,
                                      const std::vector<Vec3>& prescribed_way, double span,
                                      Scratch& work) const {
  const auto reaction_times = [&](const std::vector<Vec3>& x) {
    double sum = 0.0;
    for (std::size_t p = 0; p < prescribed_.size(); ++p)
      sum -= work.f.vector(prescribed_[p].vertex).dot(x[p]);
    return sum;
  };
  load_positions(state, work);
  work.f.set_zero();
  for (const auto& term : elastic_) term->add_force(work.x, executor_, work.f);
  double sum = reaction_times(prescribed_way);
  load_velocities(state, work);
  if (has_damping()) {
    work.f.set_zero();
    add_damping_force(work, work.f);
    sum += span * reaction_times(work.prescribed_v);
  }
  work.shifted.set_zero();
  add_inertial_load(work, work.shifted);
  return sum + dot_free(way, work.shifted);
}

std::optional<dynamics::Momentum> ElasticSystem::momentum(const dynamics::State& state) const {
  Vec Mv(num_dofs());
  mass_->apply(state.v, Mv);
  dynamics::Momentum result;
  for (Index b = 0; b < num_free_; ++b) {
    const Vec3 p = Mv.segment<3>(3 * b);
    result.linear += p;
    result.angular += Vec3(state.q.segment<3>(3 * b)).cross(p);
  }
  return result;
}

Mat ElasticSystem::rigid_modes(const dynamics::State& state) const {
  std::vector<RigidVertex> vertices;
  vertices.reserve(rest_.size());
  for (int k = 0; k < num_vertices(); ++k)
    vertices.push_back({internal_position(k, state), component_of_vertex_[k], block_of_vertex_[k]});
  return physics::rigid_modes(vertices, num_components_, num_dofs());
}

// ---- what the outside sees ----------------------------------------------------------------------

Index ElasticSystem::dof_of_vertex(int vertex) const {
  const int block = block_of_vertex_[internal_of_user_[vertex]];
  return block < 0 ? -1 : 3 * block;
}

dynamics::State ElasticSystem::rest_state() const {
  dynamics::State state;
  state.q.resize(num_dofs());
  state.v.setZero(num_dofs());
  rest_positions(state.q);
  return state;
}

bool ElasticSystem::rest_positions(VecOut q) const {
  for (int k = 0; k < num_vertices(); ++k)
    if (block_of_vertex_[k] >= 0) q.segment<3>(3 * block_of_vertex_[k]) = rest_[k];
  return true;
}

const ScriptedMotion* ElasticSystem::motion_of(int internal_vertex) const {
  return prescribed_[static_cast<std::size_t>(-1 - block_of_vertex_[internal_vertex])].motion;
}

Vec3 ElasticSystem::internal_position(int k, const dynamics::State& state) const {
  if (block_of_vertex_[k] >= 0) return state.q.segment<3>(3 * block_of_vertex_[k]);
  const ScriptedMotion* motion = motion_of(k);
  return motion ? motion->position(rest_[k], state.t) : rest_[k];
}

Vec3 ElasticSystem::vertex_position(int vertex, const dynamics::State& state) const {
  return internal_position(internal_of_user_[vertex], state);
}

Vec3 ElasticSystem::vertex_velocity(int vertex, const dynamics::State& state) const {
  const int k = internal_of_user_[vertex];
  if (block_of_vertex_[k] >= 0) return state.v.segment<3>(3 * block_of_vertex_[k]);
  const ScriptedMotion* motion = motion_of(k);
  return motion ? motion->velocity(rest_[k], state.t) : Vec3(Vec3::Zero());
}

namespace {

struct CellField {
  std::string_view name;
  CellQuantity quantity;
};

constexpr std::array cell_fields{CellField{"cauchy_stress", CellQuantity::cauchy_stress},
                                 CellField{"von_mises", CellQuantity::von_mises},
                                 CellField{"energy_density", CellQuantity::energy_density},
                                 CellField{"det_f", CellQuantity::det_f}};

const CellField* find_cell_field(std::string_view name) {
  for (const CellField& field : cell_fields)
    if (field.name == name) return &field;
  return nullptr;
}

}  // namespace

/// On free vertices all that moves them; on held ones what body, weight and loads do to the
/// support.
void ElasticSystem::net_force(const dynamics::State& state, Scratch& work) const {
  load_positions(state, work);
  evaluate_vertex_loads(state.t, work);
  work.f = work.load;
  for (const auto& term : elastic_) term->add_force(work.x, executor_, work.f);
  add_damping_and_surface_forces(state, work);
  add_inertial_load(work, work.f);
  for (int k = 0; k < num_vertices(); ++k)
    if (block_of_vertex_[k] >= 0) work.f.vector(k) += weight_.segment<3>(3 * block_of_vertex_[k]);
  for (const Prescribed& p : prescribed_) work.f.vector(p.vertex) += p.weight;
}

std::vector<dynamics::FieldInfo> ElasticSystem::fields() const {
  using enum dynamics::FieldSite;
  return {{"position", per_point, 3},      {"velocity", per_point, 3},
          {"displacement", per_point, 3},  {"force", per_point, 3},
          {"cauchy_stress", per_cell, 6},  {"von_mises", per_cell, 1},
          {"energy_density", per_cell, 1}, {"det_f", per_cell, 1},
          {"region", per_cell, 1},         {"body", per_cell, 1}};
}

void ElasticSystem::evaluate_field(std::string_view name, const dynamics::State& state,
                                   dynamics::Workspace& ws, VecOut values) const {
  Scratch& work = scratch(ws);
  const auto per_vertex = [&](const auto& value) {
    for (int user = 0; user < num_vertices(); ++user)
      values.segment<3>(3 * user) = value(internal_of_user_[user]);
  };
  const auto per_cell = [&](const std::vector<int>& value) {
    for (std::size_t cell = 0; cell < value.size(); ++cell)
      values[static_cast<Index>(cell)] = value[cell];
  };
  if (name == "position") {
    load_positions(state, work);
    per_vertex([&](int k) { return Vec3(work.x.vector(k)); });
  } else if (name == "velocity") {
    load_velocities(state, work);
    per_vertex([&](int k) { return Vec3(work.v.vector(k)); });
  } else if (name == "displacement") {
    load_positions(state, work);
    per_vertex([&](int k) { return Vec3(work.x.vector(k) - rest_[k]); });
  } else if (name == "force") {
    net_force(state, work);
    per_vertex([&](int k) { return Vec3(work.f.vector(k)); });
  } else if (const auto* cell = find_cell_field(name)) {
    load_positions(state, work);
    values.setZero();  // not every cell has every quantity
    for (const auto& term : elastic_) term->evaluate_cells(work.x, cell->quantity, values);
  } else if (name == "region") {
    per_cell(region_of_cell_);
  } else if (name == "body") {
    per_cell(body_of_cell_);
  } else {
    SINEW_ASSERT(false, "there is no such field");
  }
}

std::shared_ptr<const la::BlockPattern> ElasticSystem::pattern(const dynamics::State&,
                                                               dynamics::Workspace&) const {
  return pattern_;
}

}  // namespace sinew::physics
