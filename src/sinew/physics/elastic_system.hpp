// SPDX-License-Identifier: Apache-2.0
// Bodies of tetrahedra or springs as a dynamical system: elasticity, gravity and other loads,
// Rayleigh damping, vertices held fast or moved by a script.
//
// Numbering. The user's vertices and cells keep their numbers at the interface (geometry, fields,
// specification). Inside, vertices are put in reverse Cuthill-McKee order, and the free ones, in
// that order, are the block rows of q: vertex with block b owns dofs 3b .. 3b+2.
//
// Energy balance. Held and moved vertices are outside the ledger: their weight and kinetic energy
// are not counted, and what their motion feeds in is the power of the reaction. Gravity is stored
// energy; every other load enters as the power it supplies.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/la/diagonal_operator.hpp>
#include <sinew/physics/body.hpp>
#include <sinew/physics/loads/surface_loads.hpp>
#include <sinew/physics/loads/vertex_loads.hpp>
#include <sinew/physics/scripted_motion.hpp>
#include <sinew/physics/tet_mass.hpp>

namespace sinew::physics {

/// Vertices that follow a script.
struct MovedVertices {
  std::vector<int> vertices;  ///< numbered through all bodies
  std::shared_ptr<const ScriptedMotion> motion;
};

struct ElasticSystemSpec {
  std::vector<Body> bodies;     ///< vertex numbers run through all bodies in this order
  Vec3 gravity = Vec3::Zero();  ///< [m/s^2]
  std::vector<int> fixed;       ///< vertices held at their rest position
  std::vector<MovedVertices> moved;
  std::vector<VertexLoad> forces;
  std::vector<PressureLoad> pressures;
  std::vector<WindLoad> winds;
};

class ElasticSystem final : public dynamics::DynamicalSystem {
 public:
  /// The executor must outlive the system.
  explicit ElasticSystem(const ElasticSystemSpec& spec,
                         const core::Executor& executor = core::serial_executor());
  ~ElasticSystem() override;

  Index num_dofs() const override { return 3 * num_free_; }
  const la::LinearOperator& mass() const override { return *mass_; }
  const la::LinearOperator& mass_inverse() const override { return *mass_inverse_; }
  double potential(const dynamics::State&, dynamics::Workspace&) const override;
  void force(const dynamics::State&, dynamics::Workspace&, VecOut f) const override;

  std::unique_ptr<dynamics::Workspace> make_workspace() const override;
  bool can_project() const override { return true; }
  dynamics::ForceForm force_form() const override;
  dynamics::DampingKind damping_kind() const override;
  double dissipation(const dynamics::State&, dynamics::Workspace&) const override;
  bool is_time_dependent() const override;
  void force_rate(const dynamics::State&, double dt, dynamics::Workspace&,
                  VecOut rate) const override;
  dynamics::Admissibility admissibility(const dynamics::State&,
                                        dynamics::Workspace&) const override;
  bool rest_positions(VecOut q) const override;
  /// Nearest rotations of the mean deformation gradient around each free vertex.
  bool node_rotations(const dynamics::State&, dynamics::Workspace&,
                      std::vector<Mat3>& rotations) const override;
  Mat rigid_modes(const dynamics::State&) const override;
  std::vector<dynamics::LedgerEntry> ledger_entries() const override;
  void evaluate_ledger(const dynamics::State&, dynamics::Workspace&,
                       std::span<double> values) const override;
  double external_work(const dynamics::State& at, const dynamics::State& from,
                       const dynamics::State& to, dynamics::Workspace&) const override;
  double energy_scale() const override { return energy_scale_; }
  std::optional<dynamics::Momentum> momentum(const dynamics::State&) const override;
  const dynamics::Geometry& geometry() const override { return geometry_; }
  std::vector<dynamics::FieldInfo> fields() const override;
  void evaluate_field(std::string_view name, const dynamics::State&, dynamics::Workspace&,
                      VecOut values) const override;

  int num_vertices() const { return static_cast<int>(rest_.size()); }
  int num_tets() const { return num_tets_; }
  int num_springs() const { return num_springs_; }
  /// First dof of a vertex in the user's numbering, or -1 if it is held or moved.
  Index dof_of_vertex(int vertex) const;
  /// At rest in the rest shape.
  dynamics::State rest_state() const;
  /// Position and velocity of a vertex in the user's numbering, prescribed ones included.
  Vec3 vertex_position(int vertex, const dynamics::State&) const;
  Vec3 vertex_velocity(int vertex, const dynamics::State&) const;

 protected:
  std::shared_ptr<const la::BlockPattern> pattern(const dynamics::State&,
                                                  dynamics::Workspace&) const override;
  void assemble(const dynamics::State&, const dynamics::LinearizeOptions&, dynamics::Workspace&,
                la::SymmetricMatrix& K, la::SymmetricMatrix* D, Vec* f,
                dynamics::LinearizeReport&) const override;
  const core::Executor& executor() const override { return executor_; }

 private:
  struct Scratch;
  struct Prescribed {
    int vertex;                    ///< in the internal order
    const ScriptedMotion* motion;  ///< nullptr: held
    Vec3 weight = Vec3::Zero();    ///< [N]
  };

  void number_vertices(const ElasticSystemSpec& spec);
  void prescribe(const ElasticSystemSpec& spec);
  void build_terms(const ElasticSystemSpec& spec);
  void build_mass(const Vec3& gravity);
  void build_geometry(const ElasticSystemSpec& spec);
  void build_loads(const ElasticSystemSpec& spec);

  Scratch& scratch(dynamics::Workspace& workspace) const;
  void load_positions(const dynamics::State&, Scratch&) const;
  void load_velocities(const dynamics::State&, Scratch&) const;
  void evaluate_motion(double t, Scratch&) const;
  void evaluate_vertex_loads(double t, Scratch&) const;
  /// f -= D v without the loads' part; positions and velocities are those of the scratch.
  void add_damping_force(Scratch&, PaddedField& f) const;
  /// Damping and surface loads at a state whose positions are loaded already.
  void add_damping_and_surface_forces(const dynamics::State&, Scratch&) const;
  bool has_damping() const;
  /// f -= M_fp a_p: inertia of the moved vertices as felt by the free ones. Uses the scratch's v.
  void add_inertial_load(Scratch&, PaddedField& f) const;
  void gather_force(Scratch&, VecOut f) const;
  /// Into the scratch's f, held vertices included.
  void net_force(const dynamics::State&, Scratch&) const;
  double elastic_energy(const dynamics::State&, Scratch&) const;
  /// Sum over the free vertices of x . f.
  double dot_free(const Vec& x, const PaddedField& f) const;
  /// What loads do on this way of the free vertices, or with this velocity.
  double load_work(const dynamics::State&, const Vec& way, Scratch&) const;
  /// What moved vertices do, which go another way themselves; damping goes with their velocity, for
  /// this time.
  double constraint_work(const dynamics::State&, const Vec& way,
                         const std::vector<Vec3>& prescribed_way, double span, Scratch&) const;
  void add_load_rate(const dynamics::State&, double dt, Scratch&, VecOut rate) const;
  void add_linear_rate(const dynamics::State&, double dt, Scratch&, VecOut rate) const;
  void add_elastic_rate(const dynamics::State&, double dt, Scratch&, VecOut rate) const;
  /// target += factor * f on the free vertices.
  void add_free(double factor, const PaddedField& f, VecOut target) const;
  /// Of a prescribed vertex; nullptr: held.
  const ScriptedMotion* motion_of(int internal_vertex) const;
  Vec3 internal_position(int internal_vertex, const dynamics::State&) const;

  const core::Executor& executor_;
  std::vector<Vec3> rest_;  // internal order
  std::vector<int> internal_of_user_;
  std::vector<int> block_of_vertex_;      // internal order; -1 - p: prescribed vertex p
  std::vector<int> component_of_vertex_;  // internal order; connected pieces
  std::vector<int> parts_;
  Index num_free_ = 0;
  int num_tets_ = 0;
  int num_springs_ = 0;
  double energy_scale_ = 0.0;
  int num_components_ = 0;
  std::vector<Prescribed> prescribed_;
  std::vector<std::shared_ptr<const ScriptedMotion>> motions_;  // keeps the scripts alive
  bool has_motion_ = false;

  std::shared_ptr<const la::BlockPattern> pattern_;
  std::vector<std::unique_ptr<ElementTerm>> elastic_;
  std::vector<std::unique_ptr<ElementTerm>> rest_damping_;
  std::vector<std::unique_ptr<ElementTerm>> current_damping_;
  std::unique_ptr<TetMass> tet_mass_;
  std::unique_ptr<TetMass> mass_damping_;  // nullptr: none
  std::unique_ptr<la::LinearOperator> mass_, mass_inverse_;
  Vec weight_;  // gravity force on the free dofs [N]
  std::unique_ptr<VertexLoads> vertex_loads_;
  std::unique_ptr<SurfaceLoads> surface_loads_;
  dynamics::Geometry geometry_;
  std::vector<int> region_of_cell_, body_of_cell_;
};

}  // namespace sinew::physics
