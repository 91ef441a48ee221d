// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include <sinew/integrators/registry.hpp>
#include <sinew/sim/guard.hpp>

namespace sinew::sim {

using dynamics::Definiteness;
using integrators::StepStatus;

namespace {

// of the energy that moves and strains the body: far above the errors of a step that is resolved,
// far below what an unstable one makes
constexpr double largest_gain = 1e-3;
// of the largest of all terms: sums over many elements, small differences of large numbers
constexpr double rounding = 1e-13;

}  // namespace

void Redone::count(Rung rung) {
  if (rung == Rung::projected) ++projected;
  if (rung == Rung::linear) ++linear;
  if (rung == Rung::nonlinear) ++nonlinear;
}

Rungs Guard::rungs(const integrators::Integrator& method,
                   const dynamics::DynamicalSystem& system) const {
  Rungs rungs = rungs_;
  // where it would change nothing
  if (!system.traits().can_project || method.definiteness() != Definiteness::exact)
    std::erase(rungs, Rung::projected);
  return rungs;
}

integrators::Integrator& Guard::method(Rung rung, const dynamics::DynamicalSystem& system) {
  std::unique_ptr<integrators::Integrator>& method = methods_[rung];
  if (!method) {
    method = integrators::make_integrator(integrators::method_of(rung).traits.name, services_);
    if (rung == Rung::linear && system.traits().can_project)
      method->set_definiteness(Definiteness::psd_clamp);
  }
  return *method;
}

StepStatus Guard::judge(Rung rung, const dynamics::DynamicalSystem& system,
                        dynamics::Workspace& workspace, const Instant& before,
                        const Instant& after) const {
  const EnergyLedger &from = before.books.ledger, &to = after.books.ledger;
  const double rise = to.record().total - from.record().total;
  const double allowed = largest_gain * std::max(from.intrinsic(), to.intrinsic()) +
                         rounding * std::max(from.magnitude(), to.magnitude()) +
                         std::numeric_limits<double>::min();
  if (rise > allowed) {
    // Forces between the two ends are not known: loads may jump, and damping may stop the motion
    // within a step. So the most that can have come in counts, and nothing that can have gone out.
    const auto work = [&](const dynamics::State& at) {
      return external_work(system, at, before.state, after.state, workspace);
    };
    const double most = std::max({0.0, work(before.state), work(after.state)});
    if (rise > most + allowed) return StepStatus::energy_rose;
  }
  // Last, so that a step refused for it is sound otherwise. What the nonlinear method does lowers
  // an energy: if elements turn inside out all the same, their material lets them, and shorter
  // steps would lead there too.
  const bool inverts =
      after.books.admissibility.inverted_elements > before.books.admissibility.inverted_elements;
  return inverts && rung != Rung::nonlinear ? StepStatus::elements_inverted : StepStatus::accepted;
}

}  // namespace sinew::sim
