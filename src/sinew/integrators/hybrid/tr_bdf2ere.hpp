// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/parts/implicit_stage.hpp>
#include <sinew/integrators/parts/modal_part.hpp>

namespace sinew::integrators {

/// A step of tr-bdf2 whose modal coordinates are those of ere, at the half and at the end; also the
/// start of bdf2ere. `modal` has been updated and loaded at `now`; f0 is the force there.
StepStatus constrained_tr_bdf2(StepContext& step, ImplicitStage& stage,
                               la::LinearSolver& half_solver, la::LinearSolver& end_solver,
                               const ModalPart& modal, const Vec& f0, const dynamics::State& now,
                               dynamics::State& next);

}  // namespace sinew::integrators
