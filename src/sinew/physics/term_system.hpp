// SPDX-License-Identifier: Apache-2.0
// A sum of terms over vertices in space as a dynamical system. It owns numbering, mass, prescribed
// vertices and the pattern of its matrices, and knows no term by name.
//
// Energy balance. Prescribed vertices are outside the ledger: what their motion supplies is the
// power of the reaction, counted in the row of `constraint_row`.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sinew/dynamics/capabilities/energy_accounts.hpp>
#include <sinew/dynamics/capabilities/health.hpp>
#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/dynamics/explicit_stability.hpp>
#include <sinew/la/diagonal_operator.hpp>
#include <sinew/physics/term_accounts.hpp>
#include <sinew/physics/term_frame.hpp>
#include <sinew/physics/term_observables.hpp>
#include <sinew/physics/term_split.hpp>
#include <sinew/physics/term_sum.hpp>

namespace sinew::physics {

/// Where a term is made.
struct TermSite {
  const Numbering& numbering;  ///< lives as long as the term
  const Vec& masses;  ///< that weigh on each vertex, internal order [kg]; gone after the call
};

/// Makes terms for a numbering; called once per system, so that a specification can be copied.
using TermFactory = std::function<std::vector<std::unique_ptr<Term>>(const TermSite&)>;

struct TermSystemSpec {
  std::vector<Vec3> rest;            ///< positions of all vertices at rest [m]
  std::vector<int> edges;            ///< pairs of vertices that elements connect, flat
  std::vector<int> joined;           ///< pairs of vertices that are one and the same, flat
  std::vector<int> fixed;            ///< vertices held at their rest position
  std::vector<MovedVertices> moved;  ///< vertices that follow a script
  std::function<TetMass(const Numbering&)> mass;
  std::vector<TermFactory> terms;
  /// Rows of the ledger that are there in any case, in this order; terms may add others.
  std::vector<dynamics::LedgerEntry> rows;
  std::string constraint_row = "external";  ///< a supply rate
  dynamics::Geometry geometry;              ///< points are the vertices
  std::vector<CellLabel> cell_labels;
};

class TermSystem final : public dynamics::DynamicalSystem {
 public:
  /// The executor must outlive the system.
  explicit TermSystem(const TermSystemSpec& spec,
                      const core::Executor& executor = core::serial_executor());
  /// Of terms that are there already; it has no geometry.
  TermSystem(std::shared_ptr<const Numbering> numbering, PrescribedVertices prescribed,
             TetMass mass, std::vector<std::shared_ptr<const Term>> terms,
             const core::Executor& executor);
  ~TermSystem() override;

  Index num_dofs() const override { return sum_.numbering().num_dofs(); }
  const la::LinearOperator& mass() const override { return *mass_; }
  const la::LinearOperator& mass_inverse() const override { return *mass_inverse_; }
  double potential(const dynamics::State&, dynamics::Workspace&) const override;
  void force(const dynamics::State&, dynamics::Workspace&, VecOut f) const override;
  void add_unsymmetric(const dynamics::State&, const VecIn& x, dynamics::Workspace&,
                       VecOut y) const override;
  dynamics::ForceTraits traits() const override { return traits_; }
  double dissipation(const dynamics::State&, dynamics::Workspace&) const override;
  void force_rate(const dynamics::State&, double dt, dynamics::Workspace&,
                  VecOut rate) const override;
  std::unique_ptr<dynamics::Workspace> make_workspace() const override;
  void begin_step(const dynamics::State&, double dt, dynamics::Workspace&) const override;
  void end_step(const dynamics::State& before, dynamics::State& after,
                dynamics::Workspace&) const override;
  double max_step(const dynamics::State& from, const dynamics::State& to,
                  dynamics::Workspace&) const override;
  dynamics::Capabilities capabilities() const override;

  /// Whether the internal variables of another system mean the same here, term by term.
  bool has_internal_of(const TermSystem& other) const;

  const TermAccounts& accounts() const { return accounts_; }
  const TermObservables& observables() const { return observables_; }
  const TermFrame& frame() const { return frame_; }
  const dynamics::Health& health() const { return health_; }
  const TermSum& sum() const { return sum_; }

  /// In the user's numbering.
  int num_vertices() const { return sum_.numbering().num_user_vertices(); }
  int num_cells() const { return static_cast<int>(observables_.geometry().types.size()); }
  /// First dof of a vertex in the user's numbering, or -1 if it is held or moved.
  Index dof_of_vertex(int vertex) const;
  /// The free nodes of every cell that has any; node k owns dofs 3k .. 3k+2.
  dynamics::ElementNodes element_nodes() const;
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
  const core::Executor& executor() const override { return sum_.executor(); }

 private:
  /// Looks at every term.
  class TermHealth final : public dynamics::Health {
   public:
    explicit TermHealth(const TermSum& sum) : sum_(sum) {}
    dynamics::Admissibility admissibility(const dynamics::State&,
                                          dynamics::Workspace&) const override;

   private:
    const TermSum& sum_;
  };

  void gather_force(TermWorkspace&, VecOut f) const;
  void add_rate_of_time(const dynamics::State&, double dt, TermWorkspace&, VecOut rate) const;
  void add_rate_of_motion(const dynamics::State&, double dt, TermWorkspace&, VecOut rate) const;
  void add_rate_of_coupling(const dynamics::State&, double dt, TermWorkspace&, VecOut rate) const;

  TermSum sum_;
  std::unique_ptr<la::LinearOperator> mass_, mass_inverse_;
  dynamics::ForceTraits traits_;
  TermAccounts accounts_;
  TermObservables observables_;
  TermFrame frame_;
  TermHealth health_;
  TermSplit split_;
};

}  // namespace sinew::physics
