// SPDX-License-Identifier: Apache-2.0
// What exponential Rosenbrock methods promise, and what they share with trigonometric ones:
// exactness, orders under stiffness, order conditions.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/phi/stumpff.hpp>

#include "split_system.hpp"

namespace sinew::integrators {
namespace {

using namespace oscillating;
using test::CubicChain;
using test::Oscillator;

constexpr std::array all_methods{"ere", "exprb42", "pexprb43", "eti", "neti", "ceti"};

// ---- exactness --------------------------------------------------------------------------------

TEST(Exponential, LinearBodiesUnderTheirWeightMoveExactlyAtAnyStep) {
  // reference by eigen-decomposition
  physics::BodiesSpec spec =
      test::bar_spec({.cells = {4, 2, 2}, .material = "linear", .young = 1e9, .clamped = true});
  spec.gravity = {0.0, 0.0, -9.81};
  const physics::TermSystem body(physics::to_terms(spec));
  const auto workspace = body.make_workspace();
  const State start = test::deformed_state(body, 1e-3, 0.1);
  const auto linearization = body.make_linearization();
  body.linearize(body.rest_state(), {}, *workspace, *linearization);
  const Mat K = linearization->stiffness().assembled()->to_dense();
  const Vec m = *body.mass().diagonal_only();
  Vec f(body.num_dofs());
  body.force(body.rest_state(), *workspace, f);
  const Mat M = m.asDiagonal();
  const la::SymmetricEigen modes = la::generalized_symmetric_eigen(K, M);
  const Vec omega = modes.values.cwiseSqrt();
  const Mat& U = modes.vectors;
  const Vec sag = U * (U.transpose() * f).cwiseQuotient(modes.values);
  for (const double h : {0.01, 0.1}) {
    const Vec a = U.transpose() * M * (start.q - body.rest_state().q - sag);
    const Vec b = U.transpose() * M * start.v;
    const double t = 3.0 * h;
    const Vec c = (omega * t).array().cos(), s = (omega * t).array().sin();
    const Vec q = body.rest_state().q + sag +
                  U * (c.cwiseProduct(a) + s.cwiseProduct(b).cwiseQuotient(omega));
    const Vec v = U * (c.cwiseProduct(b) - s.cwiseProduct(a).cwiseProduct(omega));
    for (const char* name : all_methods) {
      const State state = advance(*make(name), body, start, t, 3);
      // M^-1 f holds the fastest vibrations (h omega)^2 times larger than they move the body, and
      // its roundings likewise
      const double limit = std::max(1e-10, 1e-15 * std::pow(h * omega.maxCoeff(), 2));
      EXPECT_LT((state.q - q).norm(), limit * (start.q - body.rest_state().q).norm())
          << name << " h omega " << h * omega.maxCoeff();
      EXPECT_LT((state.v - v).norm(), 10.0 * limit * v.norm()) << name << " " << h;
    }
  }
}

TEST(Exponential, DampedOscillatorsMoveExactlyWhereDampingIsInTheFunctions) {
  // under-, critically and over-damped
  for (const double d : {0.5, 20.0, 300.0}) {
    const Oscillator oscillator(10.0, d);
    const double t = 0.9;
    const Eigen::Vector2d exact = la::damped_exponential(t, 100.0, d) * Eigen::Vector2d(1.0, 0.4);
    for (const char* name : all_methods) {
      const State state = advance(*make(name), oscillator, Oscillator::displaced(1.0, 0.4), t, 3);
      EXPECT_NEAR(state.q[0], exact[0], 1e-11) << name << " " << d;
      EXPECT_NEAR(state.v[0], exact[1], 1e-10) << name << " " << d;
    }
  }
}

TEST(Exponential, UnstableDirectionsGrowLikeHyperbolicCosines) {
  const SplitSystem saddle(Mat::Constant(1, 1, -9.0), nothing);
  for (const char* name : all_methods) {
    const State state = advance(*make(name), saddle, at({1.0}, {0.0}), 0.7, 1);
    EXPECT_NEAR(state.q[0], std::cosh(2.1), 1e-12 * std::cosh(2.1)) << name;
  }
}

// ---- orders -----------------------------------------------------------------------------------

TEST(Exponential, KeepTheirOrderBesideSpringsAMillionTimesStiffer) {
  // Every step spans 14 to 110 radians of the fast vibrations. Near a resonance, h omega a multiple
  // of pi, errors are larger; the slope of a line through several steps sees past single ones.
  const SplitSystem chain = StiffChain::make(1e7);
  const State fine = advance(*make("exprb42"), chain, StiffChain::start(), 1.0, 3000);
  const State other = advance(*make("pexprb43"), chain, StiffChain::start(), 1.0, 3000);
  ASSERT_LT((fine.q - other.q).norm(), 1e-11);
  for (const char* name : all_methods) {
    const double declared = find_integrator(name)->traits.order;
    Vec x(7), y(7);
    for (int k = 0; k < x.size(); ++k) {
      const int steps = static_cast<int>((declared > 2 ? 40 : 80) * std::pow(2.0, 0.3 * k)) + 1;
      const State state = advance(*make(name), chain, StiffChain::start(), 1.0, steps);
      x[k] = -std::log2(steps);
      y[k] = std::log2((state.q - fine.q).norm());
    }
    const Vec centred = x.array() - x.mean();
    const double order = centred.dot(y) / centred.squaredNorm();
    RecordProperty(std::string("order of ") + name, std::to_string(order));
    EXPECT_NEAR(order, declared, 0.1) << name << "\n" << y.transpose();
  }
}

TEST(Exponential, RosenbrockMethodsObeyTheOrderConditions) {
  // With a load t^m on an oscillator the methods are quadratures with the weights b_i(hJ). Table 1
  // of Luan and Michels: sum b_i c_i^2 = 2 phi_3 makes t^2 exact, sum b_i c_i^3 = 6 phi_4 makes t^3
  // exact; exprb42 has the second condition only in the limit of small h omega.
  const double omega = 7.0, h = 0.4;
  const auto error = [&](const char* name, int power) {
    const SplitSystem system(
        Mat::Constant(1, 1, omega * omega),
        [power](const Vec&, double t) { return Vec::Constant(1, std::pow(t, power)); },
        {.moves = true});
    const State state = advance(*make(name), system, at({0.0}, {0.0}), h, 1);
    // h^(m+1) m! phi_{m+1}(hJ) (0, 1)
    const double factorial = power == 2 ? 2.0 : 6.0;
    const auto phi = la::oscillator_phi(h, omega * omega, 0.0);
    const Eigen::Vector2d exact =
        std::pow(h, power + 1) * factorial * phi[static_cast<std::size_t>(power + 1)].col(1);
    return (Eigen::Vector2d(state.q[0], state.v[0]) - exact).norm() / exact.norm();
  };
  EXPECT_LT(error("exprb42", 2), 1e-10);
  EXPECT_LT(error("pexprb43", 2), 1e-10);
  EXPECT_LT(error("pexprb43", 3), 1e-6);  // df/dt by differences is exact for t^2 only
  EXPECT_GT(error("exprb42", 3), 1e-2);
  EXPECT_GT(error("ere", 2), 1e-2);
}

TEST(Exponential, EulerIsOfSecondOrderForLoadsThatChangeWithTime) {
  // and would be of first order without the phi_2 term
  const CubicChain chain({.load = 20.0});
  const State exact = advance(*make("rk4"), chain, CubicChain::start(), 1.0, 20000);
  double error[2];
  for (int level = 0; level < 2; ++level)
    error[level] =
        (advance(*make("ere"), chain, CubicChain::start(), 1.0, 320 << level).q - exact.q).norm();
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.1);
}

TEST(Exponential, ProductsGrowNoFasterThanTheFrequencies) {
  long before = 0;
  for (const double young : {1e5, 1e6, 1e7, 1e8, 1e9, 1e10}) {
    const physics::TermSystem body(
        physics::to_terms(test::bar_spec({.cells = {12, 3, 3}, .young = young, .clamped = true})));
    const auto workspace = body.make_workspace();
    State state = test::deformed_state(body, 1e-2 * std::sqrt(1e5 / young), 0.1);
    const StepReport report = make("ere", {}, 1e-6)->step(body, *workspace, 0.01, state);
    ASSERT_EQ(report.status, StepStatus::accepted);
    ASSERT_TRUE(report.phi.has_value());
    const long products = report.profile.counts.matvecs;
    if (before > 0) {
      EXPECT_LT(static_cast<double>(products), std::sqrt(10.0) * static_cast<double>(before))
          << young;
    }
    before = products;
  }
}

// ---- forms of one method ------------------------------------------------------------------------

TEST(Exponential, EveryKernelTakesTheSameStep) {
  const physics::TermSystem body(
      physics::to_terms(test::bar_spec({.young = 1e7, .clamped = true})));
  const State start = test::deformed_state(body, 1e-3, 0.1);
  for (const char* name : {"ere", "exprb42", "pexprb43"}) {
    const State expected = advance(*make(name), body, start, 5e-3, 1);
    for (const char* kernel : {"dense", "lanczos", "chebyshev", "arnoldi", "skew"}) {
      const State state =
          advance(*make(name, {{"kernel", std::string(kernel)}}, 1e-11), body, start, 5e-3, 1);
      EXPECT_LT((state.q - expected.q).norm(), 1e-9 * (expected.q - start.q).norm())
          << name << " " << kernel;
      EXPECT_LT((state.v - expected.v).norm(), 1e-9 * expected.v.norm()) << name << " " << kernel;
    }
  }
}

}  // namespace
}  // namespace sinew::integrators
