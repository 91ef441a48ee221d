// SPDX-License-Identifier: Apache-2.0
// An implicit method whose modal coordinates are prescribed: where `ere` would be, and everything
// else follows from the nonlinear equation of the method under that condition. Where the method has
// an incremental potential it is minimised subject to s linear equalities. The prescribed part of
// the motion itself is not limited by max_step().
#pragma once

#include <sinew/integrators/parts/implicit_stage.hpp>
#include <sinew/integrators/parts/modal_part.hpp>

namespace sinew::integrators {

class HybridImplicitMethod : public Integrator {
 public:
  HybridImplicitMethod(const StageSettings& stage, const ModalSettings& modal,
                       const Services& services)
      : Integrator(services), modal_(modal), stage_(stage), modal_solver_(add_solver()) {}

 protected:
  void prepare(const dynamics::DynamicalSystem& system) override;
  void commit(const dynamics::State& before, const dynamics::State& after) override;
  void save_history(Memory& memory) const override;
  void restore_history(const Memory& memory) override;
  void forget_history() override;

  /// The modes at the beginning of the step.
  [[nodiscard]] StepStatus find_modes(StepContext& step, const dynamics::State& now);
  /// Of the stage: the modal coordinates of `now`, moved on by `increment`.
  void prescribe(StepContext& step, const dynamics::State& now, const Mat& increment);

  ModalPart modal_;
  ImplicitStage stage_;
  Vec f0_, h_rate_;  ///< at the beginning of the step

 private:
  la::LinearSolver& modal_solver_;
  LinearStage beginning_;
};

/// The options of Newton's method and of the modes, after the method's own.
std::vector<OptionInfo> with_hybrid_implicit_options(std::vector<OptionInfo> own = {});

}  // namespace sinew::integrators
