// SPDX-License-Identifier: Apache-2.0
// Stands between a simulation and what it advances: system, method, state, and the energy balance
// that goes with it. A step is proposed, judged and accepted; until then all of them stay as they
// were. One that keeps its state on a device would have the same functions.
#pragma once

#include <memory>

#include <sinew/integrators/integrator.hpp>
#include <sinew/sim/edit_source.hpp>
#include <sinew/sim/guard.hpp>

namespace sinew::sim {

class Stepper {
 public:
  Stepper(std::unique_ptr<dynamics::DynamicalSystem> system, dynamics::State initial,
          std::unique_ptr<integrators::Integrator> method);

  /// Without one, steps that gain energy count like others.
  void set_guard(std::unique_ptr<Guard> guard) { guard_ = std::move(guard); }
  bool is_guarded() const { return guard_ != nullptr; }

  /// The ways to make a step, in the order in which to try them.
  Rungs attempts() const;
  /// Computes a step. What comes of it waits to be judged and accepted.
  integrators::StepReport advance(double dt, Rung rung);
  /// Whether the step just computed may count.
  integrators::StepStatus judge(bool fails_on_absurd_energy);
  /// The step that was judged becomes the state.
  void accept();

  /// Remembers where it is; take_back() returns to the last such place. For one-step methods: the
  /// history of others goes on.
  void remember();
  void take_back();
  const dynamics::State& remembered() const { return remembered_; }

  const dynamics::DynamicalSystem& system() const { return *system_; }
  dynamics::Workspace& workspace() { return *workspace_; }
  const dynamics::State& state() const { return state_; }
  const Books& books() const { return books_; }
  integrators::Integrator& method() { return *method_; }
  const integrators::Integrator& method() const { return *method_; }

  /// The balance at the start.
  void open_books();
  /// Goes on with another system; the jump in energy is booked as work from outside. Returns
  /// whether the method could carry its memory over.
  bool exchange(Edit edit);
  /// Goes on from another state of this system; the jump in energy is booked as work from outside,
  /// and the method forgets its memory.
  void move_to(dynamics::State state);
  /// Something that the system reads has changed: the balance goes on with the powers there are
  /// now.
  void refresh_books();
  /// Goes on from a state of the past, with the system it had then (nullptr: this one).
  void restore(std::unique_ptr<dynamics::DynamicalSystem> system, const dynamics::State& state,
               const integrators::Memory& memory, const std::vector<double>& ledger);

 private:
  dynamics::Admissibility look_at(const dynamics::State& state) const;
  integrators::Integrator& method_of(Rung rung);

  std::unique_ptr<dynamics::DynamicalSystem> system_;
  std::unique_ptr<dynamics::Workspace> workspace_;
  std::unique_ptr<integrators::Integrator> method_;
  std::unique_ptr<Guard> guard_;
  dynamics::State state_, remembered_;
  Books books_, books_remembered_, judged_;
  integrators::Integrator* proposer_ = nullptr;  // whose step waits
  Rung proposed_on_ = Rung::as_asked;
  double proposed_dt_ = 0.0;
};

}  // namespace sinew::sim
