// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include <sinew/dynamics/oscillator.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/sim/simulation.hpp>

#include "support/part_of_system.hpp"
#include "support/reducers.hpp"
#include "support/toy_systems.hpp"

namespace sinew::sim {
namespace {

TEST(ErrorControl, AimsAtTheToleranceWithThePowerOfTheOrder) {
  ErrorControl control({.tolerance = 1e-3, .dt_min = 1e-6, .order = 2}, 1.0);

  EXPECT_FALSE(control.accepts(0.1, 8e-3));
  EXPECT_NEAR(control.step_size(), 0.9 * 0.1 / 2.0, 1e-12) << "the error goes with the cube";
  EXPECT_TRUE(control.accepts(0.045, 1e-3 / 3.375));
  EXPECT_NEAR(control.step_size(), 0.9 * 1.5 * 0.045, 1e-12);
}

TEST(ErrorControl, NeverJumpsFarAndStaysInsideItsLimits) {
  ErrorControl control({.tolerance = 1e-3, .dt_min = 1e-2, .order = 2}, 1.0);
  EXPECT_FALSE(control.accepts(0.5, 1e9));
  EXPECT_NEAR(control.step_size(), 0.1, 1e-12);
  EXPECT_FALSE(control.accepts(0.02, 1e9));
  EXPECT_NEAR(control.step_size(), 0.01, 1e-12) << "not below dt_min";
  EXPECT_FALSE(control.shrink_after_failure(0.01));
  for (int k = 0; k < 20; ++k) EXPECT_TRUE(control.accepts(control.step_size(), 0.0));
  EXPECT_EQ(control.step_size(), 1.0) << "not above the nominal step";
}

TEST(ErrorControl, TakesWhatIsNotANumberForTheWorst) {
  ErrorControl control({.tolerance = 1e-3, .dt_min = 1e-6, .order = 2}, 1.0);
  EXPECT_FALSE(control.accepts(0.5, std::nan("")));
  EXPECT_NEAR(control.step_size(), 0.1, 1e-12);
}

TEST(ErrorControl, ShrinksAfterEveryFailureWhateverIsRounded) {
  ErrorControl control({.tolerance = 1e-3, .dt_min = 1e-6, .order = 1}, 1.0);
  // a proposal may be longer than the step size by a rounding
  for (const double longer : {0.0, 1e-10, 1e-9}) {
    control.set_step_size(0.25);
    EXPECT_TRUE(control.shrink_after_failure(0.25 * (1.0 + longer)));
    EXPECT_NEAR(control.step_size(), 0.125, 1e-8) << longer;
  }
  control.set_step_size(0.1);  // chosen by an error
  EXPECT_TRUE(control.shrink_after_failure(0.25));
  EXPECT_EQ(control.step_size(), 0.1);
}

TEST(ErrorControl, CutsWhatIsLeftIntoEqualParts) {
  ErrorControl control({.tolerance = 1e-3, .dt_min = 1e-6, .order = 1}, 1.0);
  control.set_step_size(0.3);
  EXPECT_NEAR(control.propose(1.0), 0.25, 1e-12);
  EXPECT_NEAR(control.propose(0.3), 0.3, 1e-12);
  EXPECT_NEAR(control.propose(0.1), 0.1, 1e-12);
}

struct Outcome {
  double error;
  RunSummary summary;
  dynamics::State state;
};

Outcome run(const char* name, double tolerance) {
  const integrators::IntegratorEntry& entry = *integrators::find_integrator(name);
  constexpr double omega = 20.0, end = 1.0;
  Simulation simulation(std::make_unique<dynamics::Oscillator>(omega),
                        dynamics::Oscillator::displaced(), integrators::make_integrator(name),
                        {.dt = 0.5,
                         .end = end,
                         .fps = 0.0,
                         .error = {.tolerance = tolerance,
                                   .dt_min = 1e-9,
                                   .order = entry.traits.order,
                                   .is_estimated = entry.traits.estimates_error}});
  const RunSummary summary = simulation.run();
  return {std::abs(simulation.state().q[0] - std::cos(omega * end)), summary, simulation.state()};
}

TEST(ErrorControl, MakesRunsAsAccurateAsAsked) {
  for (const char* name : {"tr-bdf2", "sdirk2", "rk4", "verlet", "implicit-midpoint", "be"}) {
    const int order = integrators::find_integrator(name)->traits.order;
    const Outcome coarse = run(name, 1e-4), fine = run(name, 1e-6);
    EXPECT_EQ(fine.summary.reason, StopReason::reached_end) << name;
    // errors of steps add up, over as many steps as there are
    EXPECT_LT(fine.error, 3.0 * 1e-6 * static_cast<double>(fine.summary.accepted_steps)) << name;
    EXPECT_LT(fine.error, coarse.error) << name;
    // a hundred times smaller errors need 100^(1/(order + 1)) times as many steps
    const double growth = static_cast<double>(fine.summary.accepted_steps) /
                          static_cast<double>(coarse.summary.accepted_steps);
    EXPECT_NEAR(std::log(growth) / std::log(100.0), 1.0 / (order + 1), 0.1) << name;
    EXPECT_GT(fine.summary.rejected_steps, 0) << "half a second is too long for a first step";
  }
}

TEST(ErrorControl, TwinsTakeTheStepsOfOneAndBookTwiceItsEnergy) {
  // be takes its steps twice, and the simulation compares; sdirk2 estimates by itself
  for (const char* name : {"be", "sdirk2"}) {
    const integrators::Traits& traits = integrators::find_integrator(name)->traits;
    const test::CubicChain chain({.dashpot = 0.8, .load = 5.0});
    const test::TwinReducer twin;
    const auto simulate = [&](const la::Reducer& reducer) {
      integrators::Services services = integrators::default_services();
      services.reducer = &reducer;
      return std::make_unique<Simulation>(
          // the copy for one process differs in the energies of the system alone
          &reducer == &twin ? std::unique_ptr<dynamics::DynamicalSystem>(
                                  std::make_unique<test::PartOfSystem>(chain, twin))
                            : std::make_unique<test::CubicChain>(
                                  test::CubicChain::Settings{.dashpot = 0.8, .load = 5.0}),
          test::CubicChain::start(), integrators::make_integrator(name, services),
          SimulationSettings{.dt = 0.05,
                             .end = 1.0,
                             .fps = 0.0,
                             .error = {.tolerance = 1e-4,
                                       .dt_min = 1e-9,
                                       .order = traits.order,
                                       .is_estimated = traits.estimates_error}});
    };
    const auto one = simulate(la::serial_reducer()), two = simulate(twin);
    const RunSummary alone = one->run(), both = two->run();

    EXPECT_GT(alone.accepted_steps, 30) << name << ": the tolerance should matter";
    EXPECT_EQ(both.accepted_steps, alone.accepted_steps) << name;
    EXPECT_EQ(both.rejected_steps, alone.rejected_steps) << name;
    EXPECT_LT((two->state().q - one->state().q).norm(), 1e-9) << name;
    const EnergyRecord &single = one->ledger().record(), &doubled = two->ledger().record();
    const double scale = one->ledger().initial_energy();
    EXPECT_NEAR(doubled.kinetic, 2.0 * single.kinetic, 1e-9 * scale) << name;
    EXPECT_NEAR(doubled.total, 2.0 * single.total, 1e-9 * scale) << name;
    EXPECT_NEAR(doubled.numerical_loss, 2.0 * single.numerical_loss, 1e-9 * scale) << name;
    EXPECT_NEAR(both.health.largest_excess, alone.health.largest_excess, 1e-9) << name;
  }
}

TEST(ErrorControl, GivesUpWhereNoStepIsSmallEnough) {
  Simulation simulation(
      std::make_unique<dynamics::Oscillator>(20.0), dynamics::Oscillator::displaced(),
      integrators::make_integrator("be"),
      {.dt = 0.5, .end = 1.0, .fps = 0.0, .error = {.tolerance = 1e-12, .dt_min = 0.01}});

  const RunSummary summary = simulation.run();

  EXPECT_EQ(summary.reason, StopReason::failed);
  EXPECT_EQ(summary.last_failure, integrators::StepStatus::error_too_large);
  EXPECT_EQ(simulation.state().t, 0.0) << "nothing was accepted";
  EXPECT_EQ(simulation.state().q[0], 1.0);
}

}  // namespace
}  // namespace sinew::sim
