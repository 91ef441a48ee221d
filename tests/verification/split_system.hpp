// SPDX-License-Identifier: Apache-2.0
// Problems with known answers for exponential and trigonometric methods.
#pragma once

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/integrators/registry.hpp>

#include "support/bodies.hpp"
#include "support/toy_systems.hpp"

namespace sinew::integrators::oscillating {

using dynamics::State;

using Settings = std::vector<std::pair<std::string, OptionValue>>;

inline std::unique_ptr<Integrator> make(const char* name, const Settings& settings = {},
                                        double tolerance = 1e-13) {
  const IntegratorEntry* entry = find_integrator(name);
  Options options(entry->options);
  if (options.values().contains("tolerance")) options.set("tolerance", tolerance);
  for (const auto& [key, value] : settings) options.set(key, value);
  return make_integrator(*entry, options, default_services());
}

inline State advance(Integrator& method, const dynamics::DynamicalSystem& system, State state,
                     double end, int steps) {
  const auto workspace = system.make_workspace();
  for (int k = 0; k < steps; ++k)
    EXPECT_EQ(method.step(system, *workspace, end / steps, state).status, StepStatus::accepted);
  return state;
}

/// q'' + D q' + K q = r(q, t) with a few unknowns. The methods are told K, and of r only what
/// `tangent` gives.
class SplitSystem final : public dynamics::DynamicalSystem, dynamics::MaterialFrame {
 public:
  using Rest = std::function<Vec(const Vec& q, double t)>;
  using Tangent = std::function<Mat(const Vec& q)>;
  struct More {
    bool moves = false;  ///< r depends on time
    Mat D{};
    Tangent tangent{};  ///< -dr/dq
  };
  SplitSystem(Mat K, Rest rest, More more)
      : K_(std::move(K)),
        rest_(std::move(rest)),
        more_(std::move(more)),
        mass_(Vec::Ones(K_.rows())),
        pattern_(la::BlockPattern::dense(static_cast<int>(K_.rows()))) {}
  SplitSystem(Mat K, Rest rest) : SplitSystem(std::move(K), std::move(rest), More{}) {}

  Index num_dofs() const override { return K_.rows(); }
  const la::LinearOperator& mass() const override { return mass_; }
  const la::LinearOperator& mass_inverse() const override { return mass_; }
  double potential(const State&, dynamics::Workspace&) const override { return 0.0; }
  void force(const State& s, dynamics::Workspace&, VecOut f) const override {
    f = rest_(s.q, s.t) - K_ * s.q;
    if (more_.D.size() > 0) f -= more_.D * s.v;
  }
  dynamics::ForceTraits traits() const override {
    return {.damping =
                more_.D.size() > 0 ? dynamics::DampingKind::constant : dynamics::DampingKind::none,
            .depends_on_time = more_.moves};
  }
  dynamics::Capabilities capabilities() const override { return {.frame = this}; }
  void rest_positions(VecOut q) const override { q.setZero(); }

 protected:
  std::shared_ptr<const la::BlockPattern> pattern(const State&,
                                                  dynamics::Workspace&) const override {
    return pattern_;
  }
  void assemble(const State& s, const dynamics::LinearizeOptions&, dynamics::Workspace& w,
                la::SymmetricMatrix& K, la::SymmetricMatrix* D, Vec* f,
                dynamics::LinearizeReport&) const override {
    Mat tangent = K_;
    if (more_.tangent) tangent += more_.tangent(s.q);
    for (Index i = 0; i < K_.rows(); ++i)
      for (Index j = i; j < K_.rows(); ++j) {
        K.add(i, j, tangent(i, j));
        if (D) D->add(i, j, more_.D(i, j));
      }
    if (f) force(s, w, *f);
  }

 private:
  Mat K_;
  Rest rest_;
  More more_;
  la::DiagonalOperator mass_;
  std::shared_ptr<const la::BlockPattern> pattern_;
};

inline Vec nothing(const Vec& q, double) {
  return Vec::Zero(q.size());
}

inline State at(std::initializer_list<double> q, std::initializer_list<double> v) {
  State state;
  state.q = Eigen::Map<const Vec>(std::data(q), static_cast<Index>(q.size()));
  state.v = Eigen::Map<const Vec>(std::data(v), static_cast<Index>(v.size()));
  return state;
}

/// Pairs of masses tied by stiff linear springs, soft cubic springs between the pairs and to the
/// walls, as in the problem of Fermi, Pasta and Ulam.
struct StiffChain {
  static constexpr int n = 6;
  static constexpr double soft = 10.0, cubic = 1.0;

  static double stretch(const Vec& q, int i) {
    return (i + 1 < n ? q[i + 1] : 0.0) - (i >= 0 ? q[i] : 0.0);
  }
  static void tie(Mat& K, int i, double k) {
    if (i >= 0) K(i, i) += k;
    if (i + 1 < n) K(i + 1, i + 1) += k;
    if (i >= 0 && i + 1 < n) {
      K(i, i + 1) -= k;
      K(i + 1, i) -= k;
    }
  }
  static SplitSystem make(double stiff) {
    Mat K = Mat::Zero(n, n);
    for (int i = -1; i < n; ++i) tie(K, i, i % 2 == 0 ? stiff : soft);
    const auto force = [](const Vec& q, double) {
      Vec f = Vec::Zero(n);
      for (int i = -1; i < n; i += 2) {
        const double pull = cubic * std::pow(stretch(q, i), 3);
        if (i >= 0) f[i] += pull;
        if (i + 1 < n) f[i + 1] -= pull;
      }
      return f;
    };
    const auto tangent = [](const Vec& q) {
      Mat K_cubic = Mat::Zero(n, n);
      for (int i = -1; i < n; i += 2) tie(K_cubic, i, 3.0 * cubic * std::pow(stretch(q, i), 2));
      return K_cubic;
    };
    return {K, force, {.tangent = tangent}};
  }
  static State start() {
    return at({0.3, 0.3, -0.2, -0.2, 0.4, 0.4}, {0.5, 0.5, 1.0, 1.0, -0.5, -0.5});
  }
};

}  // namespace sinew::integrators::oscillating
