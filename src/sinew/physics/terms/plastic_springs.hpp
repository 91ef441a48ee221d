// SPDX-License-Identifier: Apache-2.0
// Springs that yield: the rest length follows once the strain passes a threshold. With L the
// original rest length, p the lasting extension, a the sum of all its changes and s = l - L - p the
// elastic stretch, a spring stays elastic as long as
//   |s| <= L yield + hardening a,
// in tension and in compression alike; beyond, p follows so that equality holds. No creep: it
// depends on the way, not on time.
//
// Within a step p and a are those of its beginning, and the energy is that of the way to the new
// length, elastic and plastic work together: dW/dl is the tension that the yielded spring has, so
// that implicit methods do not overshoot, and the tangent beyond the threshold is
// hardening/(1 + hardening) times the elastic one. At the end of a step p and a move on, what they
// cost is booked as lost, and W is the elastic energy alone.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sinew/physics/elements/cell_fields.hpp>
#include <sinew/physics/elements/spring_set.hpp>
#include <sinew/physics/term.hpp>

namespace sinew::physics {

template <class Law>
class PlasticSprings final : public Term {
 public:
  PlasticSprings(SpringLoops springs, double energy_scale)
      : springs_(std::move(springs)), energy_scale_(energy_scale) {}

  TermTraits traits() const override {
    return {.force = TermForce::potential,
            .row = {"elastic", dynamics::LedgerKind::stored},
            .loss_row = "plastic",
            .has_force_with_tangent = true,
            .has_step_hooks = true,
            .keeps_linear_momentum = true,
            .keeps_angular_momentum = true};
  }

  double energy(const Configuration& at, TermWork& work) const override {
    return springs_.sum_of_vectors(
        work.executor, at.x, work.partial,
        [&](const SpringElement& spring, std::size_t s, const SpringVector& e) {
          const double length = e.norm();
          return yields(spring, at.internal, s, length)
                     ? response(spring, at.internal, s, length).work
                     : Law::energy(spring, length - at.internal[3 * s]);
        });
  }
  double lost(const Configuration& at, TermWork& work) const override {
    return springs_.sum(work.executor, work.partial, [&](const SpringElement&, std::size_t s) {
      return history(at.internal, s).lost;
    });
  }
  void add_force(const Configuration& at, TermWork& work, PaddedField& f) const override {
    springs_.for_each_vector(
        work.executor, at.x,
        [&](const SpringElement& spring, std::size_t s, int, const SpringVector& e) {
          const auto tension = [&](double length) {
            return yields(spring, at.internal, s, length)
                       ? response(spring, at.internal, s, length).tension
                       : Law::tension(spring, length - at.internal[3 * s]);
          };
          SpringLoops::pull(spring, along(spring, e, tension), f);
        });
  }
  Index add_tangent(const Configuration& at, dynamics::Definiteness definiteness, TermWork& work,
                    const TangentOut& out) const override {
    if (!out.K) return 0;
    std::atomic<Index> changed = 0;
    springs_.for_each(work.executor, [&](const SpringElement& spring, std::size_t s, int) {
      const SpringAxis axis(spring, SpringLoops::between_ends(spring, at.x).head<3>());
      const Response now = response(spring, at.internal, s, axis.length);
      Mat3 H;
      if (spring_hessian(axis.direction, now.stiffness, now.tension / axis.length, definiteness, H))
        ++changed;
      SpringLoops::add_blocks(s, H, out.K->slots(), out.K->values());
      if (out.f) SpringLoops::pull(spring, padded(now.tension * axis.direction), *out.f);
    });
    return changed;
  }
  std::vector<VertexPair> pairs() const override { return springs_.pairs(); }

  Index num_internal() const override { return 3 * static_cast<Index>(springs_.size()); }
  void initial_internal(std::span<double> internal) const override {
    std::fill(internal.begin(), internal.end(), 0.0);
  }
  void end_step(const Configuration& before, StepEnd& after, TermWork& work) const override {
    springs_.for_each_vector(
        work.executor, after.x,
        [&](const SpringElement& spring, std::size_t s, int, const SpringVector& e) {
          const double length = e.norm();
          if (!yields(spring, before.internal, s, length)) return;
          const Response now = response(spring, before.internal, s, length);
          const History old = history(before.internal, s);
          after.internal[3 * s] = old.extension + now.flow;
          after.internal[3 * s + 1] = old.total + std::abs(now.flow);
          after.internal[3 * s + 2] = old.lost + now.lost;
        });
  }

  double energy_scale() const override { return energy_scale_; }
  dynamics::Admissibility admissibility(const Configuration& at, TermWork& work) const override {
    return {.largest_strain = springs_.largest_strain(at.x, work.executor, work.partial)};
  }
  void add_gradients(const Configuration& at, TermWork& work, std::span<Mat3> sums) const override {
    springs_.for_each(work.executor, [&](const SpringElement& spring, std::size_t, int) {
      add_spring_gradient(spring, SpringLoops::between_ends(spring, at.x).head<3>(), sums);
    });
  }
  std::vector<dynamics::FieldInfo> fields() const override {
    std::vector<dynamics::FieldInfo> fields = cell_fields(SpringLoops::quantities());
    fields.push_back({std::string(lasting_strain), dynamics::FieldSite::per_cell, 1});
    return fields;
  }
  void evaluate_field(std::string_view name, const Configuration& at, TermWork&,
                      VecOut values) const override {
    if (const auto quantity = find_quantity(name, SpringLoops::quantities()))
      springs_.evaluate(
          at.x, *quantity,
          [&](const SpringElement& spring, std::size_t s, double length) {
            return response(spring, at.internal, s, length).tension;
          },
          values);
    if (name == lasting_strain)
      springs_.show_each(
          [&](const SpringElement& spring, std::size_t s) {
            return history(at.internal, s).extension / spring.rest_length;
          },
          values);
  }

 private:
  static constexpr std::string_view lasting_strain = "plastic_strain";

  struct History {
    double extension = 0.0, total = 0.0;  ///< p and a [m]
    double lost = 0.0;                    ///< [J]
  };
  struct Response {
    double work = 0.0;       ///< elastic energy, and what the way to here costs for good [J]
    double tension = 0.0;    ///< [N]
    double stiffness = 0.0;  ///< d tension / dl [N/m]
    double flow = 0.0;       ///< change of p [m]
    double lost = 0.0;       ///< [J]
  };

  static History history(std::span<const double> internal, std::size_t s) {
    return {internal[3 * s], internal[3 * s + 1], internal[3 * s + 2]};
  }

  /// Few do, so the others are dealt with where they are met.
  [[gnu::always_inline]] static bool yields(const SpringElement& spring,
                                            std::span<const double> internal, std::size_t s,
                                            double length) {
    const double threshold =
        spring.rest_length * spring.yield + spring.hardening * internal[3 * s + 1];
    return std::abs(length - internal[3 * s] - spring.rest_length) > threshold;
  }

  static Response response(const SpringElement& spring, std::span<const double> internal,
                           std::size_t s, double length) {
    const History old = history(internal, s);
    const double L = spring.rest_length, elastic = length - old.extension;
    const double threshold = L * spring.yield + spring.hardening * old.total;
    const double beyond = std::abs(elastic - L) - threshold;
    if (!(beyond > 0.0))
      return {.work = Law::energy(spring, elastic),
              .tension = Law::tension(spring, elastic),
              .stiffness = Law::stiffness(spring, elastic)};
    const double sign = elastic > L ? 1.0 : -1.0;
    const double flow = beyond / (1.0 + spring.hardening);
    const double at_yield = L + sign * threshold;
    const double now = elastic - sign * flow;
    const double lost = flow * sign * mean_tension(spring, at_yield, now);
    return {.work = Law::energy(spring, now) + lost,
            .tension = Law::tension(spring, now),
            .stiffness = Law::stiffness(spring, now) * spring.hardening / (1.0 + spring.hardening),
            .flow = sign * flow,
            .lost = lost};
  }

  /// By Gauss' four points, exact for cubic laws; differences of energies would cancel.
  static double mean_tension(const SpringElement& spring, double from, double to) {
    constexpr std::array<double, 2> node{0.3399810435848563, 0.8611363115940526};
    constexpr std::array<double, 2> weight{0.6521451548625461, 0.3478548451374538};
    double sum = 0.0;
    for (std::size_t k = 0; k < 2; ++k)
      for (const double side : {-1.0, 1.0})
        sum += 0.5 * weight[k] *
               Law::tension(spring, 0.5 * (from + to) + 0.5 * side * node[k] * (to - from));
    return sum;
  }

  SpringLoops springs_;
  double energy_scale_;
};

}  // namespace sinew::physics
