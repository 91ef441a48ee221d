// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/physics/bodies.hpp>
#include <sinew/physics/scripted_motion.hpp>

#include "support/bodies.hpp"

namespace sinew::physics {
namespace {

using dynamics::State;
using test::bar_spec;
using test::BarOptions;
using test::deformed_state;

/// The obviously correct twin: one element at a time, dense, in the user's numbering.
struct PlainTwin {
  PlainTwin(const BodiesSpec& spec, const TermSystem& system, const State& state) {
    const Body& body = spec.bodies[0];
    const Index n = 3 * body.mesh.num_vertices();
    f = Vec::Zero(n);
    K = Mat::Zero(n, n);
    for (std::size_t t = 0; t < body.tets.size(); ++t) {
      const mesh::Tet& tet = body.mesh.tets[t];
      const MaterialEntry& material = *body.tets[t].material;
      const Parameters p = material.parameters(body.tets[t].moduli);
      Mat3 Dm, Ds;
      for (int k = 0; k < 3; ++k) {
        Dm.col(k) = body.mesh.vertices[tet[k + 1]] - body.mesh.vertices[tet[0]];
        Ds.col(k) =
            system.vertex_position(tet[k + 1], state) - system.vertex_position(tet[0], state);
      }
      const Mat3 B = Dm.inverse();
      const double volume = Dm.determinant() / 6.0;
      const Mat3 F = Ds * B;
      Eigen::Matrix<double, 9, 12> dF = Eigen::Matrix<double, 9, 12>::Zero();
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
          for (int k = 0; k < 3; ++k) dF(3 * j + i, 3 * (k + 1) + i) = B(k, j);
          dF(3 * j + i, i) = -B.col(j).sum();
        }
      const Mat3 P = material.first_piola(p, F);
      const Vec fe =
          -volume * dF.transpose() * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(P.data());
      const Mat Ke = volume * dF.transpose() * material.hessian(p, F) * dF;
      energy += volume * material.energy_density(p, F);
      for (int a = 0; a < 4; ++a) {
        f.segment<3>(3 * tet[a]) += fe.segment<3>(3 * a);
        for (int b = 0; b < 4; ++b)
          K.block<3, 3>(3 * tet[a], 3 * tet[b]) += Ke.block<3, 3>(3 * a, 3 * b);
      }
    }
  }
  double energy = 0.0;
  Vec f;
  Mat K;
};

Mat dense(const la::LinearOperator& A) {
  return A.assembled()->to_dense();
}

TEST(TermSystem, RegisterKernelsAgreeWithThePlainElementLoop) {
  for (const std::string& material : material_names())
    for (const bool clamped : {false, true}) {
      const BodiesSpec spec = bar_spec({.material = material, .clamped = clamped});
      const TermSystem system(to_terms(spec));
      const auto workspace = system.make_workspace();
      const auto linearization = system.make_linearization();
      const State state = deformed_state(system, 0.05);
      Vec f, f_alone(system.num_dofs());

      system.linearize(state, {}, *workspace, *linearization, &f);
      system.force(state, *workspace, f_alone);
      const Mat K = dense(linearization->stiffness());

      const PlainTwin twin(spec, system, state);
      EXPECT_EQ(f, f_alone);
      EXPECT_NEAR(system.potential(state, *workspace), twin.energy, 1e-10 * twin.energy);
      const double scale = twin.K.norm();
      for (int a = 0; a < system.num_vertices(); ++a) {
        const Index row = system.dof_of_vertex(a);
        if (row < 0) continue;
        ASSERT_LT((f.segment<3>(row) - twin.f.segment<3>(3 * a)).norm(), 1e-12 * twin.f.norm());
        for (int b = 0; b < system.num_vertices(); ++b) {
          const Index col = system.dof_of_vertex(b);
          if (col < 0) continue;
          const Mat3 difference = K.block<3, 3>(row, col) - twin.K.block<3, 3>(3 * a, 3 * b);
          ASSERT_LT(difference.norm(), 1e-13 * scale) << material << " " << a << " " << b;
        }
      }
    }
}

TEST(TermSystem, ForceTangentAndDampingAreDerivatives) {
  for (const bool consistent : {false, true}) {
    const BodiesSpec spec = bar_spec({.cells = {3, 1, 1},
                                      .damping_mass = 3.0,
                                      .damping_stiffness = 0.02,
                                      .consistent_mass = consistent,
                                      .clamped = true});
    const TermSystem system(to_terms(spec));
    const auto workspace = system.make_workspace();
    const auto linearization = system.make_linearization();
    State state = deformed_state(system, 0.1);
    const auto force_at_q = [&](const Vec& q) {
      State s = state;
      s.q = q;
      Vec f(q.size());
      system.force(s, *workspace, f);
      return f;
    };
    const auto force_at_v = [&](const Vec& v) {
      State s = state;
      s.v = v;
      Vec f(v.size());
      system.force(s, *workspace, f);
      return f;
    };

    system.linearize(state, {}, *workspace, *linearization);
    const Mat K = dense(linearization->stiffness());
    const Mat D = dense(*linearization->damping());

    const Mat K_numerical = -test::numerical_jacobian(force_at_q, state.q);
    const Mat D_numerical = -test::numerical_jacobian(force_at_v, state.v);
    EXPECT_LT((K - K_numerical).norm() / K.norm(), 1e-6);
    EXPECT_LT((D - D_numerical).norm() / D.norm(), 1e-8);

    // f + D v = -dW/dq
    const Vec conservative = force_at_q(state.q) + D * state.v;
    for (const Index i : {Index(0), Index(7), state.q.size() - 1}) {
      State plus = state, minus = state;
      plus.q[i] += 1e-6;
      minus.q[i] -= 1e-6;
      const double slope =
          (system.potential(plus, *workspace) - system.potential(minus, *workspace)) / 2e-6;
      EXPECT_NEAR(conservative[i], -slope, 1e-6 * conservative.norm());
    }
    EXPECT_NEAR(system.dissipation(state, *workspace), 0.5 * state.v.dot(D * state.v),
                1e-10 * std::abs(state.v.dot(D * state.v)));
  }
}

TEST(TermSystem, RayleighDampingIsTheSumOfMassAndRestStiffness) {
  const BarOptions options{.damping_mass = 2.0, .damping_stiffness = 0.1, .clamped = true};
  const TermSystem system(to_terms(bar_spec(options)));
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();

  system.linearize(system.rest_state(), {}, *workspace, *linearization);
  const Mat D = dense(*linearization->damping());
  const Mat K_rest = dense(linearization->stiffness());
  Mat M = Mat::Zero(D.rows(), D.cols());
  M.diagonal() = dynamic_cast<const la::DiagonalOperator&>(system.mass()).diagonal();

  EXPECT_LT((D - (2.0 * M + 0.1 * K_rest)).norm() / D.norm(), 1e-12);

  // and it stays about the rest shape when the body has moved
  system.linearize(deformed_state(system, 0.1), {}, *workspace, *linearization);
  EXPECT_LT((dense(*linearization->damping()) - D).norm(), 1e-12 * D.norm());
}

TEST(TermSystem, MassIsDensityTimesVolumeLumpedOrConsistent) {
  for (const bool consistent : {false, true}) {
    const TermSystem system(to_terms(bar_spec({.density = 700.0, .consistent_mass = consistent})));
    const Vec ones = Vec::Ones(system.num_dofs());
    Vec Mx(ones.size()), back(ones.size());

    system.mass().apply(ones, Mx);
    system.mass_inverse().apply(Mx, back);

    EXPECT_NEAR(ones.dot(Mx), 3 * 700.0 * 0.06, 1e-9);
    EXPECT_LT((back - ones).norm(), 1e-10);
  }
}

TEST(TermSystem, ConsistentMassIntegratesLinearVelocityFieldsExactly) {
  // |v|^2 of v = (x, 0, 0) over the unit cube is 1/3
  const TermSystem system(to_terms(
      bar_spec({.size = {1, 1, 1}, .cells = {3, 3, 3}, .density = 1.0, .consistent_mass = true})));
  const State rest = system.rest_state();
  Vec v = Vec::Zero(rest.q.size()), Mv(v.size());
  for (Index i = 0; i < v.size(); i += 3) v[i] = rest.q[i];

  system.mass().apply(v, Mv);

  EXPECT_NEAR(v.dot(Mv), 1.0 / 3.0, 1e-12);
}

TEST(TermSystem, AFreeBodyHasSixRigidModesWithoutEnergy) {
  const TermSystem system(to_terms(bar_spec()));
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  const State state = system.rest_state();
  const Mat modes = system.frame().rigid_modes(state);
  ASSERT_EQ(modes.cols(), 6);

  system.linearize(state, {}, *workspace, *linearization);
  const Mat K = dense(linearization->stiffness());

  EXPECT_LT((K * modes).norm() / (K.norm() * modes.norm()), 1e-13);
  const Vec spectrum = la::symmetric_eigenvalues(K);
  EXPECT_LT(std::abs(spectrum[5]), 1e-9 * spectrum[spectrum.size() - 1]);
  EXPECT_GT(spectrum[6], 1e-6 * spectrum[spectrum.size() - 1]);
  const TermSystem clamped(to_terms(bar_spec({.clamped = true})));
  EXPECT_EQ(clamped.frame().rigid_modes(clamped.rest_state()).cols(), 0);
}

TEST(TermSystem, ABodyHeldAtOneOrTwoPointsCanStillTurn) {
  for (const int held : {1, 2, 3}) {
    BodiesSpec spec = bar_spec();
    spec.fixed = std::vector<int>{0, 7, 20};
    spec.fixed.resize(static_cast<std::size_t>(held));
    const TermSystem system(to_terms(spec));
    const auto workspace = system.make_workspace();
    const auto linearization = system.make_linearization();
    const State state = system.rest_state();

    const Mat modes = system.frame().rigid_modes(state);

    // about a point, about a line, not at all
    EXPECT_EQ(modes.cols(), held == 1 ? 3 : held == 2 ? 1 : 0);
    system.linearize(state, {}, *workspace, *linearization);
    const Mat K = dense(linearization->stiffness());
    EXPECT_LE((K * modes).norm(), 1e-12 * K.norm() * modes.norm());
  }
}

TEST(TermSystem, TwoBodiesAreTwoPiecesWithTheirOwnMaterials) {
  BodiesSpec spec = bar_spec({.material = "stvk"});
  BodiesSpec other = bar_spec({.young = 1e7});
  for (Vec3& x : other.bodies[0].mesh.vertices) x[2] += 5.0;
  spec.bodies.push_back(other.bodies[0]);
  const TermSystem both(to_terms(spec));
  const TermSystem alone(to_terms(bar_spec({.material = "stvk"})));
  const auto workspace = both.make_workspace();
  const auto workspace_alone = alone.make_workspace();
  const State state = deformed_state(both, 0.05);
  State part = alone.rest_state();
  for (int v = 0; v < alone.num_vertices(); ++v)
    part.q.segment<3>(alone.dof_of_vertex(v)) = both.vertex_position(v, state);
  Vec f(both.num_dofs()), f_alone(alone.num_dofs());

  both.force(state, *workspace, f);
  alone.force(part, *workspace_alone, f_alone);

  EXPECT_EQ(both.frame().rigid_modes(state).cols(), 12);
  for (int v = 0; v < alone.num_vertices(); ++v)
    EXPECT_LT(
        (f.segment<3>(both.dof_of_vertex(v)) - f_alone.segment<3>(alone.dof_of_vertex(v))).norm(),
        1e-12 * f_alone.norm());
}

TEST(TermSystem, ResultsAreTheSameBitsOnAnyNumberOfThreads) {
  const BodiesSpec spec = bar_spec(
      {.size = {4, 1, 1}, .cells = {48, 6, 6}, .damping_stiffness = 0.01, .clamped = true});
  std::vector<Vec> forces, tangents;
  std::vector<double> energies;
  for (const int threads : {1, 2, 8}) {
    const core::Executor executor(threads);
    const TermSystem system(to_terms(spec), executor);
    const auto workspace = system.make_workspace();
    const auto linearization = system.make_linearization();
    const State state = deformed_state(system);
    Vec f;
    system.linearize(state, {}, *workspace, *linearization, &f);
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

/// The clamped end follows a script.
BodiesSpec moved_spec(const BarOptions& options, const char* x, const char* y, const char* z) {
  BodiesSpec spec = bar_spec(options);
  MovedVertices moved;
  moved.motion = std::make_shared<ScriptedMotion>(std::array<core::Expression, 3>{
      core::Expression(std::string(x)), core::Expression(std::string(y)),
      core::Expression(std::string(z))});
  moved.vertices = std::move(spec.fixed);
  spec.fixed.clear();
  spec.moved.push_back(std::move(moved));
  return spec;
}

TEST(TermSystem, MovedVerticesGoWhereTheScriptSays) {
  const TermSystem system(to_terms(
      moved_spec({.clamped = true}, "x + 0.1*t", "y*cos(t) - z*sin(t)", "y*sin(t) + z*cos(t)")));
  State state = system.rest_state();
  state.t = 0.5;
  int moved = 0;
  for (int v = 0; v < system.num_vertices(); ++v) {
    if (system.dof_of_vertex(v) >= 0) continue;
    ++moved;
    EXPECT_NEAR(system.vertex_position(v, state)[0], 0.05, 1e-15);
    const Vec3 x = system.vertex_position(v, state);
    const Vec3 expected(0.1, -x[2], x[1]);
    EXPECT_LT((system.vertex_velocity(v, state) - expected).norm(), 1e-9);
  }
  EXPECT_EQ(moved, 9);
  EXPECT_TRUE(system.traits().depends_on_time);
}

TEST(TermSystem, TheRateOfTheForceFollowsTheMovedVertices) {
  const TermSystem system(to_terms(moved_spec(
      {.damping_mass = 2.0, .damping_stiffness = 0.05, .consistent_mass = true, .clamped = true},
      "x", "y + 0.2*sin(3*t)", "z - 0.3*t*t*t")));
  const auto workspace = system.make_workspace();
  State state = deformed_state(system, 0.03);
  state.t = 0.5;
  Vec rate(system.num_dofs()), plus(rate.size()), minus(rate.size());
  State later = state, earlier = state;
  constexpr double span = 1e-3;
  later.t += span / 2;
  earlier.t -= span / 2;

  system.force_rate(earlier, span, *workspace, rate);
  system.force(later, *workspace, plus);
  system.force(earlier, *workspace, minus);

  const Vec expected = (plus - minus) / span;
  // the elastic part is linearised at the start of the step: first order in its length
  EXPECT_LT((rate - expected).norm() / expected.norm(), 1e-3);
}

TEST(TermSystem, EnergyBalanceHoldsAtEveryInstant) {
  // d/dt (kinetic + stored) = supplied - lost, with the acceleration from M a = f
  for (const bool consistent : {false, true}) {
    BodiesSpec spec = moved_spec({.damping_mass = 1.5,
                                  .damping_stiffness = 0.02,
                                  .consistent_mass = consistent,
                                  .clamped = true},
                                 "x", "y + 0.2*sin(5*t)", "z - 0.3*t*t");
    spec.gravity = {1.0, -2.0, -9.81};
    const TermSystem system(to_terms(spec));
    const auto workspace = system.make_workspace();
    State state = deformed_state(system, 0.03, 0.4);
    state.t = 0.2;
    Vec f(system.num_dofs()), a(system.num_dofs());
    system.force(state, *workspace, f);
    system.mass_inverse().apply(f, a);
    const auto energy = [&](double dt) {
      State s = state;
      s.t += dt;
      s.q += dt * state.v + 0.5 * dt * dt * a;
      s.v += dt * a;
      std::array<double, 4> values{};
      system.accounts().evaluate_ledger(s, *workspace, values);
      Vec Mv(s.v.size());
      system.mass().apply(s.v, Mv);
      return 0.5 * s.v.dot(Mv) + values[0] + values[1];
    };
    std::array<double, 4> now{};
    system.accounts().evaluate_ledger(state, *workspace, now);

    const double rate = (energy(1e-5) - energy(-1e-5)) / 2e-5;

    const double expected = now[3] - now[2];
    EXPECT_GT(now[2], 0.1);
    EXPECT_GT(std::abs(now[3]), 0.1);
    // a central difference of an energy of about 1 kJ over 1e-5 s
    EXPECT_NEAR(rate, expected, 1e-5 * (std::abs(now[3]) + now[2])) << consistent;
  }
}

TEST(TermSystem, MomentumIsThatOfTheParticles) {
  const TermSystem system(to_terms(bar_spec({.density = 1000.0})));
  State state = system.rest_state();
  const Vec3 omega(0.3, -0.2, 0.5), drift(1.0, 2.0, 3.0);
  for (Index i = 0; i < state.q.size(); i += 3)
    state.v.segment<3>(i) = drift + omega.cross(Vec3(state.q.segment<3>(i)));

  const auto momentum = system.accounts().momentum(state);

  ASSERT_TRUE(momentum.has_value());
  Vec3 p = Vec3::Zero(), l = Vec3::Zero();
  const Vec& m = dynamic_cast<const la::DiagonalOperator&>(system.mass()).diagonal();
  for (Index i = 0; i < state.q.size(); i += 3) {
    p += m[i] * state.v.segment<3>(i);
    l += m[i] * Vec3(state.q.segment<3>(i)).cross(Vec3(state.v.segment<3>(i)));
  }
  EXPECT_LT((momentum->linear - p).norm(), 1e-10);
  EXPECT_LT((momentum->angular - l).norm(), 1e-10);
}

TEST(TermSystem, CountsInvertedElements) {
  const TermSystem system(to_terms(bar_spec()));
  const auto workspace = system.make_workspace();
  State state = system.rest_state();
  EXPECT_EQ(system.health().admissibility(state, *workspace).inverted_elements, 0);

  for (Index i = 0; i < state.q.size(); i += 3) state.q[i] = -state.q[i];

  EXPECT_EQ(system.health().admissibility(state, *workspace).inverted_elements, system.num_cells());
}

TEST(TermSystem, GravityPullsWithTheWeight) {
  BodiesSpec spec = bar_spec({.density = 500.0});
  spec.gravity = {0.0, 0.0, -10.0};
  const TermSystem system(to_terms(spec));
  const auto workspace = system.make_workspace();
  Vec f(system.num_dofs());

  system.force(system.rest_state(), *workspace, f);

  double total = 0.0;
  for (Index i = 2; i < f.size(); i += 3) total += f[i];
  EXPECT_NEAR(total, -500.0 * 0.06 * 10.0, 1e-9);
}

TEST(TermSystem, RefusesTheWorkspaceAndTheMatricesOfAnotherSystem) {
  const TermSystem one(to_terms(bar_spec())), other(to_terms(bar_spec()));
  const auto workspace = other.make_workspace();
  const auto own_workspace = one.make_workspace();
  const auto linearization = other.make_linearization();

  EXPECT_THROW(one.potential(one.rest_state(), *workspace), InternalError);
  EXPECT_THROW(one.linearize(one.rest_state(), {}, *own_workspace, *linearization), InternalError);
}

TEST(TermSystem, SoDoItsCapabilities) {
  const TermSystem one(to_terms(bar_spec())), other(to_terms(bar_spec()));
  const auto workspace = other.make_workspace();
  const State state = one.rest_state();
  Vec field(3 * one.num_vertices());
  std::vector<double> ledger(one.accounts().ledger_entries().size());
  std::vector<Mat3> rotations;

  EXPECT_THROW(one.accounts().evaluate_ledger(state, *workspace, ledger), InternalError);
  EXPECT_THROW(one.accounts().external_work(state, state, state, *workspace), InternalError);
  EXPECT_THROW(one.observables().evaluate_field("position", state, *workspace, field),
               InternalError);
  EXPECT_THROW(one.frame().node_rotations(state, *workspace, rotations), InternalError);
  EXPECT_THROW(one.health().admissibility(state, *workspace), InternalError);
}

TEST(TermSystem, ScriptsNeedNotMakeSenseBeforeTheStart) {
  const TermSystem system(to_terms(moved_spec({.clamped = true}, "x", "y + t*sqrt(t)", "z")));
  const auto workspace = system.make_workspace();
  const State state = system.rest_state();
  Vec velocity(3 * system.num_vertices());

  system.observables().evaluate_field("velocity", state, *workspace, velocity);

  EXPECT_TRUE(velocity.allFinite());
  EXPECT_LT(velocity.lpNorm<Eigen::Infinity>(), 0.01);
}

TEST(TermSystem, FieldsAreInTheNumberingOfTheMesh) {
  const BodiesSpec spec = bar_spec({.clamped = true});
  const TermSystem system(to_terms(spec));
  const auto workspace = system.make_workspace();
  Vec position(3 * system.num_vertices());

  system.observables().evaluate_field("position", system.rest_state(), *workspace, position);

  for (int v = 0; v < system.num_vertices(); ++v)
    EXPECT_EQ(Vec3(position.segment<3>(3 * v)), spec.bodies[0].mesh.vertices[v]);
  EXPECT_EQ(system.observables().geometry().types.size(), spec.bodies[0].mesh.tets.size());
  EXPECT_THROW(
      system.observables().evaluate_field("colour", system.rest_state(), *workspace, position),
      InternalError);
}

}  // namespace
}  // namespace sinew::physics
