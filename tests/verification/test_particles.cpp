// SPDX-License-Identifier: Apache-2.0
// Particles against closed forms: waves along a chain, a hanging rope, a membrane, bending,
// yielding bars, pairs of atoms.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sinew/integrators/registry.hpp>
#include <sinew/mesh/adjacency.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/physics/bodies.hpp>
#include <sinew/physics/fibre.hpp>
#include <sinew/physics/pairs/pair_potential.hpp>
#include <sinew/physics/scripted_motion.hpp>
#include <sinew/sim/energy_ledger.hpp>

namespace sinew::physics {
namespace {

using dynamics::State;
using std::numbers::pi;

/// Springs along bars, all alike.
Body springs_along(const mesh::TetMesh& mesh, const std::vector<mesh::Edge>& bars, double mass,
                   double stiffness, double rest_scale = 1.0) {
  Body body;
  body.mesh.vertices = mesh.vertices;
  for (const auto& [a, b] : bars)
    body.springs.push_back(
        {.vertices = {a, b},
         .stiffness = stiffness,
         .rest_length = rest_scale * (mesh.vertices[a] - mesh.vertices[b]).norm()});
  body.points.assign(mesh.vertices.size(), {.mass = mass});
  return body;
}

BodiesSpec with_body(Body body, std::vector<int> fixed) {
  BodiesSpec spec;
  spec.bodies.push_back(std::move(body));
  spec.fixed = std::move(fixed);
  return spec;
}

/// Of a system with a lumped mass, ascending [1/s].
Vec frequencies(const TermSystem& system, const State& state) {
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  system.linearize(state, {}, *workspace, *linearization);
  const Mat K = linearization->stiffness().assembled()->to_dense();
  const Vec root = system.mass().diagonal_only()->cwiseSqrt().cwiseInverse();
  const Mat A = root.asDiagonal() * K * root.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<Mat>(A).eigenvalues().cwiseMax(0.0).cwiseSqrt();
}

/// Whether `values`, ascending, hold this one.
bool holds(const Vec& values, double wanted, double tolerance) {
  return (values.array() - wanted).abs().minCoeff() <= tolerance * wanted;
}

// ---- chains ---------------------------------------------------------------------------------

TEST(Chain, WavesRunAsFastAsTheyShould) {
  // u_k(t) = sin(kappa k) cos(omega t) with omega = 2 sqrt(k/m) sin(kappa/2): the dispersion of a
  // chain between two walls, whose long waves run a sqrt(k/m) per second
  constexpr int n = 40;
  constexpr double k = 400.0, m = 0.1, length = 2.0;
  const mesh::TetMesh rope = mesh::make_rope({.length = length, .particles = n + 1});
  const TermSystem system(to_terms(with_body(springs_along(rope, rope.bars, m, k), {0, n})));
  const Vec omega = frequencies(system, system.rest_state());
  for (int wave = 1; wave < n; ++wave) {
    const double kappa = wave * pi / n;
    EXPECT_TRUE(holds(omega, 2.0 * std::sqrt(k / m) * std::sin(0.5 * kappa), 1e-10)) << wave;
  }

  // in time: a wave of small amplitude after a quarter of its period is where it should be
  const int wave = 3;
  const double kappa = wave * pi / n, rate = 2.0 * std::sqrt(k / m) * std::sin(0.5 * kappa);
  State state = system.rest_state();
  for (int v = 1; v < n; ++v) state.q[system.dof_of_vertex(v)] += 1e-6 * std::sin(kappa * v);
  const auto method = integrators::make_integrator("pexprb43");
  const auto workspace = system.make_workspace();
  const double end = 0.37 * 2.0 * pi / rate;
  constexpr int steps = 5;
  for (int s = 0; s < steps; ++s)
    ASSERT_EQ(method->step(system, *workspace, end / steps, state).status,
              integrators::StepStatus::accepted);
  for (int v = 1; v < n; ++v) {
    const double u = state.q[system.dof_of_vertex(v)] - rope.vertices[v][0];
    EXPECT_NEAR(u, 1e-6 * std::sin(kappa * v) * std::cos(rate * end), 1e-11) << v;
  }
}

TEST(Chain, HangsInACatenary) {
  // Equilibrium of weights on links: with H the horizontal part of the tension, the same in all
  // links, and V the vertical part at the left end, link i carries (H, V - i m g) and is as long as
  // its tension makes it. H and V follow from where the right end is held.
  constexpr int n = 30;
  constexpr double m = 0.05, g = 9.81, k = 2e4, span = 0.8, length = 1.0;
  const double link = length / n;
  const auto ends_at = [&](double H, double V, std::vector<Vec3>* shape = nullptr) {
    Vec3 x = Vec3::Zero();
    if (shape) *shape = {x};
    for (int i = 0; i < n; ++i) {
      const double down = V - i * m * g, tension = std::hypot(H, down);
      x += (link + tension / k) / tension * Vec3(H, 0.0, -down);
      if (shape) shape->push_back(x);
    }
    return x;
  };
  // V counts the weight between the left end and the lowest point: half of the inner particles'
  double V = 0.5 * (n - 1) * m * g, H = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double step = 1e-6 * H;
    const double off = ends_at(H, V)[0] - span;
    H -= off * step / (ends_at(H + step, V)[0] - ends_at(H, V)[0]);
  }
  std::vector<Vec3> exact;
  ASSERT_LT((ends_at(H, V, &exact) - Vec3(span, 0, 0)).norm(), 1e-9);

  // the same rope, from a slack zigzag to rest by strongly damped steps
  mesh::TetMesh rope = mesh::make_rope({.length = length, .particles = n + 1});
  Body body = springs_along(rope, rope.bars, m, k);
  for (int v = 0; v <= n; ++v) body.mesh.vertices[v][0] *= span / length;
  for (PointMass& point : body.points) point.damping_mass = 5.0;
  BodiesSpec spec = with_body(std::move(body), {0, n});
  spec.gravity = {0, 0, -g};
  const TermSystem system(to_terms(spec));
  State state = system.rest_state();
  for (int v = 1; v < n; ++v) state.q[system.dof_of_vertex(v) + 2] = exact[v][2] * 0.9;
  const auto method = integrators::make_integrator("be");
  const auto workspace = system.make_workspace();
  for (int s = 0; s < 400; ++s)
    ASSERT_EQ(method->step(system, *workspace, 0.1, state).status,
              integrators::StepStatus::accepted);
  for (int v = 1; v < n; ++v)
    EXPECT_LT((system.vertex_position(v, state) - exact[v]).norm(), 1e-6) << v;
  // and that is close to the smooth curve: a cosh(x/a) through both ends, as long as the links
  double a = 0.5;
  for (int i = 0; i < 200; ++i) {
    const double stretched = n * link + n * H / k;  // the tension hardly differs from H
    const double f = 2.0 * a * std::sinh(0.5 * span / a) - stretched;
    const double slope = 2.0 * std::sinh(0.5 * span / a) - span / a * std::cosh(0.5 * span / a);
    a -= f / slope;
  }
  const double sag = a * (std::cosh(0.5 * span / a) - 1.0);
  EXPECT_NEAR(-system.vertex_position(n / 2, state)[2], sag, 2e-3);
}

TEST(Chain, BendsLikeABeam) {
  // first two frequencies of a cantilever: (beta L)^2/L^2 sqrt(EI/mu)
  constexpr int n = 80;
  constexpr double length = 1.0, rigidity = 0.02, density = 0.3;
  const mesh::TetMesh rope = mesh::make_rope({.length = length, .particles = n + 1});
  const double link = length / n;
  Body body = springs_along(rope, rope.bars, density * link, 1e6);
  body.points.front().mass *= 0.5;
  body.points.back().mass *= 0.5;
  for (int v = 1; v < n; ++v) body.bends.push_back({{v - 1, v, v + 1}, rigidity / link});
  const TermSystem system(to_terms(with_body(std::move(body), {0, 1})));
  const Vec omega = frequencies(system, system.rest_state());
  // the clamp is where the first two particles are held: half a link into the free part
  const double free_length = length - 0.5 * link;
  const double unit = std::sqrt(rigidity / density) / (free_length * free_length);
  EXPECT_NEAR(omega[0] / (1.875104 * 1.875104 * unit), 1.0, 0.015);
  EXPECT_NEAR(omega[1] / omega[0], 1.0, 1e-8) << "the same in both directions";
  EXPECT_NEAR(omega[2] / (4.694091 * 4.694091 * unit), 1.0, 0.015);
}

TEST(Fibre, BendsAndTwistsAsTheRodItStandsFor) {
  // one bristle, held at its upper end: frequencies of a square rod in bending, 1.8751^2
  // and 4.6941^2 sqrt(EI/mu)/L^2, and in torsion, pi/2 sqrt(GJ/rho I_p)/L
  constexpr double E = 3.2e10, G = 1e9, d = 0.12e-3, length = 6e-3, density = 1100.0;
  constexpr int segments = 40;
  const mesh::TetMesh mesh = mesh::make_brush(
      {.bristles = {1, 1}, .length = length, .thickness = d, .segments = segments});
  const double h = length / segments;
  const FibreStiffness k = fibre_stiffness(E, G, d, h);
  ASSERT_GT(k.axial, 0.0);
  // masses in the corners are further out than those of a rod: chosen for its weight
  const double mass = density * d * d * h / 4.0;
  Body body = springs_along(mesh, mesh.bars, mass, 1.0);
  std::vector<int> top;
  for (std::size_t s = 0; s < mesh.bars.size(); ++s) {
    const std::string& region = mesh.region_names.at(mesh.bar_regions[s]);
    body.springs[s].stiffness = region == "axial"  ? k.axial
                                : region == "ring" ? k.ring
                                                   : k.diagonal;
  }
  for (int v = 0; v < mesh.num_vertices(); ++v) {
    if (mesh.vertices[v][2] > -1e-9) top.push_back(v);
    if (mesh.vertices[v][2] < -length + 1e-9) body.points[static_cast<std::size_t>(v)].mass *= 0.5;
  }
  const TermSystem system(to_terms(with_body(std::move(body), top)));
  const Vec omega = frequencies(system, system.rest_state());
  const double bending =
      std::sqrt(E * std::pow(d, 4) / 12.0 / (density * d * d)) / (length * length);
  EXPECT_NEAR(omega[0] / (1.875104 * 1.875104 * bending), 1.0, 0.02);
  // the cells shear more easily than a slender rod of the theory, which does not: 4 % by estimate
  EXPECT_NEAR(omega[2] / (4.694091 * 4.694091 * bending), 1.0, 0.07);
  // four corners at distance d/sqrt(2): I_p = d^2/2 times the mass, not d^2/6
  const double torsion = 0.5 * pi / length * std::sqrt(G * 0.1406 / (density * 0.5));
  EXPECT_TRUE(holds(omega, torsion, 0.03)) << torsion;
}

// ---- surfaces -------------------------------------------------------------------------------

TEST(Membrane, VibratesAsASquareDrumDoes) {
  // square grid of side N cells under tension T per string: out of the plane
  //   omega^2 = 4 T/(m a) (sin^2(p pi/2N) + sin^2(q pi/2N)),
  // which goes to pi/L sqrt((p^2 + q^2) tension/density) of a drum
  constexpr int cells = 12;
  constexpr double side = 1.2, mass = 2e-3, k = 50.0, scale = 0.8;
  const mesh::TetMesh cloth = mesh::make_cloth({.size = {side, side}, .cells = {cells, cells}});
  std::vector<mesh::Edge> strings;
  for (std::size_t b = 0; b < cloth.bars.size(); ++b)
    if (cloth.region_names.at(cloth.bar_regions[b]) == "structural")
      strings.push_back(cloth.bars[b]);
  std::vector<int> rim;
  for (int v = 0; v < cloth.num_vertices(); ++v) {
    const Vec3& x = cloth.vertices[v];
    if (std::min({x[0], x[1], side - x[0], side - x[1]}) < 1e-9) rim.push_back(v);
  }
  const TermSystem system(to_terms(with_body(springs_along(cloth, strings, mass, k, scale), rim)));
  const Vec omega = frequencies(system, system.rest_state());
  const double a = side / cells, tension = k * a * (1.0 - scale);
  const auto half_sine_squared = [&](int p) { return std::pow(std::sin(0.5 * p * pi / cells), 2); };
  for (int p = 1; p < cells; ++p)
    for (int q = 1; q < cells; ++q)
      EXPECT_TRUE(holds(
          omega,
          std::sqrt(4.0 * tension / (mass * a) * (half_sine_squared(p) + half_sine_squared(q))),
          1e-9))
          << p << " " << q;
  const double drum = pi / side * std::sqrt(2.0 * (tension / a) / (mass / (a * a)));
  EXPECT_NEAR(omega[0] / drum, 1.0, 0.01);
}

TEST(Sheet, BendsToACylinderForTheEnergyOfAPlate) {
  // equilateral triangles rolled up to a radius R: B/2 per area and squared curvature
  constexpr int n = 90, rows = 70;  // the rim has fewer edges
  constexpr double edge = 0.02, rigidity = 3.0, radius = 2.0;
  const double height = edge * std::sqrt(3.0) / 2.0;
  std::vector<mesh::Triangle> triangles;
  std::vector<Vec3> flat;
  const auto at = [](int i, int j) { return j * (n + 1) + i; };
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= n; ++i) flat.emplace_back(edge * (i + 0.5 * (j % 2)), height * j, 0.0);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < n; ++i) {
      const bool odd = j % 2 == 1;
      triangles.push_back({at(i, j), at(i + 1, j), at(i + (odd ? 1 : 0), j + 1)});
      triangles.push_back({at(i + (odd ? 0 : 1), j), at(i + 1, j + 1), at(i, j + 1)});
    }
  for (const double angle : {0.0, 0.3, pi / 2.0}) {  // of the axis, to the rows
    Body body;
    body.mesh.vertices = flat;
    body.points.assign(flat.size(), {.mass = 1.0});
    double area_of_inner = 0.0;
    for (const mesh::Hinge& hinge : mesh::find_hinges(triangles)) {
      const double area = std::sqrt(3.0) / 4.0 * edge * edge;
      body.bends.push_back({{hinge.begin(), hinge.end()}, rigidity * edge * edge / (2.0 * area)});
      area_of_inner += 2.0 * area / 3.0;  // each triangle has three edges
    }
    const TermSystem system(to_terms(with_body(std::move(body), {})));
    State state = system.rest_state();
    const Vec3 across(-std::sin(angle), std::cos(angle), 0.0),
        axis(std::cos(angle), std::sin(angle), 0.0);
    for (int v = 0; v < system.num_vertices(); ++v) {
      const double s = across.dot(flat[v]);
      state.q.segment<3>(system.dof_of_vertex(v)) =
          axis * axis.dot(flat[v]) + across * radius * std::sin(s / radius) +
          Vec3(0, 0, radius * (1.0 - std::cos(s / radius)));
    }
    const double energy = system.potential(state, *system.make_workspace());
    EXPECT_NEAR(energy / (0.5 * rigidity / (radius * radius) * area_of_inner), 1.0, 0.01) << angle;
  }
}

// ---- plasticity -----------------------------------------------------------------------------

struct PlasticResult {
  double set = 0.0, work = 0.0, balance = 0.0;
};

constexpr int num_springs = 4;
constexpr double spring_stiffness = 1000.0;

/// Keeps the inner particles on the line: a bar of springs would buckle when it is pushed. Posts
/// are so far away that they do not hinder motion along it.
void guide(BodiesSpec& spec) {
  constexpr double far_away = 100.0;
  Body& body = spec.bodies[0];
  for (int v = 1; v < num_springs; ++v)
    for (const Vec3& side : {Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
      const int post = body.mesh.num_vertices();
      body.mesh.vertices.push_back(body.mesh.vertices[static_cast<std::size_t>(v)] +
                                   far_away * side);
      body.points.push_back({.mass = 1.0});
      body.springs.push_back(
          {.vertices = {v, post}, .stiffness = spring_stiffness, .rest_length = far_away});
      spec.fixed.push_back(post);
    }
}

/// A bar of a few springs, pulled slowly by its end to the strain `top` and back to `bottom`.
PlasticResult pull(double yield, double hardening, double top, double bottom, const char* method) {
  const mesh::TetMesh rope = mesh::make_rope({.length = 1.0, .particles = num_springs + 1});
  Body body = springs_along(rope, rope.bars, 1e-3, spring_stiffness);
  for (Spring& spring : body.springs) {
    spring.yield = yield;
    spring.hardening = hardening;
    spring.damping_stiffness = 1e-3;  // vibrations must not make it yield
  }
  BodiesSpec spec = with_body(std::move(body), {0});
  guide(spec);
  const auto way =
      fmt::format("x + min(t, 10)/10*{0} + max(t - 10, 0)/10*({1} - {0})", top, bottom);
  spec.moved.push_back({{num_springs},
                        std::make_shared<ScriptedMotion>(std::array<core::Expression, 3>{
                            core::Expression(way), core::Expression("y"), core::Expression("z")})});
  const TermSystem system(to_terms(spec));
  State state = system.rest_state();
  const auto workspace = system.make_workspace();
  const auto integrator = integrators::make_integrator(method);
  sim::EnergyLedger ledger(system, la::serial_reducer());
  ledger.open(system, state, *workspace);
  constexpr int steps = 2000;
  for (int s = 0; s < steps; ++s) {
    const State before = state;
    EXPECT_EQ(integrator->step(system, *workspace, 20.0 / steps, state).status,
              integrators::StepStatus::accepted);
    ledger.advance(system, before, state, *workspace);
  }
  const auto row = std::find(ledger.loss_names().begin(), ledger.loss_names().end(), "plastic");
  Vec strain(system.num_cells());
  system.observables().evaluate_field("plastic_strain", state, *workspace, strain);
  return {strain.head(num_springs).mean(),
          ledger.record().lost[static_cast<std::size_t>(row - ledger.loss_names().begin())],
          ledger.record().numerical_loss};
}

TEST(PlasticBar, KeepsTheSetAndCostsTheWorkOfTheClosedForm) {
  constexpr double yield = 0.02, hardening = 0.25, top = 0.1;
  const double scale = spring_stiffness / num_springs;  // k L^2 of all springs together [J]
  // plastic strain when pulled, with the threshold at yield + hardening * plastic strain
  const double pulled = (top - yield) / (1.0 + hardening);
  const double work = scale * (yield * pulled + 0.5 * hardening * pulled * pulled);
  const double threshold = yield + hardening * pulled;
  const double pushed = (pulled - threshold) / (1.0 + hardening);
  ASSERT_GT(pushed, 0.0);
  const double both = work + scale * (threshold * pushed + 0.5 * hardening * pushed * pushed);
  struct Case {
    const char* method;
    double tolerance;  ///< si passes the threshold by a part of a step
  };
  for (const auto& [method, tolerance] : {Case{"be", 1e-6}, Case{"si", 2e-4}}) {
    SCOPED_TRACE(method);
    // back to where it is slack: elastic all the way
    const PlasticResult once = pull(yield, hardening, top, pulled, method);
    EXPECT_NEAR(once.set, pulled, tolerance);
    EXPECT_NEAR(once.work, work, 10.0 * tolerance * work);
    EXPECT_LT(std::abs(once.balance), 5e-3 * work) << "lost by the method";
    // back to its first length: it yields in compression too, beyond the threshold it has now
    const PlasticResult twice = pull(yield, hardening, top, 0.0, method);
    EXPECT_NEAR(twice.set, pulled - pushed, tolerance);
    EXPECT_NEAR(twice.work, both, 10.0 * tolerance * both);
  }
}

TEST(PlasticBar, YieldsAtOneForceWithoutHardening) {
  const PlasticResult result = pull(0.02, 0.0, 0.1, 0.08, "be");
  EXPECT_NEAR(result.set, 0.08, 1e-6);
  EXPECT_NEAR(result.work, spring_stiffness / num_springs * 0.02 * 0.08, 1e-5);
}

TEST(PlasticBar, DampingDoesNotBrakeABarThatHasYieldedAndSpins) {
  Body body;
  body.mesh.vertices = {Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0)};
  body.springs = {{.vertices = {0, 1},
                   .stiffness = 1000.0,
                   .rest_length = 1.0,
                   .yield = 0.001,
                   .damping_stiffness = 0.01,
                   .damping_shape = DampingShape::current}};
  body.points.assign(2, {.mass = 1.0});
  const TermSystem system(to_terms(with_body(std::move(body), {})));
  State state = system.rest_state();
  state.q *= 2.0;
  state.v.segment<3>(system.dof_of_vertex(0)) = Vec3(0, -1, 0);
  state.v.segment<3>(system.dof_of_vertex(1)) = Vec3(0, 1, 0);
  const auto method = integrators::make_integrator("rk4");
  const auto workspace = system.make_workspace();
  for (int s = 0; s < 500; ++s)
    ASSERT_EQ(method->step(system, *workspace, 1e-3, state).status,
              integrators::StepStatus::accepted);
  EXPECT_NEAR(system.accounts().momentum(state)->angular[2], 2.0, 1e-6);
}

TEST(PlasticBar, StaysElasticBelowTheThreshold) {
  const PlasticResult result = pull(0.02, 0.25, 0.0199, 0.0, "be");
  EXPECT_EQ(result.set, 0.0);
  EXPECT_EQ(result.work, 0.0);
}

// ---- rotations of ceti ----------------------------------------------------------------------

BodiesSpec lattice_beam(bool is_held) {
  const mesh::TetMesh beam = mesh::make_beam_lattice({.size = {1.0, 0.2, 0.2}, .cells = {5, 1, 1}});
  std::vector<int> held;
  for (int v = 0; is_held && v < beam.num_vertices(); ++v)
    if (beam.vertices[v][0] < 1e-9) held.push_back(v);
  BodiesSpec spec = with_body(springs_along(beam, beam.bars, 0.1, 2000.0), held);
  if (is_held) spec.gravity = {0, 0, -9.81};
  return spec;
}

std::unique_ptr<integrators::Integrator> make_ceti(const char* rotations) {
  const integrators::IntegratorEntry* entry = integrators::find_integrator("ceti");
  integrators::Options options(entry->options);
  options.set("rotations", std::string(rotations));
  return integrators::make_integrator(*entry, options, integrators::default_services());
}

State run_to(const TermSystem& system, integrators::Integrator& method, State state, double end,
             int steps) {
  const auto workspace = system.make_workspace();
  for (int s = 0; s < steps; ++s)
    EXPECT_EQ(method.step(system, *workspace, end / steps, state).status,
              integrators::StepStatus::accepted);
  return state;
}

TEST(CetiRotations, AreOfSecondOrderHoweverTheyAreFound) {
  const TermSystem system(to_terms(lattice_beam(true)));
  constexpr double end = 0.3;
  const State exact =
      run_to(system, *integrators::make_integrator("rk4"), system.rest_state(), end, 20000);
  for (const char* rotations : {"piece", "neighbourhood", "edges"}) {
    std::vector<double> errors;
    for (const int steps : {400, 800, 1600})
      errors.push_back(
          (run_to(system, *make_ceti(rotations), system.rest_state(), end, steps).q - exact.q)
              .norm());
    RecordProperty(std::string(rotations) + "_error_at_1600", std::to_string(errors[2]));
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.2) << rotations;
  }
}

TEST(CetiRotations, AgreeOnARigidSpin) {
  const TermSystem system(to_terms(lattice_beam(false)));
  State spin = system.rest_state();
  const Mat3 R = Eigen::AngleAxisd(1.1, Vec3(0.2, 1.0, -0.4).normalized()).toRotationMatrix();
  for (Index k = 0; k < spin.q.size(); k += 3) {
    spin.q.segment<3>(k) = (R * spin.q.segment<3>(k)).eval();
    spin.v.segment<3>(k) = Vec3(0.5, -1.0, 2.0).cross(Vec3(spin.q.segment<3>(k)));
  }
  const State piece = run_to(system, *make_ceti("piece"), spin, 1e-3, 1);
  for (const char* rotations : {"neighbourhood", "edges"})
    EXPECT_LT((run_to(system, *make_ceti(rotations), spin, 1e-3, 1).q - piece.q).norm(), 1e-10)
        << rotations;
}

// ---- pairs ----------------------------------------------------------------------------------

TermSystem dimer(double depth, double size, double distance, double mass) {
  Body body;
  body.mesh.vertices = {Vec3::Zero(), Vec3(0.6, 0.48, 0.64) * distance};
  body.points.assign(2, {.mass = mass});
  BodiesSpec spec = with_body(std::move(body), {});
  spec.interactions.push_back([=](const TermSite&) {
    std::vector<std::unique_ptr<Term>> terms;
    terms.push_back(
        make_pair_term(LennardJones({{depth, size}}, {.from = 4.0 * size, .to = 5.0 * size}),
                       {.vertices = {0, 1}, .kinds = {0, 0}}));
    return terms;
  });
  return TermSystem(to_terms(spec));
}

TEST(LennardJonesPair, VibratesAsItShould) {
  // minimum at 2^(1/6) size with curvature 72/2^(1/3) depth/size^2; two equal masses
  constexpr double depth = 1.3, size = 0.34, mass = 12.0;
  const TermSystem system = dimer(depth, size, std::pow(2.0, 1.0 / 6.0) * size, mass);
  const State rest = system.rest_state();
  EXPECT_NEAR(system.potential(rest, *system.make_workspace()), -depth, 1e-14);
  Vec f(6);
  system.force(rest, *system.make_workspace(), f);
  EXPECT_LT(f.norm(), 1e-12);
  const double curvature = 72.0 / std::cbrt(2.0) * depth / (size * size);
  const Vec omega = frequencies(system, rest);
  EXPECT_NEAR(omega[5], std::sqrt(2.0 * curvature / mass), 1e-10);
  EXPECT_LT(omega[4], 1e-5);
}

TEST(LennardJonesPair, IsSwitchedOffSmoothly) {
  const LennardJones potential({{1.0, 1.0}}, {.from = 2.0, .to = 2.5});
  const auto phi = [&](double r) { return potential.evaluate(0, 0, r); };
  for (const double r : {2.0, 2.5}) {
    const PairValue below = phi(r - 1e-7), above = r < 2.5 ? phi(r + 1e-7) : PairValue{};
    EXPECT_NEAR(below.energy, above.energy, 1e-6);
    EXPECT_NEAR(below.slope, above.slope, 1e-5);
    EXPECT_NEAR(below.curvature, above.curvature, 1e-4);
  }
  for (const double r : {0.95, 1.3, 2.1, 2.4}) {
    constexpr double h = 1e-5;
    EXPECT_NEAR((phi(r + h).energy - phi(r - h).energy) / (2 * h), phi(r).slope,
                1e-7 * (1.0 + std::abs(phi(r).slope)));
    EXPECT_NEAR((phi(r + h).slope - phi(r - h).slope) / (2 * h), phi(r).curvature,
                1e-7 * (1.0 + std::abs(phi(r).curvature)));
  }
}

TEST(Table, ReproducesWhatASplineCan) {
  // a cubic, exactly; Lennard-Jones closely
  std::vector<double> r, cubic, lj;
  const LennardJones exact({{1.0, 1.0}}, {.from = 3.0, .to = 3.1});
  for (int k = 0; k <= 200; ++k) {
    r.push_back(0.9 + 0.01 * k);
    cubic.push_back(1.0 + r.back() * (2.0 + r.back() * (-3.0 + 0.5 * r.back())));
    lj.push_back(exact.evaluate(0, 0, r.back()).energy);
  }
  const Switch late{.from = 2.85, .to = 2.9};
  const TabulatedPotential polynomial(r, cubic, late), table(r, lj, late);
  for (const double x : {0.9, 0.905, 1.234, 2.0, 2.7}) {
    const PairValue value = polynomial.evaluate(0, 0, x);
    EXPECT_NEAR(value.energy, 1.0 + x * (2.0 + x * (-3.0 + 0.5 * x)), 1e-12);
    EXPECT_NEAR(value.slope, 2.0 + x * (-6.0 + 1.5 * x), 1e-11);
    EXPECT_NEAR(value.curvature, -6.0 + 3.0 * x, 1e-9);
    if (x < 0.95) continue;
    EXPECT_NEAR(table.evaluate(0, 0, x).slope, exact.evaluate(0, 0, x).slope, 2e-4);
  }
  // below the table, a parabola that goes on smoothly
  const PairValue first = table.evaluate(0, 0, 0.9), below = table.evaluate(0, 0, 0.8);
  EXPECT_NEAR(below.slope, first.slope - 0.1 * first.curvature, 1e-9 * std::abs(first.slope));
}

}  // namespace
}  // namespace sinew::physics
