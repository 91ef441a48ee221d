// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/implicit/ssdirk2.hpp>
#include <sinew/integrators/parts/history.hpp>

namespace sinew::integrators {

/// bdf2 linearised at the beginning of the step; the base of `sbdf2ere` as well.
class Sbdf2Step final : public SemiImplicitStep {
 public:
  explicit Sbdf2Step(la::LinearSolver& solver) : solver_(solver), start_(stage_, solver) {}

  void prepare(const dynamics::DynamicalSystem& system) override;
  StepStatus run(StepContext& step, const dynamics::State& now, dynamics::State& next,
                 const StageObserver& observe) override;
  void commit(const dynamics::State& before) override { history_.commit(before); }
  void skip(const dynamics::State& before, double dt) override { history_.skip(before, dt); }
  void save(Memory& memory) const override { history_.save(memory); }
  void restore(const Memory& memory) override { history_.restore(memory); }
  void forget() override { history_.forget(); }

  const TwoStepHistory& history() const { return history_; }

 private:
  la::LinearSolver& solver_;
  std::shared_ptr<LinearStage> stage_ = std::make_shared<LinearStage>();
  Ssdirk2Step start_;
  TwoStepHistory history_;
  Vec f_, h_rate_, r_q_, Mr_v_, d_q_, d_v_;
};

}  // namespace sinew::integrators
