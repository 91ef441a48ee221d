// SPDX-License-Identifier: Apache-2.0
// Terms that contradict themselves are refused, with words, before they do harm.
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/physics/bodies.hpp>

#include <support/bodies.hpp>

namespace sinew::test {
namespace {

using physics::TermSystem;

/// A force of nothing, with everything about it for the test to say.
struct OddTerm final : physics::Term {
  struct Behaviour {
    physics::TermTraits traits{};
    std::vector<physics::VertexPair> pairs{};
    std::function<double(const physics::Configuration& to)> max_step{};
    std::function<void(physics::StepEnd&)> end_step{};
    int held = -1;
    std::function<double(const physics::Configuration&)> energy{};
  };
  explicit OddTerm(Behaviour given) : behaviour(std::move(given)) {}

  physics::TermTraits traits() const override { return behaviour.traits; }
  void add_force(const physics::Configuration&, physics::TermWork&,
                 physics::PaddedField&) const override {}
  double energy(const physics::Configuration& at, physics::TermWork&) const override {
    return behaviour.energy ? behaviour.energy(at) : 0.0;
  }
  std::vector<physics::VertexPair> pairs() const override { return behaviour.pairs; }
  double max_step(const physics::Configuration&, const physics::Configuration& to,
                  physics::TermWork&) const override {
    return behaviour.max_step ? behaviour.max_step(to) : 1.0;
  }
  void end_step(const physics::Configuration&, physics::StepEnd& after,
                physics::TermWork&) const override {
    if (behaviour.end_step) behaviour.end_step(after);
  }
  void begin_step(const physics::Configuration&, double, physics::TermWork&,
                  physics::HeldVertices& held) const override {
    if (behaviour.held >= 0) held.hold(behaviour.held);
  }

  Behaviour behaviour;
};

TermSystem with(const OddTerm::Behaviour& behaviour, const BarOptions& bar = {}) {
  physics::BodiesSpec spec = bar_spec(bar);
  spec.further_terms.push_back([behaviour](const physics::TermSite&) {
    std::vector<std::unique_ptr<physics::Term>> terms;
    terms.push_back(std::make_unique<OddTerm>(behaviour));
    return terms;
  });
  return TermSystem(physics::to_terms(spec));
}

TEST(TermMisuse, NoTermWhereOneWasToBeMade) {
  physics::BodiesSpec spec = bar_spec();
  spec.further_terms.push_back([](const physics::TermSite&) {
    std::vector<std::unique_ptr<physics::Term>> terms;
    terms.push_back(nullptr);
    return terms;
  });
  EXPECT_THROW(TermSystem(physics::to_terms(spec)), InternalError);
}

TEST(TermMisuse, PairsOutOfOrderOrOfNoVertex) {
  EXPECT_THROW(with({.pairs = {{3, 1}}}), InternalError);
  EXPECT_THROW(with({.pairs = {{0, 1000000}}}), InternalError);
  EXPECT_NO_THROW(with({.pairs = {{1, 3}}}));
}

TEST(TermMisuse, TraitsThatContradictEachOther) {
  using physics::TermForce;
  using enum dynamics::LedgerKind;
  EXPECT_THROW(with({.traits = {.force = TermForce::linear_damping, .row = {"oil", loss_rate}}}),
               InternalError);
  EXPECT_THROW(with({.traits = {.force = TermForce::linear_damping,
                                .row = {"oil", stored},
                                .uses_velocity = true}}),
               InternalError);
  EXPECT_THROW(with({.traits = {.force = TermForce::potential, .uses_velocity = true}}),
               InternalError);
  EXPECT_THROW(with({.traits = {.force = TermForce::potential,
                                .row = {"moving anchor", stored},
                                .depends_on_time = true}}),
               InternalError);
}

TEST(TermMisuse, RowsThatNoTableCanHave) {
  using enum dynamics::LedgerKind;
  for (const char* name : {"", "total", "kinetic", "t", "a,b", "two words"})
    EXPECT_THROW(with({.traits = {.row = {name, stored}}}), InputError) << name;
  EXPECT_THROW(with({.traits = {.row = {"elastic", loss_rate}}}), InputError);
  EXPECT_NO_THROW(with({.traits = {.row = {"pairs-1", stored}}}));
}

TEST(TermMisuse, StepsThatAreNoPartOfTheWay) {
  for (const double part : {std::nan(""), -0.5, 2.0, std::numeric_limits<double>::infinity()}) {
    const TermSystem system =
        with({.traits = {.limits_steps = true},
              .max_step = [part](const physics::Configuration&) { return part; }});
    const auto workspace = system.make_workspace();
    const dynamics::State state = system.rest_state();
    EXPECT_THROW(system.max_step(state, state, *workspace), InternalError) << part;
  }
}

TEST(TermMisuse, CorrectionsThatGoWhereNoStepMayGo) {
  const auto corrected_by = [](double way) {
    const TermSystem system =
        with({.traits = {.has_step_hooks = true, .limits_steps = true},
              .max_step = [](const auto& to) { return to.x.vector(0)[0] > 5.0 ? 0.5 : 1.0; },
              .end_step = [way](physics::StepEnd& after) { after.x.vector(0)[0] += way; }});
    dynamics::State state = system.rest_state();
    const auto workspace = system.make_workspace();
    return integrators::make_integrator("verlet")->step(system, *workspace, 1e-4, state).status;
  };
  EXPECT_EQ(corrected_by(1.0), integrators::StepStatus::accepted);
  EXPECT_EQ(corrected_by(10.0), integrators::StepStatus::not_admissible);
  EXPECT_EQ(corrected_by(std::nan("")), integrators::StepStatus::not_finite);
}

TEST(TermMisuse, HoldingWithoutSayingSoOrWithoutAVertex) {
  const TermSystem silent = with({.traits = {.has_step_hooks = true}, .held = 0});
  const TermSystem nobody = with({.traits = {.holds_vertices = true}, .held = 1000000});
  for (const TermSystem* system : {&silent, &nobody})
    EXPECT_THROW(system->begin_step(system->rest_state(), 1e-3, *system->make_workspace()),
                 InternalError);
  EXPECT_THROW(with({.traits = {.holds_vertices = true}}, {.consistent_mass = true}), InputError);
}

TEST(TermMisuse, EnergiesSeeThePresentVelocityWhateverWasEvaluatedBefore) {
  double seen = 0.0;
  const TermSystem system =
      with({.traits = {.row = {"spin", dynamics::LedgerKind::stored}, .uses_velocity = true},
            .energy = [&](const physics::Configuration& at) { return seen = at.v.vector(0)[0]; }});
  const auto workspace = system.make_workspace();
  dynamics::State state = system.rest_state();
  std::vector<double> values(system.accounts().ledger_entries().size());
  Vec f(system.num_dofs());
  state.v.setConstant(7.0);
  system.force(state, *workspace, f);
  state.v.setConstant(1.0);
  system.accounts().evaluate_ledger(state, *workspace, values);
  EXPECT_EQ(seen, 1.0);
}

TEST(TermMisuse, TheNumberingOfTheSiteOutlivesTheCall) {
  const physics::Numbering* kept = nullptr;
  physics::BodiesSpec spec = bar_spec();
  spec.further_terms.push_back([&](const physics::TermSite& site) {
    kept = &site.numbering;
    return std::vector<std::unique_ptr<physics::Term>>();
  });
  const TermSystem system(physics::to_terms(spec));
  EXPECT_EQ(kept, &system.sum().numbering());
}

}  // namespace
}  // namespace sinew::test
