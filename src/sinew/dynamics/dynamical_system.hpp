// SPDX-License-Identifier: Apache-2.0
// The narrow waist: what physics offers and integrators need, nothing else.
//
//     M q'' = f(q, v, t),     K = -df/dq,  D = -df/dv  (symmetric),   W the potential of f
//
// A system is immutable: many integrators on many threads may step it, each with its own workspace.
// The part above "optional" must be written for every system; everything below has a default that
// is right for a system without that capability.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/dynamics/linearization.hpp>
#include <sinew/dynamics/state.hpp>

namespace sinew::dynamics {

/// Scratch and caches. At step boundaries it carries no information: throwing it away and making a
/// new one must not change a single bit of any result.
struct Workspace {
  virtual ~Workspace() = default;
};

/// What may be said about f beyond its values.
enum class ForceForm {
  general,
  /// f = -grad W(q, t) - D v with constant D: an incremental potential exists.
  potential_and_linear_damping,
};

enum class DampingKind { none, constant, state_dependent };

/// A quantity the system can evaluate for output, e.g. {"von_mises", per_cell, 1}.
enum class FieldSite { per_point, per_cell };
struct FieldInfo {
  std::string name;
  FieldSite site = FieldSite::per_point;
  int components = 1;
};

/// Points and cells for writers, numbered as the user's mesh is. Types are VTK cell types.
struct Geometry {
  Index num_points = 0;
  std::vector<int> connectivity, offsets;  ///< offsets[c]: end of cell c in connectivity
  std::vector<std::uint8_t> types;
};

/// One named entry of the energy ledger.
enum class LedgerKind {
  stored,                 ///< energy now [J]
  stored_up_to_constant,  ///< likewise, but its zero means nothing: weight [J]
  loss_rate,              ///< power leaving the system now [W]
  supply_rate,            ///< power entering from outside now [W]
  loss_total,             ///< energy lost since the start, kept by the system itself [J]
};
struct LedgerEntry {
  std::string name;
  LedgerKind kind = LedgerKind::stored;
};

struct Momentum {
  Vec3 linear = Vec3::Zero();   ///< [kg m/s]
  Vec3 angular = Vec3::Zero();  ///< about the origin [kg m^2/s]
};

/// How healthy a configuration is; a cheap query beside the force.
struct Admissibility {
  Index inverted_elements = 0;
  Index contacts = 0;
  double min_distance = std::numeric_limits<double>::infinity();  ///< [m]
};

/// Dofs that are stable explicitly at a given step and those that are not.
struct Partition {
  std::vector<Index> explicit_dofs, implicit_dofs;
};

class DynamicalSystem {
 public:
  DynamicalSystem();
  virtual ~DynamicalSystem() = default;
  DynamicalSystem(const DynamicalSystem&) = delete;
  DynamicalSystem& operator=(const DynamicalSystem&) = delete;

  /// Differs between any two systems of a process; integrators key their caches on it.
  std::uint64_t id() const { return id_; }

  virtual Index num_dofs() const = 0;
  virtual const la::LinearOperator& mass() const = 0;            ///< symmetric positive definite
  virtual const la::LinearOperator& mass_inverse() const = 0;    ///< prepared once
  virtual double potential(const State&, Workspace&) const = 0;  ///< W(q, t) [J]
  virtual void force(const State&, Workspace&, VecOut f) const = 0;  ///< f(q, v, t) [N]

  /// K and D at a state, into an object made by make_linearization() of this system. When `force`
  /// is given, f at the same state is written there too, which is cheaper than asking twice.
  virtual void linearize(const State&, const LinearizeOptions&, Workspace&, Linearization&,
                         Vec* force = nullptr) const;
  virtual std::unique_ptr<Linearization> make_linearization() const;

  // ---- optional ---------------------------------------------------------------------------

  virtual std::unique_ptr<Workspace> make_workspace() const;

  /// Fix what stays frozen during one step: lagged friction, contact candidates.
  virtual void begin_step(const State&, double /*dt*/, Workspace&) const {}
  /// Bring the internal variables of an accepted step up to date, e.g. plastic flow.
  virtual void end_step(const State& /*before*/, State& /*after*/, Workspace&) const {}

  /// Whether linearize() obeys a wish for definite tangents.
  virtual bool can_project() const { return false; }
  virtual ForceForm force_form() const { return ForceForm::general; }
  virtual DampingKind damping_kind() const { return DampingKind::none; }
  /// 1/2 v^T D v [W], for systems with an incremental potential.
  virtual double dissipation(const State&, Workspace&) const { return 0.0; }

  /// Whether f changes with t at fixed q and v (loads, scripted motion).
  virtual bool is_time_dependent() const { return false; }
  /// Mean of df/dt over [t, t + dt] at fixed q and v. Default: a difference of forces.
  virtual void force_rate(const State&, double dt, Workspace&, VecOut rate) const;

  /// Largest a in (0, 1] such that every state on the straight way up to from + a (to - from) is
  /// admissible; prescribed parts move with the times of the two states.
  virtual double max_step(const State& /*from*/, const State& /*to*/, Workspace&) const {
    return 1.0;
  }
  virtual Admissibility admissibility(const State&, Workspace&) const { return {}; }

  /// Positions without elastic forces. False: the system knows none.
  virtual bool rest_positions(VecOut /*q*/) const { return false; }
  /// Rotations of the material at the nodes; node k owns dofs 3k .. 3k+2. False: all identity.
  virtual bool node_rotations(const State&, Workspace&, std::vector<Mat3>&) const { return false; }
  /// Velocities of the motions that cost no energy, one per column; none when held fast.
  virtual Mat rigid_modes(const State&) const { return Mat(num_dofs(), 0); }
  /// Splits the dofs by whether an explicit step dt is stable for them. False: no such knowledge.
  virtual bool partition(const State&, double /*dt*/, Workspace&, Partition&) const {
    return false;
  }

  /// Names of the energy terms, and their values in the same order.
  virtual std::vector<LedgerEntry> ledger_entries() const;
  virtual void evaluate_ledger(const State&, Workspace&, std::span<double> values) const;
  /// What the forces behind the supply rates, as they are at `at`, do on the way between two states
  /// [J]. Over long steps it says more than powers at single instants.
  virtual double external_work(const State& /*at*/, const State& /*from*/, const State& /*to*/,
                               Workspace&) const {
    return 0.0;
  }
  /// Stored energy at strains of order one, relative to which smaller ones are rounded [J].
  virtual double energy_scale() const { return 0.0; }
  /// Momentum of the free part, for systems in space.
  virtual std::optional<Momentum> momentum(const State&) const { return std::nullopt; }

  /// What writers may show. "position" and "velocity" are per point with 3 components.
  virtual const Geometry& geometry() const;
  virtual std::vector<FieldInfo> fields() const { return {}; }
  virtual void evaluate_field(std::string_view /*name*/, const State&, Workspace&,
                              VecOut /*values*/) const {}

 protected:
  /// For the default linearize(): where K and D may be non-zero at this state, with the blocks of a
  /// mass that is not diagonal among them. Return the same object for as long as it does not
  /// change.
  virtual std::shared_ptr<const la::BlockPattern> pattern(const State&, Workspace&) const;
  /// For the default linearize(): writes K, D (nullptr when not wanted) and f (likewise). The
  /// matrices hold zeros on entry.
  virtual void assemble(const State&, const LinearizeOptions&, Workspace&, la::SymmetricMatrix& K,
                        la::SymmetricMatrix* D, Vec* f, LinearizeReport&) const;
  /// The threads that assembled matrices multiply with.
  virtual const core::Executor& executor() const { return core::serial_executor(); }

 private:
  void assemble_secant(const State&, const LinearizeOptions&, Workspace&, AssembledLinearization&,
                       la::SymmetricMatrix* D, Vec* f) const;

  std::uint64_t id_;
};

}  // namespace sinew::dynamics
