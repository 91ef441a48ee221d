// SPDX-License-Identifier: Apache-2.0
// Tets with ten nodes: what they must have exactly, and what their masses and loads are.
#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/mesh/quadratic.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/mesh/tet_shares.hpp>
#include <sinew/physics/term_system.hpp>

#include "support/bodies.hpp"

namespace sinew::physics {
namespace {

using dynamics::State;
using test::bar_spec;
using test::BarOptions;

/// A bar of straight tets of second order, not two of them alike.
BodiesSpec straight_bar(BarOptions options = {}) {
  BodiesSpec spec = bar_spec(options);
  spec.bodies[0].mesh = mesh::to_second_order(std::move(spec.bodies[0].mesh));
  return spec;
}

/// The state with every vertex where `map` takes it.
template <class Map>
State moved(const TermSystem& system, const Map& map) {
  State state = system.rest_state();
  for (Index i = 0; i < state.q.size(); i += 3)
    state.q.segment<3>(i) = map(Vec3(state.q.segment<3>(i)));
  return state;
}

Vec force_of(const TermSystem& system, const State& state) {
  const auto workspace = system.make_workspace();
  Vec f(system.num_dofs());
  system.force(state, *workspace, f);
  return f;
}

double energy_of(const TermSystem& system, const State& state) {
  const auto workspace = system.make_workspace();
  return system.potential(state, *workspace);
}

bool is_inside(const Vec3& x, const std::array<double, 3>& size) {
  for (int axis = 0; axis < 3; ++axis)
    if (x[axis] < 1e-9 || x[axis] > size[static_cast<std::size_t>(axis)] - 1e-9) return false;
  return true;
}

TEST(QuadraticTets, PassThePatchTest) {
  // a uniform deformation is in balance inside, whatever the shapes of straight tets
  for (const MaterialEntry& material : materials()) {
    SCOPED_TRACE(material.name);
    const BarOptions options{.material = material.name};
    const TermSystem system(to_terms(straight_bar(options)));
    Mat3 F;
    F << 1.1, 0.05, -0.02, 0.03, 0.95, 0.04, -0.01, 0.06, 1.02;
    const State state = moved(system, [&](const Vec3& x) { return Vec3(F * x); });
    const Vec f = force_of(system, state), rest = system.rest_state().q;
    double largest = f.cwiseAbs().maxCoeff();
    int count = 0;
    for (Index i = 0; i < f.size(); i += 3)
      if (is_inside(rest.segment<3>(i), options.size)) {
        EXPECT_LT(f.segment<3>(i).norm(), 1e-12 * largest);
        ++count;
      }
    EXPECT_GT(count, 40);
    const double volume = options.size[0] * options.size[1] * options.size[2];
    const double density =
        material.energy_density(material.parameters(moduli(options.young, options.poisson)), F);
    EXPECT_NEAR(energy_of(system, state), volume * density, 1e-12 * volume * density);
  }
}

TEST(QuadraticTets, HaveTheEnergyOfQuadraticDisplacements) {
  // u = a (x y, z^2, 0) in small strain: eps_xx = a y, eps_xy = a x/2, eps_yz = a z
  const BarOptions options{.material = "linear"};
  const TermSystem system(to_terms(straight_bar(options)));
  const double a = 0.1;
  const State state = moved(
      system, [&](const Vec3& x) { return Vec3(x + a * Vec3(x[0] * x[1], x[2] * x[2], 0.0)); });
  const Moduli moduli = physics::moduli(options.young, options.poisson);
  const auto [L, w, h] = options.size;
  const double volume = L * w * h, xx = L * L / 3.0, yy = w * w / 3.0, zz = h * h / 3.0;
  const double squared = yy + 2.0 * (xx / 4.0 + zz), trace = yy;
  const double energy = volume * a * a * (moduli.mu * squared + 0.5 * moduli.lambda * trace);
  EXPECT_NEAR(energy_of(system, state), energy, 1e-11 * energy);
}

TEST(QuadraticTets, ShowTheStressOfQuadraticDisplacementsAtTheirNodes) {
  // linear in the rest positions, so neither a mean nor the value at a point of the rule
  const BarOptions options{.material = "linear"};
  const TermSystem system(to_terms(straight_bar(options)));
  const double a = 1e-7;  // the law is small strain, Cauchy's stress has F in it
  const State state = moved(
      system, [&](const Vec3& x) { return Vec3(x + a * Vec3(x[0] * x[1], x[2] * x[2], 0.0)); });
  const Moduli moduli = physics::moduli(options.young, options.poisson);
  const auto workspace = system.make_workspace();
  const auto field = [&](const char* name, Index components) {
    Vec values(components * system.num_vertices());
    system.observables().evaluate_field(name, state, *workspace, values);
    return values;
  };

  const Vec stress = field("nodal_cauchy_stress", 6), mises = field("nodal_von_mises", 1);

  const State rest = system.rest_state();
  const double size = a * (2.0 * moduli.mu + moduli.lambda);
  double largest = 0.0;
  for (int v = 0; v < system.num_vertices(); ++v) {
    const Vec3 x = rest.q.segment<3>(system.dof_of_vertex(v));
    Mat3 strain = Mat3::Zero();
    strain(0, 0) = a * x[1];
    strain(0, 1) = strain(1, 0) = 0.5 * a * x[0];
    strain(1, 2) = strain(2, 1) = a * x[2];
    const Mat3 expected =
        2.0 * moduli.mu * strain + moduli.lambda * strain.trace() * Mat3::Identity();
    const Mat3 deviator = expected - expected.trace() / 3.0 * Mat3::Identity();
    const double entries[] = {expected(0, 0), expected(1, 1), expected(2, 2),
                              expected(0, 1), expected(1, 2), expected(0, 2)};
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(stress[6 * v + k], entries[k], 1e-5 * size);
    EXPECT_NEAR(mises[v], std::sqrt(1.5) * deviator.norm(), 1e-5 * size);
    largest = std::max(largest, mises[v]);
  }
  Vec of_cells(system.num_cells());
  system.observables().evaluate_field("von_mises", state, *workspace, of_cells);
  EXPECT_GT(largest, 1.05 * of_cells.maxCoeff()) << "means cut off the peak";
}

TEST(QuadraticTets, ConsistentMassesAreThoseOfTextbooks) {
  // of a straight tet, in 420ths of its mass: corners 6 and 1, edge to corner -4 at its ends and
  // -6, edges 32, 16 where they meet and 8 where they do not
  mesh::TetMesh mesh;
  mesh.vertices = {{0.1, 0, 0}, {1, 0.2, 0}, {0, 1, 0.3}, {0.2, 0.1, 0.9}};
  mesh.tets = {{0, 1, 2, 3}};
  mesh.regions = {0};
  mesh = mesh::to_second_order(std::move(mesh));
  const double volume = mesh::tet_volume(mesh, 0);
  const mesh::QuadraticTet nodes = mesh::quadratic_tet(mesh, 0);
  Mat mass = Mat::Zero(10, 10);
  mesh::for_each_consistent_share(mesh, 0, [&](int vertex, int other, double share) {
    mass(vertex, other) = mass(other, vertex) = share / volume * 420.0;
  });
  const auto ends = [&](std::size_t k) { return mesh::tet_edges[k - 4]; };
  const auto touches = [&](std::size_t edge, int corner) {
    return ends(edge)[0] == corner || ends(edge)[1] == corner;
  };
  for (std::size_t a = 0; a < 10; ++a)
    for (std::size_t b = a; b < 10; ++b) {
      double expected = 0.0;
      if (b < 4)
        expected = a == b ? 6.0 : 1.0;
      else if (a < 4)
        expected = touches(b, static_cast<int>(a)) ? -4.0 : -6.0;
      else if (a == b)
        expected = 32.0;
      else
        expected = touches(a, ends(b)[0]) || touches(a, ends(b)[1]) ? 16.0 : 8.0;
      EXPECT_NEAR(mass(nodes[a], nodes[b]), expected, 1e-11) << a << " " << b;
    }
}

TEST(QuadraticTets, MassesArePositiveAndAddUp) {
  for (const bool consistent : {false, true}) {
    const BarOptions options{.consistent_mass = consistent, .order = 2};
    const BodiesSpec spec = bar_spec(options);
    double volume = 0.0;
    for (int t = 0; t < spec.bodies[0].mesh.num_tets(); ++t)
      volume += mesh::tet_volume(spec.bodies[0].mesh, t);
    const TermSystem system(to_terms(spec));
    Vec falling = Vec::Zero(system.num_dofs()), momentum(system.num_dofs());
    for (Index i = 2; i < falling.size(); i += 3) falling[i] = 1.0;
    system.mass().apply(falling, momentum);
    EXPECT_NEAR(momentum.sum(), 1000.0 * volume, 1e-10 * 1000.0 * volume);
    if (!consistent) {
      EXPECT_GE(momentum.minCoeff(), 0.0);
    }
    EXPECT_GT(falling.dot(momentum), 0.0);
  }
}

TEST(QuadraticTets, FallFreely) {
  for (const bool consistent : {false, true}) {
    BodiesSpec spec = bar_spec({.consistent_mass = consistent, .order = 2});
    spec.gravity = {0.0, 0.0, -9.81};
    const TermSystem system(to_terms(spec));
    const Vec f = force_of(system, system.rest_state());
    Vec a(f.size());
    system.mass_inverse().apply(f, a);
    for (Index i = 0; i < a.size(); i += 3)
      EXPECT_NEAR((a.segment<3>(i) - Vec3(0, 0, -9.81)).norm(), 0.0, 1e-9);
  }
}

TEST(QuadraticTets, WeightByAFormulaIsThatOfGravity) {
  // whichever mass matrix: what a formula of time says goes to the vertices as M g does
  const Vec3 g(0.5, 0.0, -9.81);
  for (const bool consistent : {false, true}) {
    BodiesSpec falling = bar_spec({.consistent_mass = consistent, .order = 2});
    falling.bodies[0].tets[3].density = 2500.0;
    BodiesSpec loaded = falling;
    falling.gravity = g;
    VertexLoad weight{
        .vertices = {},
        .factors = {},
        .value = std::make_shared<const VectorFormula>(VectorFormula{
            core::Expression("0.5"), core::Expression("0"), core::Expression("-9.81")}),
        .shares = LoadShares::mass};
    for (int v = 0; v < static_cast<int>(num_vertices(loaded.bodies)); ++v)
      weight.vertices.push_back(v);
    share_out(loaded.bodies, weight);
    loaded.forces.push_back(weight);
    const TermSystem first(to_terms(falling)), second(to_terms(loaded));
    const Vec expected = force_of(first, first.rest_state());
    EXPECT_LT((force_of(second, second.rest_state()) - expected).norm(), 1e-12 * expected.norm())
        << consistent;
  }
}

TEST(QuadraticTets, UniformPressureAllAroundNeitherPushesNorTurns) {
  // on a closed surface nothing is left
  BodiesSpec spec = bar_spec({.order = 2});
  const auto uniform = std::make_shared<const core::Expression>("5e3");
  spec.pressures.push_back({mesh::extract_curved_faces(spec.bodies[0].mesh), uniform, {}});
  const TermSystem closed(to_terms(spec));
  const State bent = test::deformed_state(closed);
  BodiesSpec without = spec;
  without.pressures.clear();
  const TermSystem free(to_terms(without));
  const Vec f = force_of(closed, bent) - force_of(free, bent);
  Vec3 total = Vec3::Zero(), moment = Vec3::Zero();
  for (Index i = 0; i < f.size(); i += 3) {
    total += f.segment<3>(i);
    moment += Vec3(bent.q.segment<3>(i)).cross(Vec3(f.segment<3>(i)));
  }
  EXPECT_LT(total.norm(), 1e-10 * f.cwiseAbs().sum());
  EXPECT_LT(moment.norm(), 1e-10 * f.cwiseAbs().sum());
}

TEST(QuadraticTets, AFaceUnderPressureIsCarriedByTheMiddlesOfItsSides) {
  BodiesSpec spec = straight_bar();
  const double p = 5e3;
  std::vector<std::array<int, 6>> end;
  const mesh::TetMesh& mesh = spec.bodies[0].mesh;
  for (const mesh::CurvedFace& face : mesh::extract_curved_faces(mesh))
    if (std::all_of(face.begin(), face.end(), [&](int v) {
          return mesh.vertices[static_cast<std::size_t>(v)][0] > 1.0 - 1e-9;
        }))
      end.push_back(face);
  ASSERT_EQ(end.size(), 8U);
  spec.pressures.push_back({end, std::make_shared<const core::Expression>("5e3"), {}});
  const TermSystem system(to_terms(spec));
  const Vec f = force_of(system, system.rest_state());
  double sum = 0.0;
  for (int v = 0; v < system.num_vertices(); ++v) {
    const double force = f[system.dof_of_vertex(v)];
    sum += force;
    bool is_corner = false;
    for (const mesh::CurvedFace& face : end)
      is_corner = is_corner || std::find(face.begin(), face.begin() + 3, v) != face.begin() + 3;
    if (is_corner) {
      EXPECT_NEAR(force, 0.0, 1e-12 * p);
    }
  }
  EXPECT_NEAR(sum, -p * 0.3 * 0.2, 1e-10 * p);
}

}  // namespace
}  // namespace sinew::physics
