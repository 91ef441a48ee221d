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

void Redone::count(int rung) {
  if (rung == 1) ++projected;
  if (rung == 2) ++si;
  if (rung == 3) ++be;
}

StepStatus Guard::judge(const dynamics::DynamicalSystem& system, dynamics::Workspace& workspace,
                        const Instant& before, const Instant& after) const {
  const EnergyLedger &from = before.books.ledger, &to = after.books.ledger;
  const double rise = to.record().total - from.record().total;
  const double allowed = largest_gain * std::max(from.intrinsic(), to.intrinsic()) +
                         rounding * std::max(from.magnitude(), to.magnitude()) +
                         std::numeric_limits<double>::min();
  // last, so that a step refused for it is sound otherwise
  const auto without_inverting = [&] {
    const bool inverts =
        after.books.admissibility.inverted_elements > before.books.admissibility.inverted_elements;
    return inverts ? StepStatus::elements_inverted : StepStatus::accepted;
  };
  if (rise <= allowed) return without_inverting();
  // Forces between the two ends are not known: loads may jump, and damping may stop the motion
  // within a step. So the most that can have come in counts, and nothing that can have gone out.
  const auto work = [&](const dynamics::State& at) {
    return external_work(system, at, before.state, after.state, workspace);
  };
  const double most = std::max({0.0, work(before.state), work(after.state)});
  return rise <= most + allowed ? without_inverting() : StepStatus::energy_rose;
}

integrators::StepReport Guard::step(integrators::Integrator& method,
                                    const dynamics::DynamicalSystem& system,
                                    dynamics::Workspace& workspace, double dt,
                                    dynamics::State& state, const integrators::StepCheck& check) {
  integrators::StepReport report;
  // what be does lowers an energy: if elements turn inside out all the same, their material lets
  // them, and shorter steps would lead there too
  const integrators::StepCheck check_be = [&](const dynamics::State& from,
                                              const dynamics::State& to) {
    const StepStatus status = check(from, to);
    return status == StepStatus::elements_inverted ? StepStatus::accepted : status;
  };
  const auto succeeds = [&](int rung, integrators::Integrator& by) {
    const core::Profile spent = report.profile;
    report = by.step(system, workspace, dt, state, rung == 3 && check ? check_be : check);
    report.profile += spent;
    report.rung = rung;
    return report.status == StepStatus::accepted;
  };
  if (succeeds(0, method)) return report;

  const bool can_project = system.traits().can_project;
  if (settings_.projects && can_project && method.definiteness() == Definiteness::exact) {
    method.set_definiteness(Definiteness::psd_clamp);
    const bool accepted = succeeds(1, method);
    method.set_definiteness(Definiteness::exact);
    if (accepted) return report;
  }

  const dynamics::State before = state;
  const auto other_succeeds = [&](int rung, const char* name,
                                  std::unique_ptr<integrators::Integrator>& other) {
    if (!other) other = integrators::make_integrator(name, services_);
    if (rung == 2 && can_project) other->set_definiteness(Definiteness::psd_clamp);
    if (!succeeds(rung, *other)) return false;
    method.skip(before, state, dt);
    return true;
  };
  if (settings_.has_si && other_succeeds(2, "si", si_)) return report;
  if (settings_.has_be && other_succeeds(3, "be", be_)) return report;
  report.rung = 4;
  return report;
}

}  // namespace sinew::sim
