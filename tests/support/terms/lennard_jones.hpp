// SPDX-License-Identifier: Apache-2.0
// A pair potential whose pairs come and go, as a user would write one:
//   W = sum over pairs closer than the cutoff of 4 e ((s/r)^12 - (s/r)^6) (1 - (r/cutoff)^2)^3
// The last factor takes energy, force and stiffness to zero at the cutoff.
#pragma once

#include <cmath>

#include <sinew/physics/term.hpp>

namespace sinew::test {

class LennardJones final : public physics::Term {
 public:
  LennardJones(double depth, double size, double cutoff)
      : depth_(depth), size_(size), cutoff_(cutoff) {}

  physics::TermTraits traits() const override {
    return {.force = physics::TermForce::potential,
            .row = {"pairs", dynamics::LedgerKind::stored},
            .has_moving_pairs = true,
            .keeps_linear_momentum = true,
            .keeps_angular_momentum = true};
  }

  double energy(const physics::Configuration& at, physics::TermWork&) const override {
    double sum = 0.0;
    for_each_pair(at.x, [&](int, int, const Vec3& e) { sum += radial(e.squaredNorm()).value; });
    return sum;
  }

  void add_force(const physics::Configuration& at, physics::TermWork&,
                 physics::PaddedField& f) const override {
    for_each_pair(at.x, [&](int a, int b, const Vec3& e) {
      const Vec3 pull = 2.0 * radial(e.squaredNorm()).first * e;
      f.vector(a) += pull;
      f.vector(b) -= pull;
    });
  }

  Index add_tangent(const physics::Configuration& at, dynamics::Definiteness definiteness,
                    physics::TermWork&, const physics::TangentOut& out) const override {
    Index changed = 0;
    for_each_pair(at.x, [&](int a, int b, const Vec3& e) {
      const Radial w = radial(e.squaredNorm());
      // eigenvalues: along the pair and, twice, across it
      const double r2 = e.squaredNorm();
      double across = 2.0 * w.first, along = across + 4.0 * w.second * r2;
      if (definiteness != dynamics::Definiteness::exact && (across < 0.0 || along < 0.0)) {
        const double sign = definiteness == dynamics::Definiteness::psd_abs ? -1.0 : 0.0;
        if (across < 0.0) across *= sign;
        if (along < 0.0) along *= sign;
        ++changed;
      }
      const Mat3 H = across * Mat3::Identity() + (along - across) / r2 * e * e.transpose();
      out.K->add(a, a, H);
      out.K->add(a, b, -H);
      out.K->add(b, b, H);
    });
    return changed;
  }

  void moving_pairs(const physics::Configuration& at, physics::TermWork&,
                    std::vector<physics::VertexPair>& pairs) const override {
    for_each_pair(at.x, [&](int a, int b, const Vec3&) { pairs.push_back({a, b}); });
  }

 private:
  /// The energy of a pair and its derivatives by the squared distance.
  struct Radial {
    double value, first, second;
  };
  Radial radial(double r2) const {
    const double u = size_ * size_ / r2, u3 = u * u * u, c2 = cutoff_ * cutoff_;
    const double w = 4.0 * depth_ * (u3 * u3 - u3);
    const double w1 = 4.0 * depth_ * (-6.0 * u3 * u3 + 3.0 * u3) / r2;
    const double w2 = 4.0 * depth_ * (42.0 * u3 * u3 - 12.0 * u3) / (r2 * r2);
    const double g = 1.0 - r2 / c2, s = g * g * g, s1 = -3.0 * g * g / c2, s2 = 6.0 * g / (c2 * c2);
    return {w * s, w1 * s + w * s1, w2 * s + 2.0 * w1 * s1 + w * s2};
  }

  template <class Use>
  void for_each_pair(const physics::PaddedField& x, const Use& use) const {
    for (int a = 0; a < x.num_vertices(); ++a)
      for (int b = a + 1; b < x.num_vertices(); ++b) {
        const Vec3 e = x.vector(b) - x.vector(a);
        if (e.squaredNorm() < cutoff_ * cutoff_) use(a, b, e);
      }
  }

  double depth_, size_, cutoff_;
};

}  // namespace sinew::test
