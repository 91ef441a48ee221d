// SPDX-License-Identifier: Apache-2.0
// Single steps of hybrid methods, and a dense oracle for them.
#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include <sinew/integrators/registry.hpp>
#include <sinew/la/dense/cholesky.hpp>
#include <sinew/la/dense/decompositions.hpp>

#include "support/bodies.hpp"
#include "support/toy_systems.hpp"

namespace sinew::integrators::hybrids {

using dynamics::State;
using test::bar_spec;
using test::deformed_state;

using Settings = std::vector<std::pair<std::string, OptionValue>>;

inline std::unique_ptr<Integrator> make(const char* name, const Settings& settings = {}) {
  const IntegratorEntry& entry = *find_integrator(name);
  Options options(entry.options);
  for (const auto& [key, value] : settings) options.set(key, value);
  return make_integrator(entry, options, default_services());
}

inline std::unique_ptr<Integrator> make_siere(long modes,
                                              const std::string& variant = "collapsed") {
  return make("siere", {{"modes", modes}, {"mode_tolerance", 1e-11}, {"variant", variant}});
}

inline State one_step(Integrator& method, const dynamics::DynamicalSystem& system, State state,
                      double h, StepReport* out = nullptr) {
  const auto workspace = system.make_workspace();
  const StepReport report = method.step(system, *workspace, h, state);
  EXPECT_EQ(report.status, StepStatus::accepted) << to_string(report.status);
  if (out) *out = report;
  return state;
}

/// Of the increments of q and v over a step, each relative to its size.
inline double difference(const State& a, const State& b, const State& start) {
  return std::max((a.q - b.q).norm() / (b.q - start.q).norm(),
                  (a.v - b.v).norm() / (b.v - start.v).norm());
}

inline double energy(const dynamics::DynamicalSystem& system, const State& state) {
  const auto workspace = system.make_workspace();
  Vec Mv(state.v.size());
  system.mass().apply(state.v, Mv);
  return 0.5 * state.v.dot(Mv) + system.potential(state, *workspace);
}

/// M, K, D and f at a state, as dense matrices, with all modes.
struct Dense {
  Dense(const dynamics::DynamicalSystem& system, const State& state) {
    const auto workspace = system.make_workspace();
    const auto linearization = system.make_linearization();
    system.linearize(state, {}, *workspace, *linearization, &f);
    const Index n = system.num_dofs();
    M.resize(n, n);
    K.resize(n, n);
    D = Mat::Zero(n, n);
    system.mass().apply_columns(Mat::Identity(n, n), M);
    linearization->stiffness().apply_columns(Mat::Identity(n, n), K);
    if (linearization->damping()) linearization->damping()->apply_columns(Mat::Identity(n, n), D);
    const la::SymmetricEigen eigen = la::generalized_symmetric_eigen(K, M);
    lambda = eigen.values;
    U = eigen.vectors;
  }

  /// The paper's formula with 2n x 2n matrices and the s lowest modes.
  State siere(const State& now, double h, Index s) const {
    const Index n = M.rows();
    const Mat Us = U.leftCols(s), P = Us * Us.transpose() * M, I = Mat::Identity(n, n);
    const la::DenseCholesky mass(M);
    const Mat A = mass.solve(K), C = mass.solve(D);
    Mat J = Mat::Zero(2 * n, 2 * n), J_G = J;
    J.topRightCorner(n, n) = I;
    J.bottomLeftCorner(n, n) = -A;
    J.bottomRightCorner(n, n) = -C;
    J_G.topRightCorner(n, n) = P;
    J_G.bottomLeftCorner(n, n) = -P * A * P;
    J_G.bottomRightCorner(n, n) = -P * C * P;
    Vec F(2 * n), G(2 * n);
    F << now.v, mass.solve(f);
    G << P * F.head(n), P * F.tail(n);
    // phi_1 G in the modal coordinates
    Mat small = Mat::Zero(2 * s, 2 * s);
    small.topRightCorner(s, s).setIdentity();
    small.bottomLeftCorner(s, s) = -Us.transpose() * K * Us;
    small.bottomRightCorner(s, s) = -Us.transpose() * D * Us;
    Vec g(2 * s);
    g << Us.transpose() * M * G.head(n), Us.transpose() * M * G.tail(n);
    // h phi_1(h J) g solves y' = J y + g: eigen-decomposition of the augmented matrix
    Mat augmented = Mat::Zero(2 * s + 1, 2 * s + 1);
    augmented.topLeftCorner(2 * s, 2 * s) = h * small;
    augmented.topRightCorner(2 * s, 1) = h * g;
    const Vec e = exponential(augmented).topRightCorner(2 * s, 1);
    Vec right = h * (F - G);
    right.head(n) += Us * e.head(s);
    right.tail(n) += Us * e.tail(s);
    const Vec step = la::solve(Mat::Identity(2 * n, 2 * n) - h * (J - J_G), right);
    State next = now;
    next.q += step.head(n);
    next.v += step.tail(n);
    return next;
  }

  /// By scaling and squaring of a long Taylor series: slow, and independent of everything else.
  static Mat exponential(const Mat& A) {
    const int halvings = std::max(0, static_cast<int>(std::ceil(std::log2(A.norm() + 1e-300))) + 4);
    const Mat small = A / std::pow(2.0, halvings);
    Mat term = Mat::Identity(A.rows(), A.cols()), sum = term;
    for (int k = 1; k < 16; ++k) sum += (term = (term * small / k).eval());
    for (int k = 0; k < halvings; ++k) sum = (sum * sum).eval();
    return sum;
  }

  Mat M, K, D, U;
  Vec f, lambda;
};

}  // namespace sinew::integrators::hybrids
