// SPDX-License-Identifier: Apache-2.0
// A method that advances a state by one step. It either does so completely or leaves the state
// untouched, bit for bit, and says why.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/integrators/options.hpp>
#include <sinew/integrators/rung.hpp>
#include <sinew/integrators/step_context.hpp>
#include <sinew/integrators/step_report.hpp>

namespace sinew::integrators {

/// What a method claims about itself. The property tests hold it to these claims.
struct Traits {
  std::string_view name;
  std::string_view title;       ///< "backward Euler"
  std::string_view equation;    ///< the step in one or two lines
  int order = 1;                ///< classical order of accuracy
  bool is_implicit = false;     ///< solves systems; stable at steps far above 2/omega_max
  bool is_exponential = false;  ///< uses functions of the tangent; likewise
  /// Explicit where the step allows it: at small steps it is an explicit method as a whole.
  bool takes_apart = false;
  bool uses_rest_tangent = false;  ///< of the rest shape, and no tangent of the present one
  bool l_stable = false;           ///< infinitely stiff motion is gone after a step
  bool keeps_energy = false;       ///< of linear problems without damping, up to rounding
  bool gains_energy = false;       ///< undamped vibrations grow at any step size
  bool multistep = false;          ///< keeps a history
  bool estimates_error = false;    ///< of each step, at little cost
  bool symplectic = false;
  bool exact_for_linear = false;
  bool keeps_linear_momentum = false;  ///< of a free body, up to rounding or solver tolerance
  bool keeps_angular_momentum = false;
  bool guarded = false;  ///< scenes watch its steps unless told not to
  /// The rung of the guard that this method is for others; as_asked: none.
  Rung serves_as = Rung::as_asked;
  dynamics::Definiteness definiteness = dynamics::Definiteness::exact;  ///< its default
  /// Smallest value of its option `tolerance` that it reaches on large damped systems; 0: any.
  double finest_tolerance = 0.0;
  std::string_view cost;       ///< per step, in coarse operations
  std::string_view reference;  ///< key in docs/references.bib
};

/// What must be kept with the state to continue exactly: history, warm starts. Plain named vectors.
using Memory = std::map<std::string, Vec>;

class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Advances `state` by dt > 0, or reports why not and leaves it as it was. Throws only for bugs.
  StepReport step(const dynamics::DynamicalSystem& system, dynamics::Workspace& workspace,
                  double dt, dynamics::State& state);

  /// The same in two parts, for those who judge a step before it counts. A step that is proposed
  /// and not accepted leaves no trace: another one may be proposed.
  StepReport propose(const dynamics::DynamicalSystem& system, dynamics::Workspace& workspace,
                     double dt, const dynamics::State& state);
  /// Where the proposed step leads.
  const dynamics::State& proposed() const { return next_; }
  /// `state`, from which the step was proposed, becomes the proposed one.
  void accept(dynamics::State& state);

  /// Another method made a step of length dt: go on from its end.
  void skip(const dynamics::State& before, const dynamics::State& after, double dt) {
    on_skipped(before, after, dt);
  }

  /// What to do about negative curvature of single elements, in every tangent the method asks for.
  void set_definiteness(dynamics::Definiteness definiteness) { definiteness_ = definiteness; }
  dynamics::Definiteness definiteness() const { return definiteness_; }

  /// By which its steps are summed; whoever judges them sums likewise.
  const la::Reducer& reducer() const { return *services_.reducer; }

  /// Whether methods that can should estimate the error of their steps.
  void set_error_estimate(bool wanted) { wants_error_estimate_ = wanted; }

  /// Forget history and warm starts.
  void reset();
  /// The system was edited. Returns false when the method could only forget its memory.
  virtual bool remap(const dynamics::DofMap&) {
    reset();
    return false;
  }
  /// History of the method and factors its solvers go on using.
  Memory memory() const;
  /// Of its linear solvers, where they have one.
  std::string solver_choice() const;
  void restore(const Memory& memory);

 protected:
  explicit Integrator(const Services& services) : services_(services) {}

  const Services& services() const { return services_; }
  /// A linear solver that lives as long as the method; its memory is kept with the method's.
  la::LinearSolver& add_solver();

 private:
  /// `next` holds a copy of `now` on entry and the new q and v on success.
  virtual StepStatus do_step(StepContext& step, const dynamics::State& now,
                             dynamics::State& next) = 0;
  /// The step was accepted. History may change here and in the functions below only: a step that
  /// fails, is found not finite or is refused must leave it as it was.
  virtual void commit(const dynamics::State& /*before*/, const dynamics::State& /*after*/) {}
  /// The step was made by another method. What the history says about the last step is then to be
  /// taken from these states, or forgotten.
  virtual void on_skipped(const dynamics::State& /*before*/, const dynamics::State& /*after*/,
                          double /*dt*/) {}
  /// Called before the first step on a system and after an edit: make what depends on its size.
  virtual void prepare(const dynamics::DynamicalSystem&) {}
  /// The method's own part of its memory.
  virtual void save_history(Memory&) const {}
  virtual void restore_history(const Memory&) {}
  virtual void forget_history() {}

  Services services_;
  std::vector<std::unique_ptr<la::LinearSolver>> solvers_;
  dynamics::Definiteness definiteness_ = dynamics::Definiteness::exact;
  bool wants_error_estimate_ = false;
  dynamics::State next_;
  Vec proposed_;  // positions before corrections
  std::uint64_t prepared_for_ = 0;
};

/// One row of the table of integrators.
struct IntegratorEntry {
  Traits traits;
  std::vector<OptionInfo> options;  ///< the table adds those that every method has
  std::function<std::unique_ptr<Integrator>(const Options&, const Services&)> make;

  // What options change about a method; without a function, nothing.

  /// Whether it keeps a history with these options; traits.multistep otherwise.
  bool (*has_history)(const Options&) = nullptr;
  /// Rungs of the guard that make sense below it; all that fit its traits otherwise.
  Rungs (*rungs)(const Options&) = nullptr;
};

/// The two above, with their defaults.
bool has_history(const IntegratorEntry& entry, const Options& options);
Rungs rungs_of(const IntegratorEntry& entry, const Options& options);

}  // namespace sinew::integrators
