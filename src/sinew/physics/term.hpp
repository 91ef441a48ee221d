// SPDX-License-Identifier: Apache-2.0
// One additive part of what moves a system: elasticity of one material, springs of one law,
// gravity, a load, damping, a barrier, a pair potential. A term is immutable and knows its own
// elements; it receives positions, velocities, time, its internal variables and scratch. All
// functions but traits() and add_force() are optional (docs/extending/term.md).
//
// Vertices are in the internal order (numbering.hpp). Terms see all of them, prescribed ones too:
// what they do to those is the force on the support.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/core/executor.hpp>
#include <sinew/dynamics/capabilities/energy_accounts.hpp>
#include <sinew/dynamics/capabilities/health.hpp>
#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/dynamics/explicit_stability.hpp>
#include <sinew/dynamics/linearization.hpp>
#include <sinew/physics/block_sink.hpp>
#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

enum class TermForce {
  potential,       ///< f = -grad W(x, t), and energy() is W
  linear_damping,  ///< f = -D v with a constant, symmetric, positive semi-definite D
  /// f = -dR/dv, and dissipation() is R(v), which positions and history fix at the beginning of a
  /// step; without one, those of the configuration do
  dissipative,
  general,
};

struct TermTraits {
  TermForce force = TermForce::general;
  /// Its row of the energy balance. Terms that name the same row add up. Rows `stored`, `loss_rate`
  /// and `loss_total` count prescribed vertices too, the others free ones only: weight of a held
  /// vertex is no energy of the system. What a term of a row `stored_up_to_constant` gives out as
  /// energy() is its own affair there.
  dynamics::LedgerEntry row{"external", dynamics::LedgerKind::supply_rate};
  /// Another row, of the kind loss_total, that lost() goes to; empty: none.
  std::string loss_row{};
  bool uses_velocity = false;    ///< of the vertices; a potential does not
  bool depends_on_time = false;  ///< at fixed positions and velocities
  bool couples = true;           ///< the force on a vertex depends on where others are
  bool can_project = true;       ///< add_tangent() obeys a wish for definiteness
  /// add_tangent() adds the force as well when asked, for less than add_force() costs.
  bool has_force_with_tangent = false;
  bool has_moving_pairs = false;  ///< moving_pairs() says which vertices are coupled now
  bool is_contact = false;        ///< pushes what is close: Definiteness::contact_clamp means it
  bool is_unsymmetric = false;    ///< add_unsymmetric() adds something
  bool has_step_hooks = false;    ///< begin_step() or end_step() do something
  bool holds_vertices = false;    ///< begin_step() may hold vertices; needs a lumped mass
  bool changes_between_steps = false;  ///< by the hand of a program
  bool limits_steps = false;           ///< max_step() may be less than 1

  // Claims that the property tests measure.
  bool has_exact_stiffness = true;  ///< K is the symmetric part of -df/dx, D that of -df/dv
  bool keeps_linear_momentum = false;
  bool keeps_angular_momentum = false;
};

/// Where everything is.
struct Configuration {
  const PaddedField& x;                ///< [m]
  const PaddedField& v;                ///< [m/s]; holds nothing useful for terms that do not use it
  double t = 0.0;                      ///< [s]
  std::span<const double> internal{};  ///< the term's own internal variables
};

/// What a term keeps between calls within a step. At step boundaries it carries no information.
struct TermScratch {
  virtual ~TermScratch() = default;
};

/// What a term works with; each workspace has one per term.
struct TermWork {
  const core::Executor& executor;
  std::vector<double> partial{};  ///< keeps its size between calls
  std::shared_ptr<TermScratch> own{};
};

/// Where a tangent goes.
struct TangentOut {
  BlockSink* K = nullptr;    ///< -df/dx; nullptr: not wanted
  BlockSink* D = nullptr;    ///< -df/dv; nullptr: not wanted
  PaddedField* f = nullptr;  ///< the force, for terms that have it with the tangent
  dynamics::Damping damping = dynamics::Damping::tangent;  ///< of dissipative terms
};

/// Vertices that stay where they are for one step and end it at rest: nobody sees them anywhere
/// else, whatever the method does with their velocity. A hold lasts until the step is finished or
/// another one begins.
class HeldVertices {
 public:
  /// `force`: that all terms together put on the vertices now.
  HeldVertices(std::vector<char>& mask, const PaddedField& force, bool may_hold)
      : mask_(mask), force_(force), may_hold_(may_hold) {}

  Vec3 force(int vertex) const { return force_.vector(vertex); }
  void hold(int vertex) {
    SINEW_ASSERT(may_hold_, "a term that holds vertices must say so: TermTraits::holds_vertices");
    SINEW_ASSERT(vertex >= 0 && static_cast<std::size_t>(vertex) < mask_.size(),
                 "a term holds a vertex that there is not");
    mask_[static_cast<std::size_t>(vertex)] = 1;
  }

 private:
  std::vector<char>& mask_;
  const PaddedField& force_;
  bool may_hold_;
};

/// The end of an accepted step, open to corrections.
struct StepEnd {
  PaddedField& x;
  PaddedField& v;
  double t = 0.0;
  std::span<double> internal{};
};

using VertexPair = std::array<int, 2>;

class Term {
 public:
  virtual ~Term() = default;

  virtual TermTraits traits() const = 0;

  // ---- energy, force, tangent ---------------------------------------------------------------

  /// W [J]; of a row `loss_total`, what was lost since the start.
  virtual double energy(const Configuration&, TermWork&) const { return 0.0; }
  /// What internal variables say was lost since the start, beside a row of another kind [J].
  virtual double lost(const Configuration&, TermWork&) const { return 0.0; }
  /// R(v) of a dissipative term [W].
  virtual double dissipation(const Configuration&, TermWork&) const { return 0.0; }
  /// f += force on every vertex [N].
  virtual void add_force(const Configuration&, TermWork&, PaddedField& f) const = 0;
  /// Adds blocks to K and D. Returns the number of elements whose tangent the wish for definiteness
  /// changed.
  virtual Index add_tangent(const Configuration&, dynamics::Definiteness, TermWork&,
                            const TangentOut&) const {
    return 0;
  }

  /// y += (-df/dx - K) way, K what add_tangent() adds: forces that are not derived from an energy.
  virtual void add_unsymmetric(const Configuration&, const PaddedField& /*way*/, TermWork&,
                               PaddedField& /*y*/) const {}

  // ---- which blocks the tangent has ---------------------------------------------------------

  /// Pairs (a <= b) of vertices that stay coupled for good; their slots come back in this order in
  /// BlockSink::slots(). Diagonal blocks may be added to without being listed.
  virtual std::vector<VertexPair> pairs() const { return {}; }
  /// Pairs that are coupled in this configuration.
  virtual void moving_pairs(const Configuration&, TermWork&, std::vector<VertexPair>&) const {}

  // ---- steps --------------------------------------------------------------------------------

  virtual std::unique_ptr<TermScratch> make_scratch() const { return nullptr; }
  /// A term before it in the sum whose scratch it uses too, instead of one of its own.
  virtual const Term* shares_scratch_of() const { return nullptr; }
  virtual Index num_internal() const { return 0; }
  virtual void initial_internal(std::span<double>) const {}
  /// Fix what stays frozen during a step, and hold vertices for its length.
  virtual void begin_step(const Configuration&, double /*dt*/, TermWork&, HeldVertices&) const {}
  /// Update internal variables, correct positions and velocities. What it corrects must be as
  /// admissible as before: max_step() is asked again.
  virtual void end_step(const Configuration& /*before*/, StepEnd& /*after*/, TermWork&) const {}
  /// Largest part of the straight way that is admissible, in [0, 1].
  virtual double max_step(const Configuration& /*from*/, const Configuration& /*to*/,
                          TermWork&) const {
    return 1.0;
  }

  // ---- what it can say about itself ---------------------------------------------------------

  /// Stored energy at strains of order one [J].
  virtual double energy_scale() const { return 0.0; }
  virtual dynamics::Admissibility admissibility(const Configuration&, TermWork&) const {
    return {};
  }
  /// sums[vertex] += weight * F, F the local deformation gradient; the rotation nearest to a sum is
  /// that of the material there.
  virtual void add_gradients(const Configuration&, TermWork&, std::span<Mat3> /*sums*/) const {}
  virtual std::vector<dynamics::FieldInfo> fields() const { return {}; }
  /// Writes to the places of its own elements, numbered as the geometry's cells are.
  virtual void evaluate_field(std::string_view, const Configuration&, TermWork&, VecOut) const {}
  /// Of tets: Cauchy stress at their corners in the user's order, 24 entries per cell.
  virtual void evaluate_corner_stress(const Configuration&, TermWork&, VecOut) const {}

  // ---- subsets ------------------------------------------------------------------------------

  /// Elements that can be taken apart; 0: none.
  virtual int num_elements() const { return 0; }
  /// Of every such element, in the internal order.
  virtual dynamics::ElementNodes element_vertices() const { return {}; }
  /// The same term with these elements only, ascending.
  virtual std::unique_ptr<Term> restricted_to(std::span<const int> /*elements*/) const {
    return nullptr;
  }
};

}  // namespace sinew::physics
