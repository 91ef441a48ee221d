// SPDX-License-Identifier: Apache-2.0
// A semi-implicit step whose modal part is taken over by `ere`:
//
//   u1 = u0 + U e + (I - P) (increment of the other method),     P = U U^T M,
//
// e the exact increments of the modal oscillators. Both parts are of second order if the other
// method is, whatever the modes are; with exact modes of a linear problem neither sees the other.
#pragma once

#include <sinew/integrators/parts/history.hpp>
#include <sinew/integrators/parts/modal_part.hpp>
#include <sinew/integrators/parts/semi_implicit_step.hpp>

namespace sinew::integrators {

class HybridMethod : public SemiImplicitMethod {
 public:
  HybridMethod(const MakeStep& make_step, const ModalSettings& settings, const Services& services)
      : SemiImplicitMethod(make_step, services), modal_(settings) {}

 protected:
  /// Called at the beginning of every stage of the other method.
  virtual StepStatus observe(StepContext& step, const dynamics::State& now, const StageView& view);
  /// Puts the modal part in its place; `next` is what the other method made.
  virtual void finish(StepContext& step, const dynamics::State& now, dynamics::State& next);

  ModalPart modal_;

 private:
  void prepare(const dynamics::DynamicalSystem& system) final;
  StepStatus do_step(StepContext& step, const dynamics::State& now, dynamics::State& next) final;
  void commit(const dynamics::State& before, const dynamics::State& after) final;
  void save_history(Memory& memory) const final;
  void restore_history(const Memory& memory) final;
  void forget_history() final;
};

/// The row of a hybrid method in the table, but for its own name, words and factory.
IntegratorEntry hybrid_entry(Traits traits, std::vector<OptionInfo> own = {});

/// What formulas (21) and (22) of the survey make of the modal coordinates in a step of bdf2:
/// z1 - z0 = (z0 - z_-1 + 2 e)/3 for equal steps.
Mat bdf2_increment_as_printed(StepContext& step, const ModalPart& modal,
                              const TwoStepHistory& history, const dynamics::State& now);

/// The option `variant`: decoupled, or the formula as it is printed.
OptionInfo as_printed_option(std::string_view equation);

}  // namespace sinew::integrators
