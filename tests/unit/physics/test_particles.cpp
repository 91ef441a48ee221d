// SPDX-License-Identifier: Apache-2.0
// Particles: how pairs are found, vertices that are one, springs that yield, what cells show.
#include <random>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <sinew/integrators/registry.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/physics/bodies.hpp>
#include <sinew/physics/pairs/neighbours.hpp>
#include <sinew/physics/pairs/pair_potential.hpp>

#include "support/bodies.hpp"

namespace sinew::physics {
namespace {

using dynamics::State;

PaddedField random_places(int count, double size, unsigned seed) {
  PaddedField x(count);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(-size, size);
  for (int v = 0; v < count; ++v) x.vector(v) = Vec3(place(random), place(random), place(random));
  return x;
}

TEST(Neighbours, AreThoseOfTheDirectSearch) {
  for (const int count : {0, 1, 2, 50, 400})
    for (const double distance : {0.01, 0.3, 1.0, 50.0}) {
      const PaddedField x = random_places(count, 2.0, static_cast<unsigned>(count) + 1);
      std::vector<int> some;  // not all of them
      for (int v = 0; v < count; ++v)
        if (v % 3 != 1) some.push_back(v);
      const Neighbours cells = find_neighbours(some, x, distance);
      const Neighbours direct = find_neighbours_directly(some, x, distance);
      EXPECT_EQ(cells.start, direct.start) << count << " " << distance;
      EXPECT_EQ(cells.others, direct.others) << count << " " << distance;
    }
}

TEST(Neighbours, EmptySpaceAndNoPlaceAtAllCostNothing) {
  PaddedField x = random_places(40, 1.0, 5);
  x.vector(7) = Vec3(1e12, -1e12, 3.0);
  x.vector(8) = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  std::vector<int> all(40);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(find_neighbours(all, x, 0.5).others, find_neighbours_directly(all, x, 0.5).others);
}

/// Atoms in a box, some of them joined by springs.
BodiesSpec gas(int count, bool direct) {
  BodiesSpec spec;
  Body body;
  const PaddedField x = random_places(count, 1.2, 9);
  for (int v = 0; v < count; ++v) body.mesh.vertices.emplace_back(x.vector(v));
  for (int v = 0; v + 1 < count; v += 2)
    body.springs.push_back(
        {.vertices = {v, v + 1},
         .stiffness = 20.0,
         .rest_length = (body.mesh.vertices[v] - body.mesh.vertices[v + 1]).norm()});
  body.points.assign(static_cast<std::size_t>(count), {.mass = 1.0});
  spec.bodies.push_back(std::move(body));
  spec.interactions.push_back([=](const TermSite& site) {
    PairSpec pairs{.direct = direct};
    for (int v = 0; v < count; ++v) {
      pairs.vertices.push_back(v);
      pairs.kinds.push_back(v % 3);
    }
    for (int v = 0; v + 1 < count; v += 2) {
      const auto [low, high] =
          std::minmax({site.numbering.internal(v), site.numbering.internal(v + 1)});
      pairs.excluded.push_back({low, high});
    }
    std::vector<std::unique_ptr<Term>> terms;
    terms.push_back(make_pair_term(
        LennardJones({{1.0, 0.1}, {0.5, 0.12}, {2.0, 0.08}}, {.from = 0.4, .to = 0.5}), pairs));
    return terms;
  });
  return spec;
}

TEST(Pairs, AreTheSameBitsByCellsDirectlyAndOnAnyNumberOfThreads) {
  constexpr int count = 300;
  const BodiesSpec by_cells = gas(count, false), directly = gas(count, true);
  std::vector<Vec> ends;
  for (const int threads : {1, 2, 3})
    for (const BodiesSpec* spec : {&by_cells, &directly}) {
      const core::Executor executor(threads);
      const TermSystem system(to_terms(*spec), executor);
      auto workspace = system.make_workspace();
      const auto method = integrators::make_integrator("verlet");
      State state = system.rest_state();
      for (int step = 0; step < 60; ++step) {
        // a new workspace has no list of pairs yet
        if (step % 20 == 7 && threads == 2) workspace = system.make_workspace();
        ASSERT_EQ(method->step(system, *workspace, 1e-3, state).status,
                  integrators::StepStatus::accepted);
      }
      ends.push_back(state.q);
    }
  for (const Vec& end : ends) EXPECT_EQ(end, ends.front());
  EXPECT_GT((ends.front() - TermSystem(to_terms(by_cells)).rest_state().q).norm(), 1e-3);
}

TEST(Verlet, KeepsItsForceUnlessSomethingHappensBetweenSteps) {
  const auto forces_of = [](double yield) {
    BodiesSpec spec = gas(2, false);
    spec.bodies[0].springs[0].yield = yield;
    const TermSystem system(to_terms(spec));
    const auto workspace = system.make_workspace();
    const auto method = integrators::make_integrator("verlet");
    State state = system.rest_state();
    state.v.setConstant(0.3);
    long forces = 0;
    for (int step = 0; step < 10; ++step)
      forces += method->step(system, *workspace, 1e-3, state).profile.counts.force;
    return forces;
  };
  EXPECT_EQ(forces_of(std::numeric_limits<double>::infinity()), 11);
  EXPECT_EQ(forces_of(0.1), 20);
}

TEST(Pairs, ExcludedOnesDoNotAct) {
  BodiesSpec spec = gas(2, false);
  spec.bodies[0].mesh.vertices = {Vec3::Zero(), Vec3(0.12, 0, 0)};
  spec.bodies[0].springs[0].rest_length = 0.12;
  const TermSystem system(to_terms(spec));
  Vec f(6);
  system.force(system.rest_state(), *system.make_workspace(), f);
  EXPECT_LT(f.norm(), 1e-14);
}

// ---- vertices that are one ------------------------------------------------------------------

TEST(JoinedVertices, MoveAsOneAndShareTheirMass) {
  // two ropes end to end are one rope of twice the length
  const auto rope = [](int particles, double from) {
    Body body;
    for (int v = 0; v < particles; ++v) body.mesh.vertices.emplace_back(from + 0.1 * v, 0, 0);
    for (int v = 0; v + 1 < particles; ++v)
      body.springs.push_back({.vertices = {v, v + 1}, .stiffness = 50.0, .rest_length = 0.1});
    body.points.assign(static_cast<std::size_t>(particles), {.mass = 0.02});
    return body;
  };
  BodiesSpec halves;
  halves.bodies = {rope(6, 0.0), rope(5, 0.5)};
  halves.bodies[0].points[5].mass = 0.015;
  halves.bodies[1].points[0].mass = 0.005;
  halves.joined = {6, 5};
  halves.fixed = {0};
  halves.gravity = {0, 0, -9.81};
  BodiesSpec whole;
  whole.bodies = {rope(10, 0.0)};
  whole.fixed = {0};
  whole.gravity = halves.gravity;
  const TermSystem a(to_terms(halves)), b(to_terms(whole));
  ASSERT_EQ(a.num_dofs(), b.num_dofs());
  EXPECT_EQ(a.num_vertices(), 11);
  EXPECT_EQ(a.dof_of_vertex(5), a.dof_of_vertex(6));
  State p = a.rest_state(), q = b.rest_state();
  const auto one = integrators::make_integrator("be"), other = integrators::make_integrator("be");
  const auto work = a.make_workspace(), space = b.make_workspace();
  for (int step = 0; step < 20; ++step) {
    ASSERT_EQ(one->step(a, *work, 0.01, p).status, integrators::StepStatus::accepted);
    ASSERT_EQ(other->step(b, *space, 0.01, q).status, integrators::StepStatus::accepted);
  }
  Vec places(3 * a.num_vertices());
  a.observables().evaluate_field("position", p, *work, places);
  for (int v = 0; v < 11; ++v) {
    const int same = v <= 5 ? v : v - 1;
    EXPECT_LT((a.vertex_position(v, p) - b.vertex_position(same, q)).norm(), 1e-9) << v;
    EXPECT_EQ(Vec3(places.segment<3>(3 * v)), a.vertex_position(v, p));
  }
}

TEST(JoinedVertices, OneThatIsHeldHoldsTheOther) {
  BodiesSpec spec;
  for (const double from : {0.0, 1.0}) {
    Body body;
    body.mesh.vertices = {Vec3(from, 0, 0), Vec3(from + 1.0, 0, 0)};
    body.springs = {{.vertices = {0, 1}, .stiffness = 1.0, .rest_length = 1.0}};
    body.points.assign(2, {.mass = 1.0});
    spec.bodies.push_back(body);
  }
  spec.joined = {1, 2};
  spec.fixed = {2};
  const TermSystem system(to_terms(spec));
  EXPECT_EQ(system.num_dofs(), 6);
  EXPECT_EQ(system.dof_of_vertex(1), -1);
}

// ---- what cells show ------------------------------------------------------------------------

TEST(SpringFields, ShowStrainTensionAndStress) {
  BodiesSpec spec;
  Body body;
  body.mesh.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(3, 0, 0)};
  body.springs = {{.vertices = {0, 1}, .stiffness = 10.0, .rest_length = 0.8, .section = 0.5},
                  {.vertices = {1, 2}, .stiffness = 10.0, .rest_length = 2.5}};
  body.points.assign(3, {.mass = 1.0});
  spec.bodies.push_back(body);
  const TermSystem system(to_terms(spec));
  const auto work = system.make_workspace();
  const auto field = [&](const char* name) {
    Vec values(system.num_cells());
    system.observables().evaluate_field(name, system.rest_state(), *work, values);
    return values;
  };
  EXPECT_NEAR(field("strain")[0], 0.25, 1e-15);
  EXPECT_NEAR(field("strain")[1], -0.2, 1e-15);
  EXPECT_NEAR(field("tension")[0], 2.0, 1e-14);
  EXPECT_NEAR(field("tension")[1], -5.0, 1e-14);
  EXPECT_NEAR(field("von_mises")[0], 4.0, 1e-14);
  EXPECT_EQ(field("von_mises")[1], 0.0);
  EXPECT_NEAR(system.health().admissibility(system.rest_state(), *work).largest_strain, 0.25,
              1e-15);
}

TEST(SpringFields, OfClothAreThoseOfTheEdgeFurthestFromRest) {
  BodiesSpec spec;
  Body body;
  body.mesh.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)};
  body.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  for (const auto& [a, b] : mesh::edges_of(body.mesh))
    body.springs.push_back({.vertices = {b, a},
                            .stiffness = 1.0,
                            .rest_length = (body.mesh.vertices[a] - body.mesh.vertices[b]).norm()});
  body.springs[0].rest_length = 0.5;  // 0 - 1, of the first triangle
  body.points.assign(4, {.mass = 1.0});
  spec.bodies.push_back(body);
  const TermSystem system(to_terms(spec));
  ASSERT_EQ(system.num_cells(), 2);
  EXPECT_EQ(system.observables().geometry().types, (std::vector<std::uint8_t>{5, 5}));
  Vec strain(2);
  system.observables().evaluate_field("strain", system.rest_state(), *system.make_workspace(),
                                      strain);
  EXPECT_NEAR(strain[0], 1.0, 1e-15);
  EXPECT_EQ(strain[1], 0.0);
}

// ---- rotations ------------------------------------------------------------------------------

TEST(NodeRotations, OfARigidMotionAreItsOwnHoweverTheyAreFound) {
  const Mat3 R = Eigen::AngleAxisd(2.4, Vec3(1, -2, 0.7).normalized()).toRotationMatrix();
  BodiesSpec solid = test::bar_spec({.cells = {4, 2, 2}});
  BodiesSpec net = solid;
  net.bodies[0].tets.clear();
  net.bodies[0].points.assign(net.bodies[0].mesh.vertices.size(), {.mass = 1.0});
  for (const auto& [a, b] : mesh::edges_of(net.bodies[0].mesh))
    net.bodies[0].springs.push_back(
        {.vertices = {a, b},
         .stiffness = 1.0,
         .rest_length = (net.bodies[0].mesh.vertices[a] - net.bodies[0].mesh.vertices[b]).norm()});
  for (const BodiesSpec* spec : {&solid, &net})
    for (const auto kind :
         {dynamics::NodeRotations::neighbourhood, dynamics::NodeRotations::edges}) {
      const TermSystem system(to_terms(*spec));
      State state = system.rest_state();
      for (Index k = 0; k < state.q.size(); k += 3)
        state.q.segment<3>(k) = (R * state.q.segment<3>(k) + Vec3(1, 2, 3)).eval();
      std::vector<Mat3> rotations;
      const auto workspace = system.make_workspace();
      ASSERT_TRUE(system.frame().node_rotations(state, *workspace, rotations, kind));
      ASSERT_EQ(std::ssize(rotations), system.num_dofs() / 3);
      for (const Mat3& found : rotations) EXPECT_LT((found - R).norm(), 1e-12);
      // and of any other motion they are rotations
      ASSERT_TRUE(system.frame().node_rotations(test::deformed_state(system, 0.2), *workspace,
                                                rotations, kind));
      for (const Mat3& found : rotations) {
        EXPECT_LT((found.transpose() * found - Mat3::Identity()).norm(), 1e-12);
        EXPECT_GT(found.determinant(), 0.0);
      }
    }
}

TEST(NodeRotations, OfClothAreExactToo) {
  // flat around every vertex: the third direction follows from the other two
  const mesh::TetMesh cloth = mesh::make_cloth({.cells = {4, 3}});
  BodiesSpec spec;
  Body body;
  body.mesh = cloth;
  for (const mesh::Edge& bar : cloth.bars)
    body.springs.push_back(
        {.vertices = bar,
         .stiffness = 1.0,
         .rest_length = (cloth.vertices[bar[0]] - cloth.vertices[bar[1]]).norm()});
  body.points.assign(cloth.vertices.size(), {.mass = 1.0});
  spec.bodies.push_back(body);
  const TermSystem system(to_terms(spec));
  State state = system.rest_state();
  const Mat3 R = Eigen::AngleAxisd(2.9, Vec3(0.3, 1, -2).normalized()).toRotationMatrix();
  for (Index k = 0; k < state.q.size(); k += 3)
    state.q.segment<3>(k) = (R * state.q.segment<3>(k)).eval();
  for (const auto kind : {dynamics::NodeRotations::neighbourhood, dynamics::NodeRotations::edges}) {
    std::vector<Mat3> rotations;
    ASSERT_TRUE(system.frame().node_rotations(state, *system.make_workspace(), rotations, kind));
    for (const Mat3& found : rotations) EXPECT_LT((found - R).norm(), 1e-10);
  }
}

TEST(NodeRotations, OfARopeThatHasNoFramesAreTheSmallestThatFit) {
  const mesh::TetMesh rope = mesh::make_rope({.length = 1.0, .particles = 6});
  BodiesSpec spec;
  Body body;
  body.mesh.vertices = rope.vertices;
  for (const mesh::Edge& bar : rope.bars)
    body.springs.push_back({.vertices = bar, .stiffness = 1.0, .rest_length = 0.2});
  body.points.assign(6, {.mass = 1.0});
  spec.bodies.push_back(body);
  const TermSystem system(to_terms(spec));
  State state = system.rest_state();
  const Mat3 R = Eigen::AngleAxisd(0.8, Vec3::UnitY()).toRotationMatrix();
  for (Index k = 0; k < state.q.size(); k += 3)
    state.q.segment<3>(k) = (R * state.q.segment<3>(k)).eval();
  std::vector<Mat3> rotations;
  ASSERT_TRUE(system.frame().node_rotations(state, *system.make_workspace(), rotations,
                                            dynamics::NodeRotations::edges));
  for (const Mat3& found : rotations) EXPECT_LT((found - R).norm(), 1e-9);
}

// ---- history --------------------------------------------------------------------------------

TEST(PlasticSprings, AStepThatIsNotAcceptedLeavesNoTrace) {
  BodiesSpec spec = test::bar_spec({.cells = {3, 1, 1}, .clamped = true});
  Body& body = spec.bodies[0];
  body.tets.clear();
  body.points.assign(body.mesh.vertices.size(), {.mass = 0.1});
  for (const auto& [a, b] : mesh::edges_of(body.mesh))
    body.springs.push_back({.vertices = {a, b},
                            .stiffness = 50.0,
                            .rest_length = (body.mesh.vertices[a] - body.mesh.vertices[b]).norm(),
                            .yield = 0.01,
                            .hardening = 0.1});
  spec.gravity = {0, 0, -9.81};
  const TermSystem system(to_terms(spec));
  const auto work = system.make_workspace();
  const auto method = integrators::make_integrator("si");
  State state = system.rest_state();
  for (int step = 0; step < 30; ++step)
    ASSERT_EQ(method->step(system, *work, 0.01, state).status, integrators::StepStatus::accepted);
  EXPECT_GT(state.internal.cwiseAbs().maxCoeff(), 1e-4) << "it has yielded";
  const State before = state;
  static_cast<void>(method->propose(system, *work, 0.01, state));
  EXPECT_EQ(state.internal, before.internal);
  EXPECT_EQ(state.q, before.q);
}

}  // namespace
}  // namespace sinew::physics
