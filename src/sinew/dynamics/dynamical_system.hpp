// SPDX-License-Identifier: Apache-2.0
// The narrow waist: what physics offers and integrators need, nothing else.
//
//     M q'' = f(q, v, t),     K = -df/dq,  D = -df/dv  (symmetric),   W the potential of f
//
// A system is immutable: many integrators on many threads may step it, each with its own workspace.
// The functions are those of the mathematics (docs/adr/0020); whatever else a system knows about
// itself (energy rows, geometry, rest shape) is in objects that capabilities() names.
#pragma once

#include <cstdint>
#include <memory>

#include <sinew/core/executor.hpp>
#include <sinew/dynamics/linearization.hpp>
#include <sinew/dynamics/state.hpp>

namespace sinew::dynamics {

class EnergyAccounts;
class Health;
class MaterialFrame;
class Observables;
class Split;

/// Scratch and caches. At step boundaries it carries no information: throwing it away and making a
/// new one must not change a single bit of any result.
struct Workspace {
  virtual ~Workspace() = default;
};

enum class ForceForm {
  general,
  /// f = -grad W(q, t) - dR/dv, R(v) fixed for a step, such as 1/2 v^T D v with a constant D: an
  /// incremental potential exists.
  potential_and_dissipation,
};

enum class DampingKind { none, constant, state_dependent };

/// What may be said about f beyond its values.
struct ForceTraits {
  ForceForm form = ForceForm::general;
  DampingKind damping = DampingKind::none;
  bool depends_on_time = false;  ///< at fixed q and v: loads, scripted motion
  bool can_project = false;      ///< linearize() obeys a wish for definite tangents
  bool has_contacts = false;     ///< contact_clamp may differ from exact
  bool is_unsymmetric = false;   ///< add_unsymmetric() adds something
  /// Steps begin and end without a change: the force at the end of one is that at the beginning of
  /// the next.
  bool keeps_force = false;
};

/// What a system can do beside its mathematics. nullptr: it cannot. The objects live as long as the
/// system.
struct Capabilities {
  const EnergyAccounts* accounts = nullptr;
  const Observables* observables = nullptr;
  const MaterialFrame* frame = nullptr;
  const Health* health = nullptr;
  const Split* split = nullptr;
};

class DynamicalSystem {
 public:
  DynamicalSystem();
  virtual ~DynamicalSystem() = default;
  DynamicalSystem(const DynamicalSystem&) = delete;
  DynamicalSystem& operator=(const DynamicalSystem&) = delete;

  /// Differs between any two systems of a process; integrators key their caches on it.
  std::uint64_t id() const { return id_; }

  // ---- every system -------------------------------------------------------------------------

  virtual Index num_dofs() const = 0;
  virtual const la::LinearOperator& mass() const = 0;            ///< symmetric positive definite
  virtual const la::LinearOperator& mass_inverse() const = 0;    ///< prepared once
  virtual double potential(const State&, Workspace&) const = 0;  ///< W(q, t) [J]
  virtual void force(const State&, Workspace&, VecOut f) const = 0;  ///< f(q, v, t) [N]

  // ---- with defaults that are right for a system without that ability -----------------------

  virtual ForceTraits traits() const { return {}; }
  /// R(v) [W], for systems with an incremental potential.
  virtual double dissipation(const State&, Workspace&) const { return 0.0; }
  /// y += (-df/dq - K) x: what K, which is symmetric, leaves out.
  virtual void add_unsymmetric(const State&, const VecIn& /*x*/, Workspace&, VecOut /*y*/) const {}
  /// Mean of df/dt over [t, t + dt] at fixed q and v. Default: a difference of forces.
  virtual void force_rate(const State&, double dt, Workspace&, VecOut rate) const;

  /// K and D at a state, into an object made by make_linearization() of this system. When `force`
  /// is given, f at the same state is written there too, which is cheaper than asking twice.
  virtual void linearize(const State&, const LinearizeOptions&, Workspace&, Linearization&,
                         Vec* force = nullptr) const;
  virtual std::unique_ptr<Linearization> make_linearization() const;
  virtual std::unique_ptr<Workspace> make_workspace() const;

  /// Fix what stays frozen during one step: lagged friction, contact candidates, held dofs.
  virtual void begin_step(const State&, double /*dt*/, Workspace&) const {}
  /// Finish an accepted step: internal variables (plastic flow), corrections of q and v.
  virtual void end_step(const State& /*before*/, State& /*after*/, Workspace&) const {}
  /// Largest a in [0, 1] such that every state on the straight way up to from + a (to - from) is
  /// admissible; prescribed parts move with the times of the two states.
  virtual double max_step(const State& /*from*/, const State& /*to*/, Workspace&) const {
    return 1.0;
  }

  virtual Capabilities capabilities() const { return {}; }

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
  void assemble_secant(const State&, const LinearizeOptions&, Workspace&, const MaterialFrame&,
                       AssembledLinearization&, la::SymmetricMatrix* D, Vec* f) const;

  std::uint64_t id_;
};

}  // namespace sinew::dynamics
