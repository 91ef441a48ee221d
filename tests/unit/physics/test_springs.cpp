// SPDX-License-Identifier: Apache-2.0
// Bodies of springs and point masses: derivatives, definiteness, rest, motions that cost nothing.
#include <numbers>
#include <set>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <sinew/integrators/registry.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/physics/bodies.hpp>

#include "support/bodies.hpp"

namespace sinew::physics {
namespace {

using dynamics::Definiteness;
using dynamics::State;

struct NetOptions {
  double stiffness = 100.0;
  double mass = 0.5;
  double damping_mass = 0.0;
  double damping_stiffness = 0.0;
  DampingShape damping_shape = DampingShape::rest;
};

/// Springs along the edges of a shaken bar of tets, without the tets.
BodiesSpec net_spec(const test::BarOptions& bar = {}, const NetOptions& options = {}) {
  BodiesSpec spec = test::bar_spec(bar);
  Body& body = spec.bodies[0];
  std::set<std::array<int, 2>> edges;
  for (const mesh::Tet& tet : body.mesh.tets)
    for (const auto& [a, b] : mesh::tet_edges)
      edges.insert({std::min(tet[a], tet[b]), std::max(tet[a], tet[b])});
  for (const auto& [a, b] : edges)
    body.springs.push_back({.vertices = {b, a},
                            .stiffness = options.stiffness * (1.0 + 0.01 * a),
                            .rest_length = (body.mesh.vertices[a] - body.mesh.vertices[b]).norm(),
                            .damping_stiffness = options.damping_stiffness,
                            .damping_shape = options.damping_shape});
  body.points.assign(body.mesh.vertices.size(), {options.mass, options.damping_mass});
  body.tets.clear();
  body.mesh.tets.clear();
  body.mesh.regions.clear();
  return spec;
}

/// Two particles of one kilogram and one metre apart, with k = 100 N/m.
BodiesSpec pair_spec() {
  BodiesSpec spec;
  Body body;
  body.mesh.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0)};
  body.springs = {{.vertices = {0, 1}, .stiffness = 100.0, .rest_length = 1.0}};
  body.points = {{1.0}, {1.0}};
  spec.bodies.push_back(body);
  return spec;
}

/// Positions of the two particles, in the user's order.
State pair_state(const TermSystem& system, const Vec3& a, const Vec3& b) {
  State state = system.rest_state();
  state.q.segment<3>(system.dof_of_vertex(0)) = a;
  state.q.segment<3>(system.dof_of_vertex(1)) = b;
  return state;
}

Vec force_at(const TermSystem& system, const State& state) {
  Vec f(system.num_dofs());
  system.force(state, *system.make_workspace(), f);
  return f;
}

Mat stiffness_at(const TermSystem& system, const State& state,
                 Definiteness definiteness = Definiteness::exact, Index* projected = nullptr) {
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  system.linearize(state, {.definiteness = definiteness}, *workspace, *linearization);
  if (projected) *projected = linearization->report.projected;
  return linearization->stiffness().assembled()->to_dense();
}

void expect_derivatives(const TermSystem& system, const State& state, double step) {
  const auto workspace = system.make_workspace();
  const auto at = [&](const Vec& q) {
    State s = state;
    s.q = q;
    return s;
  };
  const Vec f = force_at(system, state);
  const Mat slope = test::numerical_jacobian(
      [&](const Vec& q) { return Vec::Constant(1, system.potential(at(q), *workspace)); }, state.q,
      step);
  EXPECT_LT((f + slope.transpose()).norm(), 1e-6 * f.norm());
  const Mat K = stiffness_at(system, state);
  const Mat numerical = -test::numerical_jacobian(
      [&](const Vec& q) { return force_at(system, at(q)); }, state.q, step);
  EXPECT_LT((K - numerical).norm(), 1e-6 * K.norm());
}

TEST(Springs, ForceAndTangentAreDerivatives) {
  const TermSystem pair(to_terms(pair_spec()));
  const Vec3 away = Vec3(1, 2, -0.5).normalized();
  expect_derivatives(pair, pair_state(pair, Vec3(0.1, 0, 0), 1.4 * away), 1e-6);  // stretched
  expect_derivatives(pair, pair_state(pair, Vec3(0.1, 0, 0), 0.6 * away), 1e-6);  // compressed
  // nearly no length: errors of the differences go as (step/length)^2
  expect_derivatives(pair, pair_state(pair, Vec3::Zero(), 1e-3 * away), 1e-7);
  const TermSystem net(to_terms(net_spec({.clamped = true})));
  expect_derivatives(net, test::deformed_state(net, 0.1), 1e-6);
}

TEST(Springs, CoincidentEndsPushApartWithoutNonsense) {
  const TermSystem system(to_terms(pair_spec()));
  const State state = pair_state(system, Vec3(0.2, 0, 0), Vec3(0.2, 0, 0));
  const Vec f = force_at(system, state);
  EXPECT_LT((f.segment<3>(system.dof_of_vertex(1)) - Vec3(100, 0, 0)).norm(), 1e-6);
  // k along the spring; across it tension by length, -100 N by the 1e-9 m that stand for none
  struct Across {
    Definiteness policy;
    double stiffness;
  };
  const Index y = system.dof_of_vertex(1) + 1;
  for (const auto& [policy, across] :
       {Across{Definiteness::exact, -1e11}, Across{Definiteness::psd_clamp, 0.0},
        Across{Definiteness::psd_abs, 1e11}}) {
    const Mat K = stiffness_at(system, state, policy);
    EXPECT_NEAR(K(y - 1, y - 1), 100.0, 1e-3);  // the difference of two numbers of 1e11
    EXPECT_NEAR(K(y, y), across, 1e-6 * std::abs(across));
    EXPECT_NEAR(K(y + 1, y + 1), across, 1e-6 * std::abs(across));
  }
  std::vector<Mat3> rotations;
  ASSERT_TRUE(system.frame().node_rotations(state, *system.make_workspace(), rotations));
  for (const Mat3& R : rotations) {
    EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 1e-12);
    EXPECT_GT(R.determinant(), 0.0);
  }
}

TEST(Springs, RestIsWithoutForceAndEnergyAndSoIsAnyRigidMotionOfIt) {
  const TermSystem system(to_terms(net_spec()));
  const auto workspace = system.make_workspace();
  State state = system.rest_state();
  EXPECT_EQ(force_at(system, state).norm(), 0.0);
  EXPECT_EQ(system.potential(state, *workspace), 0.0);

  const Mat3 R = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  for (Index i = 0; i < state.q.size(); i += 3)
    state.q.segment<3>(i) = (R * state.q.segment<3>(i) + Vec3(3, 1, -2)).eval();
  // lengths of 0.1 m from coordinates of 3 m: rounding of 1e-15 m times k
  EXPECT_LT(force_at(system, state).norm(), 1e-10);

  // energy depends on lengths alone, and forces turn with the body
  State deformed = test::deformed_state(system, 0.1), turned = deformed;
  for (Index i = 0; i < turned.q.size(); i += 3)
    turned.q.segment<3>(i) = (R * deformed.q.segment<3>(i)).eval();
  const double energy = system.potential(deformed, *workspace);
  EXPECT_NEAR(system.potential(turned, *workspace), energy, 1e-12 * energy);
  const Vec f = force_at(system, deformed), f_turned = force_at(system, turned);
  for (Index i = 0; i < f.size(); i += 3)
    EXPECT_LT((f_turned.segment<3>(i) - R * f.segment<3>(i)).norm(), 1e-12 * f.norm());
}

TEST(Springs, NodeRotationsAreTheIdentityAtRestAndTheTurnOfARigidMotion) {
  const TermSystem net(to_terms(net_spec()));
  const TermSystem pair(to_terms(pair_spec()));
  std::vector<Mat3> rotations;
  for (const TermSystem* system : {&net, &pair}) {
    ASSERT_TRUE(
        system->frame().node_rotations(system->rest_state(), *system->make_workspace(), rotations));
    for (const Mat3& R : rotations) EXPECT_LT((R - Mat3::Identity()).norm(), 1e-9);
  }
  const Mat3 R = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  State state = net.rest_state();
  for (Index i = 0; i < state.q.size(); i += 3)
    state.q.segment<3>(i) = (R * state.q.segment<3>(i)).eval();
  ASSERT_TRUE(net.frame().node_rotations(state, *net.make_workspace(), rotations));
  // what picks a rotation for vertices with few springs adds 1e-6
  for (const Mat3& Q : rotations) EXPECT_LT((Q - R).norm(), 1e-4);

  // one spring says nothing about turning around itself: the smallest turn is taken
  state = pair_state(pair, Vec3::Zero(), Vec3(0, 2, 0));
  ASSERT_TRUE(pair.frame().node_rotations(state, *pair.make_workspace(), rotations));
  const Mat3 quarter = Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitZ()).toRotationMatrix();
  for (const Mat3& Q : rotations) EXPECT_LT((Q - quarter).norm(), 1e-9);
  // and some proper rotation when it was turned round
  state = pair_state(pair, Vec3::Zero(), Vec3(-1, 0, 0));
  ASSERT_TRUE(pair.frame().node_rotations(state, *pair.make_workspace(), rotations));
  for (const Mat3& Q : rotations) {
    EXPECT_LT((Q.transpose() * Q - Mat3::Identity()).norm(), 1e-12);
    EXPECT_NEAR(Q.determinant(), 1.0, 1e-12);
    EXPECT_LT((Q * Vec3::UnitX() + Vec3::UnitX()).norm(), 1e-12);
  }
}

TEST(Springs, DefiniteTangentsChangeCompressedSpringsOnly) {
  const TermSystem pair(to_terms(pair_spec()));
  const State stretched = pair_state(pair, Vec3::Zero(), Vec3(0, 1.5, 0));
  const State compressed = pair_state(pair, Vec3::Zero(), Vec3(0, 0.5, 0));
  for (const Definiteness policy : {Definiteness::psd_clamp, Definiteness::psd_abs}) {
    Index projected = -1;
    EXPECT_EQ(stiffness_at(pair, stretched, policy, &projected), stiffness_at(pair, stretched));
    EXPECT_EQ(projected, 0);
    const Mat K = stiffness_at(pair, compressed, policy, &projected);
    EXPECT_EQ(projected, 1);
    // the two ends move against each other: k along, and |k (1 - L/l)| = k or nothing across
    const Vec spectrum = la::symmetric_eigenvalues(K);
    const double across = policy == Definiteness::psd_abs ? 200.0 : 0.0;
    const Vec expected = (Vec(6) << 0, 0, 0, across, across, 200).finished();
    EXPECT_LT((spectrum - expected).norm(), 1e-10);
  }
  const TermSystem net(to_terms(net_spec()));
  const State state = test::deformed_state(net, 0.1);
  EXPECT_LT(la::symmetric_eigenvalues(stiffness_at(net, state))[0], -1.0);
  for (const Definiteness policy : {Definiteness::psd_clamp, Definiteness::psd_abs}) {
    const Vec spectrum = la::symmetric_eigenvalues(stiffness_at(net, state, policy));
    EXPECT_GT(spectrum[0], -1e-12 * spectrum[spectrum.size() - 1]);
  }
}

TEST(Springs, DampingIsMassAndStiffnessOfTheShapeAskedFor) {
  for (const DampingShape shape : {DampingShape::rest, DampingShape::current}) {
    const TermSystem system(to_terms(
        net_spec({}, {.damping_mass = 2.0, .damping_stiffness = 0.1, .damping_shape = shape})));
    const auto workspace = system.make_workspace();
    const auto linearization = system.make_linearization();
    const State state = test::deformed_state(system, 0.1);
    system.linearize(state, {}, *workspace, *linearization);
    const Mat D = linearization->damping()->assembled()->to_dense();
    const Mat K = shape == DampingShape::rest
                      ? stiffness_at(system, system.rest_state())
                      : stiffness_at(system, state, Definiteness::psd_clamp);
    const Mat expected = 2.0 * 0.5 * Mat::Identity(D.rows(), D.cols()) + 0.1 * K;
    EXPECT_LT((D - expected).norm(), 1e-12 * expected.norm());

    State resting = state;
    resting.v.setZero();
    const Vec damping_force = force_at(system, state) - force_at(system, resting);
    EXPECT_LT((damping_force + D * state.v).norm(), 1e-12 * damping_force.norm());
    EXPECT_NEAR(system.dissipation(state, *workspace), 0.5 * state.v.dot(D * state.v),
                1e-10 * state.v.dot(D * state.v));
  }
}

TEST(Springs, PiecesTooSmallToTurnHaveFewerRigidModes) {
  BodiesSpec spec = pair_spec();
  EXPECT_EQ(TermSystem(to_terms(spec))
                .frame()
                .rigid_modes(TermSystem(to_terms(spec)).rest_state())
                .cols(),
            5);
  Body& body = spec.bodies[0];
  body.mesh.vertices.push_back(Vec3(5, 0, 0));  // a particle on its own
  body.points.push_back({1.0});
  const TermSystem system(to_terms(spec));
  const Mat modes = system.frame().rigid_modes(system.rest_state());
  EXPECT_EQ(modes.cols(), 8);
  EXPECT_TRUE(modes.allFinite());
  EXPECT_LT((stiffness_at(system, system.rest_state()) * modes).norm(), 1e-12);
  EXPECT_EQ(Eigen::FullPivLU<Mat>(modes).rank(), 8);
  std::vector<Mat3> rotations;
  ASSERT_TRUE(
      system.frame().node_rotations(system.rest_state(), *system.make_workspace(), rotations));
  for (const Mat3& R : rotations) EXPECT_LT((R - Mat3::Identity()).norm(), 1e-9);
}

TEST(Springs, ATrussOnItsFeetHasNoMechanism) {
  for (const mesh::TrussSettings& settings :
       {mesh::TrussSettings{}, mesh::TrussSettings{.top_width = 1.8, .panels = {1, 2}, .arms = 2},
        mesh::TrussSettings{.arms = 1, .arm_panels = 1}}) {
    BodiesSpec spec;
    Body body;
    body.mesh = mesh::make_truss(settings);
    for (const mesh::Edge& bar : body.mesh.bars)
      body.springs.push_back(
          {.vertices = bar,
           .stiffness = 1.0,
           .rest_length = (body.mesh.vertices[bar[0]] - body.mesh.vertices[bar[1]]).norm()});
    body.points.assign(body.mesh.vertices.size(), {1.0});
    for (int v = 0; v < body.mesh.num_vertices(); ++v)
      if (body.mesh.vertices[v][2] == 0.0) spec.fixed.push_back(v);
    ASSERT_EQ(spec.fixed.size(), 4u);
    spec.bodies.push_back(body);
    const TermSystem system(to_terms(spec));
    const Mat K = stiffness_at(system, system.rest_state());
    const Vec spectrum = la::symmetric_eigenvalues(K);
    // the softest mode is the swaying of the whole tower, far above rounding (1e-15)
    EXPECT_GT(spectrum[0], 5e-6);
  }
}

TEST(Springs, TwoMassesOscillateWithTheClosedFormFrequency) {
  BodiesSpec spec = pair_spec();
  spec.bodies[0].points = {{1.0}, {3.0}};
  const TermSystem system(to_terms(spec));
  const auto workspace = system.make_workspace();
  State state = pair_state(system, Vec3(-0.1, 0, 0), Vec3(1.0, 0, 0));
  const double omega = std::sqrt(100.0 / (1.0 * 3.0 / 4.0));  // k over the reduced mass
  const double period = 2.0 * std::numbers::pi / omega;
  const auto method = integrators::make_integrator("rk4");
  const int steps = 2000;
  for (int step = 0; step < 5 * steps; ++step)
    ASSERT_EQ(method->step(system, *workspace, period / steps, state).status,
              integrators::StepStatus::accepted);
  // rk4 with h omega = 2 pi/2000 is off by a phase of 5 * 2 pi (h omega)^4/120 = 3e-11
  EXPECT_NEAR(state.q[system.dof_of_vertex(0)], -0.1, 1e-9);
  EXPECT_NEAR(state.q[system.dof_of_vertex(1)], 1.0, 1e-9);
  EXPECT_LT(state.v.norm(), 1e-9);
}

TEST(Springs, MomentumOfAFreeNetStays) {
  const TermSystem system(to_terms(net_spec()));
  const auto workspace = system.make_workspace();
  State state = test::deformed_state(system, 0.05);
  const auto before = *system.accounts().momentum(state);
  const auto method = integrators::make_integrator("verlet");
  for (int step = 0; step < 200; ++step)
    ASSERT_EQ(method->step(system, *workspace, 1e-3, state).status,
              integrators::StepStatus::accepted);
  const auto after = *system.accounts().momentum(state);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-11 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-11 * before.angular.norm());
}

TEST(Springs, ResultsAreTheSameBitsOnAnyNumberOfThreads) {
  const BodiesSpec spec =
      net_spec({.size = {4, 1, 1}, .cells = {48, 6, 6}, .clamped = true},
               {.damping_stiffness = 0.01, .damping_shape = DampingShape::current});
  std::vector<Vec> forces, tangents;
  std::vector<double> energies;
  for (const int threads : {1, 2, 8}) {
    const core::Executor executor(threads);
    const TermSystem system(to_terms(spec), executor);
    const auto workspace = system.make_workspace();
    const auto linearization = system.make_linearization();
    const State state = test::deformed_state(system);
    Vec f;
    system.linearize(state, {.definiteness = Definiteness::psd_clamp}, *workspace, *linearization,
                     &f);
    EXPECT_EQ(f, force_at(system, state));
    const la::SymmetricMatrix& K = *linearization->stiffness().assembled();
    forces.push_back(f);
    tangents.push_back(Eigen::Map<const Vec>(K.values(), K.pattern().num_entries() * 9));
    energies.push_back(system.potential(state, *workspace));
  }
  for (int k = 1; k < 3; ++k) {
    EXPECT_EQ(forces[k], forces[0]);
    EXPECT_EQ(tangents[k], tangents[0]);
    EXPECT_EQ(energies[k], energies[0]);
  }
}

TEST(Springs, ABodyMayHaveTetsAndSpringsAndBodiesMayDiffer) {
  // a solid, the same solid with springs along its edges, a net
  BodiesSpec solid = test::bar_spec(), net = net_spec(), both = solid, three = solid;
  both.bodies[0].springs = net.bodies[0].springs;
  const TermSystem solid_system(to_terms(solid)), net_system(to_terms(net)),
      both_system(to_terms(both));
  EXPECT_EQ(both_system.observables().geometry().types.size(),
            static_cast<std::size_t>(solid_system.num_cells()));
  const auto energy = [](const TermSystem& system) {
    return system.potential(test::deformed_state(system), *system.make_workspace());
  };
  EXPECT_NEAR(energy(both_system), energy(solid_system) + energy(net_system),
              1e-12 * energy(both_system));

  three.bodies.push_back(net.bodies[0]);
  three.bodies.push_back(solid.bodies[0]);
  const TermSystem system(to_terms(three));
  const auto workspace = system.make_workspace();
  const int tets = solid_system.num_cells(), springs = net_system.num_cells();
  ASSERT_EQ(system.observables().geometry().types.size(),
            static_cast<std::size_t>(2 * tets + springs));
  EXPECT_EQ(system.observables().geometry().types[static_cast<std::size_t>(tets)], 3)
      << "a line of VTK";
  Vec stretch(2 * tets + springs), stress(2 * tets + springs);
  State state = system.rest_state();
  state.q *= 1.1;
  system.observables().evaluate_field("det_f", state, *workspace, stretch);
  system.observables().evaluate_field("von_mises", state, *workspace, stress);
  EXPECT_LT((stretch.head(tets).array() - 1.331).abs().maxCoeff(), 1e-12);
  EXPECT_LT((stretch.segment(tets, springs).array() - 1.1).abs().maxCoeff(), 1e-12);
  EXPECT_LT((stretch.tail(tets).array() - 1.331).abs().maxCoeff(), 1e-12);
  EXPECT_EQ(stress.segment(tets, springs).norm(), 0.0);
}

}  // namespace
}  // namespace sinew::physics
