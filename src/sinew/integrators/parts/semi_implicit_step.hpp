// SPDX-License-Identifier: Apache-2.0
// A step that is linearised where it, or each of its stages, begins. The methods of that kind are
// such a step and nothing else; the hybrid ones look into it while it runs.
#pragma once

#include <functional>
#include <memory>

#include <sinew/integrators/parts/linear_stage.hpp>

namespace sinew::integrators {

/// What can be seen at the beginning of a stage, once its matrix is factorised.
struct StageView {
  int number;  ///< 0: the beginning of the step
  const dynamics::State& at;
  const Vec& f;              ///< there
  const Vec& h_rate;         ///< h df/dt
  LinearStage& stage;        ///< with the linearisation
  la::LinearSolver& solver;  ///< with the factor
};
using StageObserver = std::function<StepStatus(const StageView&)>;

class SemiImplicitStep {
 public:
  virtual ~SemiImplicitStep() = default;

  virtual void prepare(const dynamics::DynamicalSystem& system) = 0;
  /// `next` holds a copy of `now` on entry and the new q and v on success. `observe`, if any, is
  /// called at the beginning of every stage and may end the step.
  virtual StepStatus run(StepContext& step, const dynamics::State& now, dynamics::State& next,
                         const StageObserver& observe) = 0;

  // memory, as in Integrator
  virtual void commit(const dynamics::State& /*before*/) {}
  virtual void skip(const dynamics::State& /*before*/, double /*dt*/) {}
  virtual void save(Memory&) const {}
  virtual void restore(const Memory&) {}
  virtual void forget() {}
};

/// A method that is such a step. `make_step` is given the method's way to make solvers.
class SemiImplicitMethod : public Integrator {
 public:
  using AddSolver = std::function<la::LinearSolver&()>;
  using MakeStep = std::function<std::unique_ptr<SemiImplicitStep>(const AddSolver&)>;

  SemiImplicitMethod(const MakeStep& make_step, const Services& services)
      : Integrator(services),
        step_(make_step([this]() -> la::LinearSolver& { return add_solver(); })) {}

 protected:
  void prepare(const dynamics::DynamicalSystem& system) override { step_->prepare(system); }
  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    return step_->run(step, now, next, {});
  }
  void commit(const dynamics::State& before, const dynamics::State&) override {
    step_->commit(before);
  }
  void on_skipped(const dynamics::State& before, const dynamics::State&, double dt) override {
    step_->skip(before, dt);
  }
  void save_history(Memory& memory) const override { step_->save(memory); }
  void restore_history(const Memory& memory) override { step_->restore(memory); }
  void forget_history() override { step_->forget(); }

  std::unique_ptr<SemiImplicitStep> step_;
};

}  // namespace sinew::integrators
