// SPDX-License-Identifier: Apache-2.0
// Natural frequencies of a slender clamped bar against beam theory. Linear tets are stiff in
// bending, so the frequencies come down as the mesh is refined; the test prints them, checks that
// the error falls with the square of the cell size, and compares the extrapolated values.
#include <cmath>
#include <complex>
#include <numbers>

#include <Eigen/LU>
#include <Spectra/SymEigsSolver.h>
#include <gtest/gtest.h>

#include <sinew/dynamics/natural_modes.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/diagonal_operator.hpp>
#include <sinew/la/solvers/linear_solver.hpp>

#include "support/bodies.hpp"

namespace sinew {
namespace {

constexpr double length = 2.0, depth = 0.1, young = 1e9, poisson = 0.3, density = 1000.0;
constexpr double shear_modulus = young / (2.0 * (1.0 + poisson));
constexpr double pi = std::numbers::pi;

/// M^1/2 K^-1 M^1/2, whose largest eigenvalues are 1/omega^2.
class InverseStiffness {
 public:
  using Scalar = double;

  explicit InverseStiffness(const physics::TermSystem& system)
      : workspace_(system.make_workspace()),
        linearization_(system.make_linearization()),
        solver_(la::solvers().front().make(la::serial_reducer())),
        root_mass_(
            dynamic_cast<const la::DiagonalOperator&>(system.mass()).diagonal().cwiseSqrt()) {
    system.linearize(system.rest_state(), {}, *workspace_, *linearization_);
    EXPECT_EQ(solver_->factorize(linearization_->combine(0.0, 0.0, 1.0)).status,
              la::SolveStatus::ok);
  }

  Index rows() const { return root_mass_.size(); }
  Index cols() const { return root_mass_.size(); }
  void perform_op(const double* x, double* y) const {
    const Eigen::Map<const Vec> in(x, rows());
    Eigen::Map<Vec> out(y, rows());
    const Vec b = root_mass_.cwiseProduct(in);
    Vec solution(rows());
    EXPECT_EQ(solver_->solve(b, solution).status, la::SolveStatus::ok);
    out = root_mass_.cwiseProduct(solution);
  }

 private:
  std::unique_ptr<dynamics::Workspace> workspace_;
  std::unique_ptr<dynamics::Linearization> linearization_;
  std::unique_ptr<la::LinearSolver> solver_;
  Vec root_mass_;
};

enum Kind { bending, axial, torsional };

struct Frequencies {
  std::vector<double> of[3];  ///< angular frequencies by kind, ascending; bending once per pair
};

/// Lowest modes of a bar with n cells across its depth, sorted by what moves.
Frequencies bar_frequencies(int n, int wanted = 18) {
  physics::BodiesSpec spec;
  physics::Body body;
  body.mesh = mesh::make_bar({.size = {length, depth, depth}, .cells = {20 * n, n, n}});
  body.tets.assign(body.mesh.tets.size(), {.material = physics::find_material("stable-neo-hookean"),
                                           .moduli = physics::moduli(young, poisson),
                                           .density = density});
  for (int v = 0; v < body.mesh.num_vertices(); ++v)
    if (body.mesh.vertices[v][0] < 1e-9) spec.fixed.push_back(v);
  spec.bodies.push_back(std::move(body));
  const physics::TermSystem system(physics::to_terms(spec));

  InverseStiffness op(system);
  Spectra::SymEigsSolver<InverseStiffness> eigen(op, wanted, 3 * wanted);
  eigen.init();
  EXPECT_EQ(eigen.compute(Spectra::SortRule::LargestAlge, 1000, 1e-10), wanted);

  Frequencies result;
  const dynamics::State rest = system.rest_state();
  const Mat modes = eigen.eigenvectors();
  for (int k = 0; k < wanted; ++k) {
    const double omega = 1.0 / std::sqrt(eigen.eigenvalues()[k]);
    // how much of the motion is along the bar, across it, and turning about its axis
    double along = 0.0, turn = 0.0, across = 0.0;
    for (Index i = 0; i < rest.q.size(); i += 3) {
      const double y = rest.q[i + 1] - depth / 2, z = rest.q[i + 2] - depth / 2;
      along += modes(i, k) * modes(i, k);
      across += modes(i + 1, k) * modes(i + 1, k) + modes(i + 2, k) * modes(i + 2, k);
      const double r2 = y * y + z * z;
      if (r2 > 0.0) turn += std::pow(y * modes(i + 2, k) - z * modes(i + 1, k), 2) / r2;
    }
    // a translation of the section turns by half on average, a twist by all of it
    const Kind kind = along > 0.8 ? axial : turn > 0.9 * across ? torsional : bending;
    result.of[kind].push_back(omega);
  }
  // the two bending directions of a square section come in pairs
  std::vector<double> pairs;
  for (std::size_t k = 0; k + 1 < result.of[bending].size(); k += 2) {
    EXPECT_NEAR(result.of[bending][k + 1] / result.of[bending][k], 1.0, 2e-3);
    pairs.push_back(0.5 * (result.of[bending][k] + result.of[bending][k + 1]));
  }
  result.of[bending] = pairs;
  return result;
}

/// Roots of 1 + cos(b) cosh(b) = 0.
constexpr double cantilever_roots[] = {1.87510407, 4.69409113, 7.85475744, 10.99554073};

double euler_bernoulli(int mode) {
  const double b = cantilever_roots[mode] / length;
  return b * b * std::sqrt(young * depth * depth / 12.0 / density);
}

/// det of the clamped-free Timoshenko beam at angular frequency omega, scaled to stay finite.
double timoshenko_determinant(double omega) {
  using C = std::complex<double>;
  constexpr double kappa = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson);  // Cowper, square
  const double A = depth * depth, I = std::pow(depth, 4) / 12.0;
  const double kGA = kappa * shear_modulus * A, EI = young * I, rhoA = density * A,
               rhoI = density * I;
  // w = e^{sx}, phi = c(s) e^{sx}: kGA (s^2 w - s phi) + rhoA omega^2 w = 0, and
  // EI s^2 phi + kGA (s w - phi) + rhoI omega^2 phi = 0
  const double a = EI * kGA, w2 = omega * omega;
  const double b = EI * rhoA * w2 + kGA * rhoI * w2;
  const double c = rhoA * w2 * (rhoI * w2 - kGA);
  const C root = std::sqrt(C(b * b - 4.0 * a * c));
  C s[4] = {std::sqrt((-b + root) / (2.0 * a)), 0, std::sqrt((-b - root) / (2.0 * a)), 0};
  s[1] = -s[0];
  s[3] = -s[2];
  Eigen::Matrix4cd D;
  for (int k = 0; k < 4; ++k) {
    const C phi = (kGA * s[k] * s[k] + rhoA * w2) / (kGA * s[k]);
    // growing waves are measured at the tip, so that no column overflows
    const C scale = std::exp(-std::max(std::real(s[k]), 0.0) * length);
    const C tip = std::exp(s[k] * length) * scale;
    D(0, k) = scale;                       // w(0) = 0
    D(1, k) = scale * phi;                 // phi(0) = 0
    D(2, k) = tip * s[k] * phi;            // no moment at the tip
    D(3, k) = tip * (s[k] - phi) * 100.0;  // no shear force at the tip
  }
  const C det = D.determinant();
  return std::abs(std::real(det)) > std::abs(std::imag(det)) ? std::real(det) : std::imag(det);
}

/// The root next to (below) Euler-Bernoulli's, by scanning and bisection.
double timoshenko(int mode) {
  double high = euler_bernoulli(mode) * 1.001;
  double low = high;
  const double step = 0.002 * high;
  while (timoshenko_determinant(low) * timoshenko_determinant(high) > 0.0) {
    low -= step;
    if (low < 0.5 * high) return std::nan("");
  }
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (timoshenko_determinant(middle) * timoshenko_determinant(high) > 0.0 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

double axial_frequency(int mode) {
  return (2 * mode + 1) * pi / (2.0 * length) * std::sqrt(young / density);
}

double torsional_frequency(int mode) {
  // torsion constant of a square 0.140577 d^4 over the polar moment d^4/6
  constexpr double ratio = 0.140577 * 6.0;
  return (2 * mode + 1) * pi / (2.0 * length) * std::sqrt(ratio * shear_modulus / density);
}

TEST(BarModes, ConvergeToTimoshenkoAxialAndTorsionalTheory) {
  const int levels[] = {4, 6, 9};
  Frequencies found[3];
  for (int k = 0; k < 3; ++k) found[k] = bar_frequencies(levels[k]);
  const auto limit = [&](Kind kind, std::size_t mode) {
    // error proportional to the square of the cell size
    const double coarse = found[1].of[kind].at(mode), fine = found[2].of[kind].at(mode);
    return fine + (fine - coarse) / (std::pow(levels[2] / double(levels[1]), 2) - 1.0);
  };
  const auto report = [&](const char* what, Kind kind, std::size_t mode, double theory) {
    std::printf("%-12s %zu  n=4 %.4f  n=6 %.4f  n=9 %.4f  limit %.4f of theory (%.4g Hz)\n", what,
                mode + 1, found[0].of[kind].at(mode) / theory, found[1].of[kind].at(mode) / theory,
                found[2].of[kind].at(mode) / theory, limit(kind, mode) / theory, theory / (2 * pi));
  };

  for (std::size_t mode = 0; mode < 4; ++mode) {
    report("Timoshenko", bending, mode, timoshenko(static_cast<int>(mode)));
    EXPECT_NEAR(limit(bending, mode) / timoshenko(static_cast<int>(mode)), 1.0, 0.01);
  }
  report("axial", axial, 0, axial_frequency(0));
  EXPECT_NEAR(limit(axial, 0) / axial_frequency(0), 1.0, 0.005);
  for (std::size_t mode = 0; mode < 2; ++mode) {
    report("torsional", torsional, mode, torsional_frequency(static_cast<int>(mode)));
    EXPECT_NEAR(limit(torsional, mode) / torsional_frequency(static_cast<int>(mode)), 1.0, 0.01);
  }
  // the observed order of the first bending mode, against the extrapolated value
  const double exact = limit(bending, 0);
  const double order =
      std::log((found[0].of[bending][0] - exact) / (found[1].of[bending][0] - exact)) /
      std::log(6.0 / 4.0);
  std::printf("order of the first bending frequency: %.2f\n", order);
  EXPECT_NEAR(order, 2.0, 0.3);
}

// ---- the library's own modes -------------------------------------------------------------------

physics::TermSystem bar(std::array<double, 3> size, std::array<int, 3> cells,
                        bool consistent = false, bool clamped = false) {
  return physics::TermSystem(physics::to_terms(test::bar_spec({.size = size,
                                                               .cells = cells,
                                                               .young = young,
                                                               .poisson = poisson,
                                                               .density = density,
                                                               .consistent_mass = consistent,
                                                               .clamped = clamped})));
}

dynamics::NaturalModes modes_of(const physics::TermSystem& system, Index count) {
  auto found = dynamics::find_natural_modes(system, system.rest_state(), {.count = count},
                                            *la::solvers().front().make(la::serial_reducer()),
                                            la::serial_reducer());
  EXPECT_EQ(found.status, la::SolveStatus::ok);
  for (Index k = 0; k < found.modes.size(); ++k) EXPECT_TRUE(found.is_found(k, 1e-8)) << k;
  return found;
}

double orthonormality_error(const physics::TermSystem& system, const Mat& U) {
  Mat MU(U.rows(), U.cols());
  system.mass().apply_columns(U, MU);
  return (U.transpose() * MU - Mat::Identity(U.cols(), U.cols())).cwiseAbs().maxCoeff();
}

TEST(NaturalModes, OfAFreeBarAreSixRigidOnesAndThoseOfTheDensePencil) {
  for (const bool consistent : {false, true}) {
    const physics::TermSystem system = bar({1.0, 0.3, 0.2}, {6, 3, 2}, consistent);
    const auto workspace = system.make_workspace();
    const auto linearization = system.make_linearization();
    system.linearize(system.rest_state(), {}, *workspace, *linearization);
    const Index n = system.num_dofs();
    Mat K(n, n), M(n, n);
    linearization->stiffness().apply_columns(Mat::Identity(n, n), K);
    system.mass().apply_columns(Mat::Identity(n, n), M);
    const Vec dense = la::generalized_symmetric_eigen(K, M).values;

    const dynamics::NaturalModes found = modes_of(system, 12);

    const Vec& lambda = found.modes.lambda;
    ASSERT_EQ(lambda.size(), 18);
    const double rounding = 1e-13 * dense[n - 1];
    for (Index k = 0; k < 18; ++k) {
      EXPECT_EQ(found.is_rigid[static_cast<std::size_t>(k)], k < 6) << k;
      EXPECT_NEAR(lambda[k], dense[k], rounding) << k;
    }
    EXPECT_LT(orthonormality_error(system, found.modes.U), 1e-12);
    // reported residuals are those that a reader would compute
    Vec Ku(n), Mu(n), divided(n);
    for (Index k = 0; k < 18; ++k) {
      linearization->stiffness().apply(found.modes.U.col(k), Ku);
      system.mass().apply(found.modes.U.col(k), Mu);
      const Vec r = Ku - lambda[k] * Mu;
      system.mass_inverse().apply(r, divided);
      EXPECT_NEAR(std::sqrt(std::abs(r.dot(divided))), found.modes.residual[k], rounding) << k;
    }
  }
}

TEST(NaturalModes, OfASquareBarComeInPairs) {
  physics::BodiesSpec spec;
  physics::Body body;
  // an even number of cells across: the pattern of tets is then the same in both directions
  body.mesh = mesh::make_bar({.size = {length, depth, depth}, .cells = {40, 2, 2}});
  body.tets.assign(body.mesh.tets.size(), {.material = physics::find_material("stable-neo-hookean"),
                                           .moduli = physics::moduli(young, poisson),
                                           .density = density});
  spec.bodies.push_back(std::move(body));
  const physics::TermSystem system(physics::to_terms(spec));

  const dynamics::NaturalModes found = modes_of(system, 4);

  const Vec lambda = found.modes.lambda.tail(4);
  EXPECT_NEAR(lambda[1] / lambda[0], 1.0, 1e-9);
  EXPECT_NEAR(lambda[3] / lambda[2], 1.0, 1e-9);
  EXPECT_GT(lambda[2] / lambda[1], 2.0);
  EXPECT_LT(orthonormality_error(system, found.modes.U), 1e-12);
}

TEST(NaturalModes, AreThoseOfSpectra) {
  const physics::TermSystem system = bar({length, depth, depth}, {40, 2, 2}, false, true);
  const dynamics::NaturalModes found = modes_of(system, 10);
  InverseStiffness op(system);
  Spectra::SymEigsSolver<InverseStiffness> eigen(op, 10, 30);
  eigen.init();
  ASSERT_EQ(eigen.compute(Spectra::SortRule::LargestAlge, 1000, 1e-12), 10);
  for (Index k = 0; k < 10; ++k) {
    EXPECT_FALSE(found.is_rigid[static_cast<std::size_t>(k)]);
    EXPECT_NEAR(found.modes.lambda[k] * eigen.eigenvalues()[k], 1.0, 1e-8) << k;
  }
}

TEST(NaturalModes, OfASqueezedBarCanBeUnstable) {
  const physics::TermSystem system = bar({length, depth, depth}, {40, 2, 2}, false, true);
  dynamics::State squeezed = system.rest_state();
  for (Index i = 0; i < squeezed.q.size(); i += 3) squeezed.q[i] *= 0.97;

  const auto found = dynamics::find_natural_modes(system, squeezed, {.count = 4},
                                                  *la::solvers().front().make(la::serial_reducer()),
                                                  la::serial_reducer());

  ASSERT_EQ(found.status, la::SolveStatus::ok);
  // it buckles in both directions: Euler's load is a strain of 0.2 % at this slenderness
  EXPECT_LT(found.modes.lambda[1], 0.0);
  EXPECT_GT(found.shift, -found.modes.lambda[0]);
  for (Index k = 0; k < 4; ++k) EXPECT_TRUE(found.is_found(k, 1e-8)) << k;
}

TEST(NaturalModes, RayleighDampingIsSeenInEachMode) {
  const double mass = 0.4, stiffness = 2e-4;
  const physics::TermSystem system(physics::to_terms(
      test::bar_spec({.damping_mass = mass, .damping_stiffness = stiffness, .clamped = true})));
  const dynamics::NaturalModes found = modes_of(system, 6);
  for (Index k = 0; k < 6; ++k)
    EXPECT_NEAR(found.damping[k], mass + stiffness * found.modes.lambda[k],
                1e-8 * found.damping[k]);
}

TEST(BarModes, FirstTwoBendingModesAreEulerBernoullisOnAFineMesh) {
  // Timoshenko's second frequency is itself 1.3 % below Euler-Bernoulli's at this slenderness, and
  // linear tets are a little stiff: the two meet within 1 % at twelve cells across
  if (la::solvers().front().name == "eigen")
    GTEST_SKIP() << "takes minutes with simplicial solvers";

  const Frequencies found = bar_frequencies(12, 4);

  for (int mode = 0; mode < 2; ++mode) {
    const double ratio =
        found.of[bending].at(static_cast<std::size_t>(mode)) / euler_bernoulli(mode);
    std::printf("mode %d: n=12 %.4f of Euler-Bernoulli; Timoshenko %.4f\n", mode + 1, ratio,
                timoshenko(mode) / euler_bernoulli(mode));
    EXPECT_NEAR(ratio, 1.0, 0.01);
  }
}

}  // namespace
}  // namespace sinew
