// SPDX-License-Identifier: Apache-2.0
// The family of Newmark, HHT and generalized-alpha. With the acceleration A kept from step to step:
//   q1 = q0 + h v0 + h^2 ((1/2 - beta) A0 + beta A1),   v1 = v0 + h ((1 - gamma) A0 + gamma A1)
//   M ((1 - am) A1 + am A0) = f at the weighted mean (1 - af) of the new and af of the old state
//   and time.
// The equation is solved for the velocity of that mean, where it is a stage like any other.
#pragma once

#include <sinew/integrators/parts/implicit_stage.hpp>

namespace sinew::integrators {

struct AlphaCoefficients {
  double am = 0.0, af = 0.0, beta = 0.25, gamma = 0.5;
};

class AlphaMethod final : public Integrator {
 public:
  AlphaMethod(const AlphaCoefficients& coefficients, const StageSettings& settings,
              const Services& services)
      : Integrator(services), k_(coefficients), solver_(add_solver()), stage_(settings) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override;
  StepStatus do_step(StepContext& step, const dynamics::State& now, dynamics::State& next) override;
  void commit(const dynamics::State&, const dynamics::State&) override;
  /// No other method knows the acceleration of this one.
  void on_skipped(const dynamics::State&, const dynamics::State&, double) override {
    forget_history();
  }
  /// A0 into old_.
  void recall_acceleration(StepContext& step, const dynamics::State& now);
  void save_history(Memory& memory) const override;
  void restore_history(const Memory& memory) override;
  void forget_history() override { acceleration_.resize(0); }

  AlphaCoefficients k_;
  la::LinearSolver& solver_;
  ImplicitStage stage_;
  Vec f_, old_, end_;                 // accelerations at both ends of the step being tried
  Vec acceleration_;                  // at the end of the last accepted step; empty: not known
  double dt_ = 0.0, tried_dt_ = 0.0;  // of the last accepted step, of the one being tried
};

}  // namespace sinew::integrators
