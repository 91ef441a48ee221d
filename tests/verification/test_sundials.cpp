// SPDX-License-Identifier: Apache-2.0
// Agreement with an independent solver on the same equations: SUNDIALS ARKODE, explicit Runge-Kutta
// of order 8 with tight tolerances.
#include <stdexcept>

#include <arkode/arkode_erkstep.h>
#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include <sinew/integrators/registry.hpp>
#include <sinew/physics/bodies.hpp>

#include "support/bodies.hpp"

namespace sinew {
namespace {

using dynamics::State;

struct Equations {
  const physics::TermSystem& system;
  dynamics::Workspace& workspace;
};

/// u' = (v, M^-1 f(q, v, t)) for SUNDIALS.
int right_hand_side(realtype t, N_Vector y, N_Vector ydot, void* user) {
  const Equations& equations = *static_cast<const Equations*>(user);
  const Index n = equations.system.num_dofs();
  State state;
  state.q = Eigen::Map<const Vec>(N_VGetArrayPointer(y), n);
  state.v = Eigen::Map<const Vec>(N_VGetArrayPointer(y) + n, n);
  state.t = t;
  Vec f(n);
  equations.system.force(state, equations.workspace, f);
  Eigen::Map<Vec> slope(N_VGetArrayPointer(ydot), 2 * n);
  slope.head(n) = state.v;
  equations.system.mass_inverse().apply(f, slope.tail(n));
  return 0;
}

void require(int flag) {
  if (flag < 0) throw std::runtime_error("SUNDIALS failed");
}

State sundials_solution(const physics::TermSystem& system, const State& start, double end) {
  const auto workspace = system.make_workspace();
  Equations equations{system, *workspace};
  const Index n = system.num_dofs();
  SUNContext context = nullptr;
  require(SUNContext_Create(nullptr, &context));
  N_Vector y = N_VNew_Serial(2 * n, context);
  Eigen::Map<Vec> u(N_VGetArrayPointer(y), 2 * n);
  u << start.q, start.v;
  void* solver = ERKStepCreate(right_hand_side, 0.0, y, context);
  require(ERKStepSetUserData(solver, &equations));
  require(ERKStepSStolerances(solver, 1e-12, 1e-14));
  require(ERKStepSetOrder(solver, 8));
  require(ERKStepSetMaxNumSteps(solver, 1000000));
  require(ERKStepSetStopTime(solver, end));
  realtype reached = 0.0;
  require(ERKStepEvolve(solver, end, y, &reached, ARK_NORMAL));
  State state = start;
  state.q = u.head(n);
  state.v = u.tail(n);
  state.t = end;
  ERKStepFree(&solver);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return state;
}

/// A soft, damped, clamped bar of 240 vertices that bends, so smooth that small steps resolve it.
class AgainstSundials : public testing::TestWithParam<integrators::IntegratorEntry> {
 protected:
  static constexpr double end = 0.1;
  static constexpr int steps = 80;

  AgainstSundials() {
    physics::BodiesSpec spec = test::bar_spec({.cells = {14, 3, 3},
                                               .young = 1e3,
                                               .poisson = 0.3,
                                               .damping_mass = 0.5,
                                               .damping_stiffness = 1e-3,
                                               .clamped = true});
    spec.gravity = {0, 0, -9.81};
    system = std::make_unique<physics::TermSystem>(physics::to_terms(spec));
    start = test::deformed_state(*system, 0.01, 0.2);
  }

  State advance(int number) const {
    integrators::Options options(GetParam().options);
    if (options.values().contains("tolerance"))
      options.set("tolerance", std::max(1e-10, GetParam().traits.finest_tolerance));
    // errors of modes and cut-offs that depend on the step would spoil the extrapolation
    if (options.values().contains("mode_iterations")) options.set("mode_iterations", 10L);
    if (options.values().contains("cutoff")) options.set("cutoff", 4.0);
    const auto method =
        integrators::make_integrator(GetParam(), options, integrators::default_services());
    const auto workspace = system->make_workspace();
    State state = start;
    for (int k = 0; k < number; ++k)
      if (method->step(*system, *workspace, end / number, state).status !=
          integrators::StepStatus::accepted)
        throw std::runtime_error("a step failed");
    return state;
  }

  std::unique_ptr<physics::TermSystem> system;
  State start;
};

TEST_P(AgainstSundials, AgreesAtSmallSteps) {
  static const State reference = sundials_solution(*system, start, end);
  const double way = (reference.q - start.q).norm(), speed = reference.v.norm();
  const auto error = [&](const Vec& q, const Vec& v) {
    return std::max((q - reference.q).norm() / way, (v - reference.v).norm() / speed);
  };
  const State coarse = advance(steps), fine = advance(2 * steps);
  const double gain = std::pow(2.0, GetParam().traits.order);
  const auto extrapolated = [&](const Vec& from_coarse, const Vec& from_fine) -> Vec {
    return (gain * from_fine - from_coarse) / (gain - 1.0);
  };
  const bool is_first_order = GetParam().traits.order == 1;
  // half a step times the rate at which this motion changes, some 10/s, or its square
  EXPECT_LT(error(fine.q, fine.v), is_first_order ? 5e-3 : 2e-5);
  // extrapolated from two step sizes, methods gain an order; each step may be off by the tolerance
  EXPECT_LT(error(extrapolated(coarse.q, fine.q), extrapolated(coarse.v, fine.v)),
            is_first_order ? 2e-4 : std::max(1e-6, steps * GetParam().traits.finest_tolerance));
}

INSTANTIATE_TEST_SUITE_P(Table, AgainstSundials,
                         testing::ValuesIn(integrators::integrators().begin(),
                                           integrators::integrators().end()),
                         [](const auto& row) {
                           std::string name(row.param.traits.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace sinew
