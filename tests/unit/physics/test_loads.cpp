// SPDX-License-Identifier: Apache-2.0
// Loads and damping of an elastic body, against differences, closed forms and balances.
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/la/dense/decompositions.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/physics/bodies.hpp>

#include "support/bodies.hpp"

namespace sinew::physics {
namespace {

using test::bar_spec;
using test::deformed_state;
using test::numerical_jacobian;

std::shared_ptr<const VectorFormula> formulas(const char* x, const char* y, const char* z) {
  return std::make_shared<const VectorFormula>(VectorFormula{core::Expression(std::string(x)),
                                                             core::Expression(std::string(y)),
                                                             core::Expression(std::string(z))});
}

std::shared_ptr<const core::Expression> formula(const char* text) {
  return std::make_shared<const core::Expression>(std::string(text));
}

/// A body with its matrices and differences at a state.
struct Probe {
  explicit Probe(const BodiesSpec& spec)
      : system(to_terms(spec)),
        workspace(system.make_workspace()),
        linearization(system.make_linearization()) {}

  Vec force(const dynamics::State& state) {
    Vec f(system.num_dofs());
    system.force(state, *workspace, f);
    return f;
  }
  Mat stiffness(const dynamics::State& state, dynamics::Definiteness definiteness) {
    system.linearize(state, {.definiteness = definiteness}, *workspace, *linearization);
    return linearization->stiffness().assembled()->to_dense();
  }
  Mat damping(const dynamics::State& state) {
    system.linearize(state, {}, *workspace, *linearization);
    return linearization->damping()->assembled()->to_dense();
  }
  Mat numerical_stiffness(dynamics::State state) {
    const Vec q = state.q;
    return -numerical_jacobian(
        [&](const Vec& at) {
          state.q = at;
          return force(state);
        },
        q);
  }
  Mat numerical_damping(dynamics::State state) {
    const Vec v = state.v;
    return -numerical_jacobian(
        [&](const Vec& at) {
          state.v = at;
          return force(state);
        },
        v);
  }

  TermSystem system;
  std::unique_ptr<dynamics::Workspace> workspace;
  std::unique_ptr<dynamics::Linearization> linearization;
};

/// Surface faces of the bar whose corners all satisfy a condition.
template <class Condition>
std::vector<std::array<int, 3>> faces_where(const mesh::TetMesh& mesh, const Condition& condition) {
  std::vector<std::array<int, 3>> faces;
  for (const mesh::Triangle& face : mesh::extract_surface(mesh).triangles)
    if (std::all_of(face.begin(), face.end(), [&](int v) { return condition(mesh.vertices[v]); }))
      faces.push_back(face);
  return faces;
}

std::vector<std::array<int, 3>> all_faces(const mesh::TetMesh& mesh) {
  return faces_where(mesh, [](const Vec3&) { return true; });
}

Vec3 total(const Vec& f) {
  Vec3 sum = Vec3::Zero();
  for (Index i = 0; i < f.size(); i += 3) sum += f.segment<3>(i);
  return sum;
}

constexpr auto exact = dynamics::Definiteness::exact;

TEST(Pressure, OnAClosedSurfacePushesNowhereAndHasASymmetricTangent) {
  BodiesSpec spec = bar_spec({.cells = {3, 1, 1}});
  spec.pressures.push_back({all_faces(spec.bodies[0].mesh), formula("5e3"), {}});
  Probe probe(spec);
  const dynamics::State state = deformed_state(probe.system);

  const Vec f = probe.force(state);
  Vec3 torque = Vec3::Zero();
  for (Index i = 0; i < f.size(); i += 3)
    torque += Vec3(state.q.segment<3>(i)).cross(Vec3(f.segment<3>(i)));
  EXPECT_LT(total(f).norm(), 1e-12 * f.norm());
  EXPECT_LT(torque.norm(), 1e-12 * f.norm());

  const Mat numerical = probe.numerical_stiffness(state);
  EXPECT_LT((numerical - numerical.transpose()).norm(), 1e-7 * numerical.norm());
  EXPECT_LT((probe.stiffness(state, exact) - numerical).norm(), 1e-7 * numerical.norm());
}

TEST(Pressure, OnAPatchHasTheSymmetricPartOfItsTangent) {
  BodiesSpec spec = bar_spec({.cells = {3, 1, 1}, .clamped = true});
  spec.pressures.push_back(
      {faces_where(spec.bodies[0].mesh, [](const Vec3& x) { return x[2] > 0.2 - 1e-9; }),
       formula("2e4*(1 + x)"),
       {}});
  Probe probe(spec);
  const dynamics::State state = deformed_state(probe.system);

  const Mat numerical = probe.numerical_stiffness(state);
  const Mat symmetric = 0.5 * (numerical + numerical.transpose());
  EXPECT_LT((probe.stiffness(state, exact) - symmetric).norm(), 1e-7 * numerical.norm());
  EXPECT_GT((numerical - symmetric).norm(), 1e-4 * numerical.norm()) << "a skew part is left out";
}

TEST(Pressure, IsForcePerAreaAlongTheInwardNormalAndDefiniteTangentsLeaveItOut) {
  BodiesSpec spec = bar_spec();
  spec.pressures.push_back(
      {faces_where(spec.bodies[0].mesh, [](const Vec3& x) { return x[0] > 1.0 - 1e-9; }),
       formula("700"),
       {.from = 1.0, .until = 2.0}});
  Probe probe(spec);
  dynamics::State state = probe.system.rest_state();
  state.t = 1.5;

  const Vec3 expected(-700.0 * 0.3 * 0.2, 0.0, 0.0);
  EXPECT_LT((total(probe.force(state)) - expected).norm(), 1e-12 * expected.norm());
  for (const auto policy : {dynamics::Definiteness::psd_clamp, dynamics::Definiteness::psd_abs}) {
    const Mat K = probe.stiffness(state, policy);
    EXPECT_GT(la::symmetric_eigenvalues(K)[0], -1e-12 * K.norm());
  }
  for (const double t : {0.5, 2.0}) {
    state.t = t;
    EXPECT_LT(probe.force(state).norm(), 1e-9) << "outside its window, t = " << t;
  }
}

TEST(Wind, PushesWithTheDynamicPressureAndDampsWithItsDerivative) {
  // so soft that differences are not drowned in the rounding of elastic forces
  BodiesSpec spec = bar_spec({.cells = {3, 1, 1}, .young = 1.0});
  spec.winds.push_back({.faces = all_faces(spec.bodies[0].mesh),
                        .velocity = formulas("-30", "0", "0"),
                        .density = 1.25,
                        .drag = 0.8});
  Probe probe(spec);
  dynamics::State state = probe.system.rest_state();

  // only the end at x = 1 faces a wind towards -x
  const Vec3 expected(-0.8 * 0.5 * 1.25 * 900.0 * 0.3 * 0.2, 0.0, 0.0);
  EXPECT_LT((total(probe.force(state)) - expected).norm(), 1e-12 * expected.norm());

  // a body as fast as the wind feels nothing
  for (Index i = 0; i < state.v.size(); i += 3) state.v[i] = -30.0;
  EXPECT_LT(probe.force(state).norm(), 1e-9);

  state = deformed_state(probe.system);
  const Mat numerical = probe.numerical_damping(state);
  EXPECT_LT((probe.damping(state) - numerical).norm(), 1e-6 * numerical.norm());
}

TEST(VertexLoads, HaveAPotentialAndShareTheForce) {
  BodiesSpec spec = bar_spec();
  spec.forces.push_back(
      {.vertices = {0, 5, 9}, .factors = {0.5, 0.25, 0.25}, .value = formulas("3*t", "-x", "2")});
  Probe probe(spec);
  dynamics::State state = probe.system.rest_state();
  state.t = 2.0;

  const auto& x = spec.bodies[0].mesh.vertices;
  const double mean_x = 0.5 * x[0][0] + 0.25 * (x[5][0] + x[9][0]);
  EXPECT_LT((total(probe.force(state)) - Vec3(6.0, -mean_x, 2.0)).norm(), 1e-9);

  state = deformed_state(probe.system);
  state.t = 2.0;
  const Vec q = state.q;
  const Mat gradient = numerical_jacobian(
      [&](const Vec& at) {
        state.q = at;
        return Vec(Vec::Constant(1, probe.system.potential(state, *probe.workspace)));
      },
      q);
  state.q = q;
  EXPECT_LT((probe.force(state) + gradient.transpose()).norm(), 1e-5 * gradient.norm());
}

TEST(VertexLoads, APulseIsSmoothAndGivesHalfItsPeakTimesItsLength) {
  BodiesSpec spec = bar_spec();
  spec.forces.push_back({.vertices = {0},
                         .factors = {1.0},
                         .value = formulas("8", "0", "0"),
                         .window = {.from = 0.2, .until = 0.6},
                         .envelope = Envelope::pulse});
  Probe probe(spec);
  dynamics::State state = probe.system.rest_state();
  const auto push = [&](double t) {
    state.t = t;
    return total(probe.force(state))[0];
  };

  // the midpoint rule is exact for sin^2 over its period
  constexpr int steps = 20;
  double impulse = 0.0;
  for (int k = 0; k < steps; ++k) impulse += push(0.2 + 0.4 * (k + 0.5) / steps) * 0.4 / steps;
  EXPECT_NEAR(impulse, 0.5 * 8.0 * 0.4, 1e-9);
  EXPECT_NEAR(push(0.4), 8.0, 1e-9);
  EXPECT_NEAR(push(0.1), 0.0, 1e-9);
  EXPECT_NEAR(push(0.6), 0.0, 1e-9);
}

TEST(Loads, ForceRateIsTheMeanChangeInTimeOfAllThatActs) {
  BodiesSpec spec = bar_spec({.clamped = true});
  spec.forces.push_back(
      {.vertices = {20}, .factors = {1.0}, .value = formulas("sin(5*t)", "t^2", "0")});
  spec.pressures.push_back({all_faces(spec.bodies[0].mesh), formula("100*t"), {}});
  spec.winds.push_back(
      {.faces = all_faces(spec.bodies[0].mesh), .velocity = formulas("10*t", "x", "0")});
  Probe probe(spec);
  ASSERT_TRUE(probe.system.traits().depends_on_time);
  dynamics::State state = deformed_state(probe.system);
  state.t = 0.7;
  const double dt = 0.05;

  Vec rate(probe.system.num_dofs());
  probe.system.force_rate(state, dt, *probe.workspace, rate);
  dynamics::State later = state;
  later.t += dt;
  const Vec expected = (probe.force(later) - probe.force(state)) / dt;
  EXPECT_LT((rate - expected).norm(), 1e-9 * expected.norm());
}

TEST(Damping, OfTheCurrentShapeIsItsClampedStiffness) {
  const double b = 2e-3;
  Probe damped(bar_spec(
      {.cells = {3, 1, 1}, .damping_stiffness = b, .damping_shape = DampingShape::current}));
  Probe plain(bar_spec({.cells = {3, 1, 1}}));
  const dynamics::State state = deformed_state(damped.system, 0.15);
  ASSERT_EQ(damped.system.traits().damping, dynamics::DampingKind::state_dependent);

  const Mat D = damped.damping(state);
  const Mat K = plain.stiffness(state, dynamics::Definiteness::psd_clamp);
  EXPECT_LT((D - b * K).norm(), 1e-12 * D.norm());
  EXPECT_LT((damped.numerical_damping(state) - D).norm(), 1e-6 * D.norm());
  EXPECT_NEAR(damped.system.dissipation(state, *damped.workspace), 0.5 * state.v.dot(D * state.v),
              1e-10 * state.v.dot(D * state.v));
}

TEST(Damping, OfTheCurrentShapeIgnoresTurningWhereThatOfTheRestShapeDoesNot) {
  const auto spin_loss = [](DampingShape shape) {
    Probe probe(bar_spec({.damping_stiffness = 1e-3, .damping_shape = shape}));
    dynamics::State state = probe.system.rest_state();
    const Mat3 turn = Eigen::AngleAxisd(0.9, Vec3::UnitZ()).toRotationMatrix();
    for (Index i = 0; i < state.q.size(); i += 3) {
      state.q.segment<3>(i) = (turn * state.q.segment<3>(i)).eval();
      state.v.segment<3>(i) = Vec3::UnitZ().cross(Vec3(state.q.segment<3>(i)));
    }
    return probe.system.dissipation(state, *probe.workspace);
  };

  EXPECT_LT(spin_loss(DampingShape::current), 1e-12);
  EXPECT_GT(spin_loss(DampingShape::rest), 0.1);
}

}  // namespace
}  // namespace sinew::physics
