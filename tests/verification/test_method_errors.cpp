// SPDX-License-Identifier: Apache-2.0
// What tolerances and lagged factors cost in accuracy, against the error of the steps themselves:
// the difference to steps of half the size.
#include <cstdio>

#include <gtest/gtest.h>

#include <sinew/integrators/registry.hpp>
#include <sinew/la/solvers/lagged_solver.hpp>

#include "support/bodies.hpp"

namespace sinew::integrators {
namespace {

using dynamics::State;
using test::bar_spec;

enum class Factor { every_step, lagged };

struct Outcome {
  State end;
  double solves = 0.0;  ///< per step
  long factorizations = 0;
};

struct Bench {
  const char* name;
  physics::BodiesSpec spec;
  double h;
  State (*start)(const physics::TermSystem&);
};

State at_rest(const physics::TermSystem& body) {
  return body.rest_state();
}

/// Flies, turns and rings.
State flying(const physics::TermSystem& body) {
  State state = test::deformed_state(body, 0.005, 0.1);
  for (Index i = 0; i < state.v.size(); i += 3) {
    state.v[i] += 3.0;
    state.v[i + 1] += 0.5 * state.q[i];
  }
  return state;
}

std::vector<Bench> benches() {
  std::vector<Bench> all{
      {"swinging", bar_spec({.size = {2, 0.3, 0.3}, .cells = {10, 2, 2}, .young = 1e6}), 0.01,
       at_rest},
      {"stiff", bar_spec({.size = {2, 0.3, 0.3}, .cells = {10, 2, 2}, .young = 1e7}), 0.01,
       at_rest},
      {"flying", bar_spec({.cells = {6, 2, 2}, .young = 1e6}), 0.005, flying}};
  for (Bench& bench : all) {
    if (bench.start != at_rest) continue;
    const auto& vertices = bench.spec.bodies[0].mesh.vertices;
    for (int v = 0; v < static_cast<int>(vertices.size()); ++v)
      if (vertices[v][0] < 1e-9) bench.spec.fixed.push_back(v);
    bench.spec.gravity = {0, 0, -20};
  }
  return all;
}

Outcome run(const Bench& bench, const char* name, Factor factor, double tolerance, int steps,
            double h) {
  const physics::TermSystem body(physics::to_terms(bench.spec));
  Services services = default_services();
  if (factor == Factor::lagged)
    services.make_linear_solver = [](const la::Reducer& reducer) {
      return la::make_lagged_solver(la::solvers().front(), reducer);
    };
  Options options(find_integrator(name)->options);
  if (tolerance > 0.0) options.set("tolerance", tolerance);
  const auto method = make_integrator(*find_integrator(name), options, services);
  const auto workspace = body.make_workspace();
  Outcome result{.end = bench.start(body)};
  for (int k = 0; k < steps; ++k) {
    const StepReport report = method->step(body, *workspace, h, result.end);
    EXPECT_EQ(report.status, StepStatus::accepted) << name << ", " << bench.name << ", step " << k;
    if (report.status != StepStatus::accepted) break;
    result.solves += static_cast<double>(report.profile.counts.solves) / steps;
    result.factorizations += report.profile.counts.factorizations;
  }
  return result;
}

double distance(const Outcome& a, const Outcome& b) {
  return (a.end.q - b.end.q).norm();
}

TEST(MethodErrors, TheDefaultToleranceOfBlendIsBelowTheErrorOfItsSteps) {
  for (const Bench& bench : benches())
    for (const int steps : {20, 100}) {
      SCOPED_TRACE(testing::Message() << bench.name << ", " << steps << " steps");
      const Outcome tight = run(bench, "blend", Factor::every_step, 1e-8, steps, bench.h);
      const Outcome half = run(bench, "blend", Factor::every_step, 1e-8, 2 * steps, 0.5 * bench.h);
      const Outcome plain = run(bench, "blend", Factor::lagged, 0.0, steps, bench.h);
      const double error = distance(tight, half);
      std::printf("%s, %d steps: %.3f of the error of the steps, %.1f solves per step\n",
                  bench.name, steps, distance(plain, tight) / error, plain.solves);
      EXPECT_LT(distance(plain, tight), 0.5 * error);
    }
}

TEST(MethodErrors, LaggedFactorsCostLessThanTheStepsDo) {
  constexpr int steps = 50;
  for (const Bench& bench : benches())
    for (const char* name :
         {"si", "be", "sbdf2", "bdf2", "ssdirk2", "sdirk2", "tr-bdf2", "str-sbdf2", "siere",
          "ssdirk2ere", "sbdf2ere", "str-sbdf2ere", "beere", "bdf2ere", "tr-bdf2ere", "blend"}) {
      SCOPED_TRACE(testing::Message() << bench.name << ", " << name);
      const Outcome every = run(bench, name, Factor::every_step, 0.0, steps, bench.h);
      const Outcome half = run(bench, name, Factor::every_step, 0.0, 2 * steps, 0.5 * bench.h);
      const Outcome lagged = run(bench, name, Factor::lagged, 0.0, steps, bench.h);
      std::printf("%-9s %-13s lagged %.1e, half the step %.1e\n", bench.name, name,
                  distance(lagged, every), distance(half, every));
      EXPECT_LT(lagged.factorizations, every.factorizations);
      EXPECT_LT(distance(lagged, every), 0.25 * distance(half, every));
    }
}

TEST(MethodErrors, BlendKeepsLinearMomentumWhateverItsTolerance) {
  const physics::TermSystem body(physics::to_terms(bar_spec({.cells = {6, 2, 2}, .young = 1e6})));
  for (const double tolerance : {1e-1, 0.0}) {
    const Bench bench{"flying", bar_spec({.cells = {6, 2, 2}, .young = 1e6}), 0.005, flying};
    const Outcome result = run(bench, "blend", Factor::lagged, tolerance, 200, bench.h);
    const Vec3 before = body.accounts().momentum(flying(body))->linear;
    const Vec3 after = body.accounts().momentum(result.end)->linear;
    // 200 steps of rounding; without translations in its space it lost 1e-3
    EXPECT_LT((after - before).norm(), 1e-12 * before.norm()) << tolerance;
  }
}

TEST(MethodErrors, BlendDoesNotCareHowFastABodyFlies) {
  // seen from a train the vibration is the same, and worth as many solves
  const Bench bench{"flying", bar_spec({.cells = {6, 2, 2}, .young = 1e6}), 0.005, flying};
  const physics::TermSystem body(physics::to_terms(bench.spec));
  const auto workspace = body.make_workspace();
  // to a fine tolerance nothing else decides; to a rough one rounding may, about a solve or two
  for (const double tolerance : {1e-6, 3e-4}) {
    const bool is_fine = tolerance < 1e-5;
    State slow = flying(body), fast = slow;
    for (Index i = 0; i < fast.v.size(); i += 3) fast.v[i] += 50.0;
    Options options(find_integrator("blend")->options);
    options.set("tolerance", tolerance);
    const auto one = make_integrator(*find_integrator("blend"), options, default_services());
    const auto other = make_integrator(*find_integrator("blend"), options, default_services());
    long solves = 0, solves_of_fast = 0;
    for (int k = 0; k < 20; ++k) {
      solves += one->step(body, *workspace, bench.h, slow).profile.counts.solves;
      solves_of_fast += other->step(body, *workspace, bench.h, fast).profile.counts.solves;
    }
    EXPECT_NEAR(solves, solves_of_fast, is_fine ? 0.0 : 0.05 * static_cast<double>(solves));
    for (Index i = 0; i < fast.q.size(); i += 3) fast.q[i] -= 50.0 * 20 * bench.h;
    EXPECT_LT((fast.q - slow.q).norm(), (is_fine ? 1e-9 : 1e-6) * slow.q.norm()) << tolerance;
  }
}

}  // namespace
}  // namespace sinew::integrators
