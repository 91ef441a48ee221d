// SPDX-License-Identifier: Apache-2.0
// A wall at x_axis = place that vertices must stay above: as a barrier
//   W = -k sum (d - reach)^2 ln(d / reach)  over vertices at a distance d < reach,
// or, with k = 0, as a wall that pushes nothing and only refuses to be passed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <sinew/physics/term.hpp>

namespace sinew::test {

class Wall final : public physics::Term {
 public:
  Wall(int axis, double place, double stiffness, double reach)
      : axis_(axis), place_(place), stiffness_(stiffness), reach_(reach) {}

  physics::TermTraits traits() const override {
    return {.force = physics::TermForce::potential,
            .row = {"wall", dynamics::LedgerKind::stored},
            .couples = false,
            .limits_steps = true};
  }

  double energy(const physics::Configuration& at, physics::TermWork&) const override {
    double sum = 0.0;
    for_each_near(at.x, [&](int, double d) {
      sum -= d > 0.0 ? (d - reach_) * (d - reach_) * std::log(d / reach_)
                     : -std::numeric_limits<double>::infinity();
    });
    return stiffness_ > 0.0 ? stiffness_ * sum : 0.0;
  }

  void add_force(const physics::Configuration& at, physics::TermWork&,
                 physics::PaddedField& f) const override {
    for_each_near(at.x, [&](int vertex, double d) {
      const double gap = d - reach_;
      f.vector(vertex)[axis_] += stiffness_ * (2.0 * gap * std::log(d / reach_) + gap * gap / d);
    });
  }

  Index add_tangent(const physics::Configuration& at, dynamics::Definiteness, physics::TermWork&,
                    const physics::TangentOut& out) const override {
    for_each_near(at.x, [&](int vertex, double d) {
      const double gap = d - reach_;  // convex: nothing to project
      Mat3 H = Mat3::Zero();
      H(axis_, axis_) =
          stiffness_ * (-2.0 * std::log(d / reach_) - 4.0 * gap / d + gap * gap / (d * d));
      out.K->add(vertex, vertex, H);
    });
    return 0;
  }

  double max_step(const physics::Configuration& from, const physics::Configuration& to,
                  physics::TermWork&) const override {
    double part = 1.0;
    for (int vertex = 0; vertex < from.x.num_vertices(); ++vertex) {
      const double d = distance(from.x, vertex), e = distance(to.x, vertex);
      constexpr double margin = 0.9;  // a barrier must not be touched
      if (e <= 0.0) part = std::min(part, d > 0.0 ? margin * d / (d - e) : 0.0);
    }
    return part;
  }

  dynamics::Admissibility admissibility(const physics::Configuration& at,
                                        physics::TermWork&) const override {
    dynamics::Admissibility result;
    for (int vertex = 0; vertex < at.x.num_vertices(); ++vertex)
      result.min_distance = std::min(result.min_distance, distance(at.x, vertex));
    for_each_near(at.x, [&](int, double) { ++result.contacts; });
    return result;
  }

 private:
  double distance(const physics::PaddedField& x, int vertex) const {
    return x.vector(vertex)[axis_] - place_;
  }
  template <class Use>
  void for_each_near(const physics::PaddedField& x, const Use& use) const {
    for (int vertex = 0; vertex < x.num_vertices(); ++vertex)
      if (const double d = distance(x, vertex); d < reach_) use(vertex, d);
  }

  int axis_;
  double place_, stiffness_, reach_;
};

}  // namespace sinew::test
