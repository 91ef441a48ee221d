// SPDX-License-Identifier: Apache-2.0
// Small dynamical systems without any mesh, with known solutions or known difficulties.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/dynamics/oscillator.hpp>
#include <sinew/la/diagonal_operator.hpp>

namespace sinew::test {

using dynamics::Oscillator;

/// q'' + omega^2 sin q = 0, far from small angles.
class Pendulum final : public dynamics::DynamicalSystem {
 public:
  explicit Pendulum(double omega) : omega2_(omega * omega) {}

  Index num_dofs() const override { return 1; }
  const la::LinearOperator& mass() const override { return mass_; }
  const la::LinearOperator& mass_inverse() const override { return mass_; }
  double potential(const dynamics::State& s, dynamics::Workspace&) const override {
    return omega2_ * (1.0 - std::cos(s.q[0]));
  }
  void force(const dynamics::State& s, dynamics::Workspace&, VecOut f) const override {
    f[0] = -omega2_ * std::sin(s.q[0]);
  }
  dynamics::ForceTraits traits() const override {
    return {.form = dynamics::ForceForm::potential_and_dissipation};
  }

 protected:
  std::shared_ptr<const la::BlockPattern> pattern(const dynamics::State&,
                                                  dynamics::Workspace&) const override {
    return pattern_;
  }
  void assemble(const dynamics::State& s, const dynamics::LinearizeOptions&, dynamics::Workspace& w,
                la::SymmetricMatrix& K, la::SymmetricMatrix*, Vec* f,
                dynamics::LinearizeReport&) const override {
    K.add(0, 0, omega2_ * std::cos(s.q[0]));
    if (f) force(s, w, *f);
  }

 private:
  double omega2_;
  la::DiagonalOperator mass_{Vec::Ones(1)};
  std::shared_ptr<const la::BlockPattern> pattern_ = la::BlockPattern::dense(1);
};

/// A chain of five masses between walls: linear springs with a cubic part, linear dashpots and,
/// if asked for, a load that changes with time. Smooth and genuinely nonlinear.
class CubicChain final : public dynamics::DynamicalSystem, dynamics::MaterialFrame {
 public:
  struct Settings {
    double stiffness = 40.0;
    double cubic = 30.0;
    double dashpot = 0.0;
    double load = 0.0;  ///< amplitude of a force cos(3 t) on the first mass
  };
  static constexpr int n = 5;

  CubicChain() : CubicChain(Settings{}) {}
  explicit CubicChain(const Settings& settings) : settings_(settings) {
    Vec m(n);
    m << 1.0, 0.7, 1.3, 0.9, 1.1;
    mass_ = std::make_unique<la::DiagonalOperator>(m);
    inverse_ = std::make_unique<la::DiagonalOperator>(m.cwiseInverse());
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i + 1 < n; ++i) pairs.emplace_back(i, i + 1);
    pattern_ = la::BlockPattern::build(n, 1, pairs);
  }

  Index num_dofs() const override { return n; }
  const la::LinearOperator& mass() const override { return *mass_; }
  const la::LinearOperator& mass_inverse() const override { return *inverse_; }
  double potential(const dynamics::State& s, dynamics::Workspace&) const override {
    double W = -settings_.load * std::cos(3.0 * s.t) * s.q[0];
    for (int k = 0; k <= n; ++k) {
      const double e = stretch(s.q, k);
      W += 0.5 * settings_.stiffness * e * e + 0.25 * settings_.cubic * e * e * e * e;
    }
    return W;
  }
  void force(const dynamics::State& s, dynamics::Workspace&, VecOut f) const override {
    f.setZero();
    f[0] += settings_.load * std::cos(3.0 * s.t);
    for (int k = 0; k <= n; ++k) {
      const double e = stretch(s.q, k);
      const double pull = settings_.stiffness * e + settings_.cubic * e * e * e +
                          settings_.dashpot * stretch(s.v, k);
      if (k > 0) f[k - 1] += pull;
      if (k < n) f[k] -= pull;
    }
  }
  dynamics::ForceTraits traits() const override {
    return {.form = dynamics::ForceForm::potential_and_dissipation,
            .damping = settings_.dashpot > 0.0 ? dynamics::DampingKind::constant
                                               : dynamics::DampingKind::none,
            .depends_on_time = settings_.load != 0.0};
  }
  dynamics::Capabilities capabilities() const override { return {.frame = this}; }
  double dissipation(const dynamics::State& s, dynamics::Workspace&) const override {
    double sum = 0.0;
    for (int k = 0; k <= n; ++k) sum += 0.5 * settings_.dashpot * std::pow(stretch(s.v, k), 2);
    return sum;
  }
  void rest_positions(VecOut q) const override { q.setZero(); }

  static dynamics::State start() {
    dynamics::State state;
    state.q.resize(n);
    state.v.resize(n);
    state.q << 0.3, -0.2, 0.4, 0.1, -0.3;
    state.v << 0.5, 1.0, -0.5, 0.2, 0.8;
    return state;
  }

 protected:
  std::shared_ptr<const la::BlockPattern> pattern(const dynamics::State&,
                                                  dynamics::Workspace&) const override {
    return pattern_;
  }
  void assemble(const dynamics::State& s, const dynamics::LinearizeOptions&, dynamics::Workspace& w,
                la::SymmetricMatrix& K, la::SymmetricMatrix* D, Vec* f,
                dynamics::LinearizeReport&) const override {
    const auto add = [](la::SymmetricMatrix& A, int k, double c) {
      if (k > 0) A.add(k - 1, k - 1, c);
      if (k < n) A.add(k, k, c);
      if (k > 0 && k < n) A.add(k - 1, k, -c);
    };
    for (int k = 0; k <= n; ++k) {
      const double e = stretch(s.q, k);
      add(K, k, settings_.stiffness + 3.0 * settings_.cubic * e * e);
      if (D) add(*D, k, settings_.dashpot);
    }
    if (f) force(s, w, *f);
  }

 private:
  /// Of spring k, between mass k - 1 and mass k; the walls stand still.
  static double stretch(const Vec& x, int k) {
    return (k < n ? x[k] : 0.0) - (k > 0 ? x[k - 1] : 0.0);
  }

  Settings settings_;
  std::unique_ptr<la::DiagonalOperator> mass_, inverse_;
  std::shared_ptr<const la::BlockPattern> pattern_;
};

}  // namespace sinew::test
