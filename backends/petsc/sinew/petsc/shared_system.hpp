// SPDX-License-Identifier: Apache-2.0
// A system of which every process has a part: the vertices it owns, all elements around these, and
// the ghosts at which those end. Vectors hold what is owned, so that methods, solvers and ledger
// are the same sources as in one process.
//
// Two systems of terms make it up. `part` has all elements that are here; forces and tangents of
// what is owned are complete in it. Elements at the edge are on several processes and one of them
// answers for each; `surplus` has those for which another does. What adds up over elements, such as
// energies and powers, is what `part` says less what `surplus` says, over all processes.
#pragma once

#include <memory>
#include <vector>

#include <sinew/dynamics/capabilities/energy_accounts.hpp>
#include <sinew/dynamics/capabilities/health.hpp>
#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/la/diagonal_operator.hpp>
#include <sinew/petsc/halo.hpp>
#include <sinew/petsc/joined_pieces.hpp>
#include <sinew/petsc/shared_matrix.hpp>
#include <sinew/physics/term_system.hpp>

namespace sinew::petsc {

/// What a part is of the whole.
struct PartNumbers {
  std::vector<std::int64_t> vertices;  ///< number of each vertex of the part, through all bodies
  std::vector<int> owners;             ///< rank of each
  std::vector<char> counts;            ///< per cell of the part: this process answers for it
};

struct Surplus {
  std::unique_ptr<physics::TermSystem> system;
  std::vector<int> vertices;  ///< number in the part of each of its vertices
};

class SharedSystem final : public dynamics::DynamicalSystem {
 public:
  using State = dynamics::State;
  using Workspace = dynamics::Workspace;

  /// Throws InputError, on all processes, for terms that cannot be shared yet.
  SharedSystem(const Processes& processes, const la::Reducer& reducer,
               std::unique_ptr<physics::TermSystem> part, Surplus surplus, PartNumbers numbers);
  ~SharedSystem() override;

  Index num_dofs() const override { return 3 * nodes_->num_owned(); }
  const la::LinearOperator& mass() const override { return *mass_; }
  const la::LinearOperator& mass_inverse() const override { return *mass_inverse_; }
  double potential(const State&, Workspace&) const override;
  void force(const State&, Workspace&, VecOut f) const override;
  dynamics::ForceTraits traits() const override { return traits_; }
  double dissipation(const State&, Workspace&) const override;
  void add_unsymmetric(const State&, const VecIn& x, Workspace&, VecOut y) const override;
  void force_rate(const State&, double dt, Workspace&, VecOut rate) const override;
  void linearize(const State&, const dynamics::LinearizeOptions&, Workspace&,
                 dynamics::Linearization&, Vec* force) const override;
  std::unique_ptr<dynamics::Linearization> make_linearization() const override;
  std::unique_ptr<Workspace> make_workspace() const override;
  dynamics::Capabilities capabilities() const override;

  const physics::TermSystem& part() const { return *part_; }
  const PartNumbers& numbers() const { return numbers_; }
  /// Of free vertices, by blocks of the part.
  const Halo& nodes() const { return *nodes_; }
  /// Of all vertices, prescribed ones too, as the part counts them.
  const Halo& vertices() const { return *vertices_; }
  /// Numbers in the whole of the owned free vertices, in the order of the state.
  std::vector<std::int64_t> owned_numbers() const;
  /// What is owned of a state of the part.
  State owned_part(const State& of_part) const;
  /// A quantity at all points or in all cells of the part; at ghosts it may lack what is elsewhere.
  void evaluate_on_part(std::string_view field, const State&, Workspace&, VecOut values) const;

 private:
  struct Work;
  class Accounts;
  class Frame;
  class Condition;
  class Shown;

  Work& own(Workspace&) const;
  /// The state of the part, ghosts included.
  const State& load(const State&, bool with_velocities, Work&, State& target) const;
  /// What `part` says less what `surplus` says, both of a state of the part; of this process.
  template <class Say>
  double difference(const State& of_part, Work&, const Say& say) const;
  void load_surplus(const State& of_part, State& target) const;
  void require_shareable() const;

  const la::Reducer& reducer_;
  std::unique_ptr<physics::TermSystem> part_;
  Surplus surplus_;
  PartNumbers numbers_;
  std::vector<int> vertex_of_block_;                     // of the part
  std::vector<std::pair<Index, Index>> surplus_blocks_;  // of surplus and part
  std::unique_ptr<Halo> nodes_, vertices_;
  std::unique_ptr<la::DiagonalOperator> mass_, mass_inverse_;
  dynamics::ForceTraits traits_;
  bool uses_velocity_ = false;
  JoinedPieces pieces_;
  std::unique_ptr<Accounts> accounts_;
  std::unique_ptr<Frame> frame_;
  std::unique_ptr<Condition> health_;
  std::unique_ptr<Shown> shown_;
};

}  // namespace sinew::petsc
