// SPDX-License-Identifier: Apache-2.0
// Loops over the springs of one law, compiled where the law is (laws/law_entry.hpp).
//
// With e the vector from the first end of a spring to the second, l its length and d = e/l:
//   dW/de = W' d,     d^2 W/de^2 = W'' d d^T + W'/l (I - d d^T)     (' is d/dl).
// The first end feels minus what the second does. The eigenvalues are W'' along the spring and
// W'/l, twice, across it: a compressed spring gives way sideways, so W'/l is negative there.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/physics/elements/element_set.hpp>
#include <sinew/physics/elements/parted_elements.hpp>
#include <sinew/physics/elements/spring_element.hpp>

namespace sinew::physics {

/// An eigenvalue of an element as it is asked for.
inline double definite(double eigenvalue, dynamics::Definiteness definiteness) {
  using dynamics::Definiteness;
  if (eigenvalue >= 0.0 || definiteness == Definiteness::exact) return eigenvalue;
  return definiteness == Definiteness::psd_abs ? -eigenvalue : 0.0;
}

/// H = along d d^T + across (I - d d^T); returns whether the definiteness asked for made a
/// difference.
inline bool spring_hessian(const Vec3& direction, double along, double across,
                           dynamics::Definiteness definiteness, Mat3& H) {
  const double used_along = definite(along, definiteness);
  const double used_across = definite(across, definiteness);
  H = (used_along - used_across) * direction * direction.transpose();
  H.diagonal().array() += used_across;
  return used_along != along || used_across != across;
}

/// Between the ends of a spring, with a zero behind it: one register.
using SpringVector = PaddedField::Padded;

inline SpringVector padded(const Vec3& v) {
  return {v[0], v[1], v[2], 0.0};
}

/// size(length) in the direction of a spring with e between its ends.
template <class Size>
[[gnu::always_inline]] inline SpringVector along(const SpringElement& spring, const SpringVector& e,
                                                 const Size& size) {
  const double length = e.norm();
  if (length > SpringAxis::shortest(spring)) return size(length) / length * e;
  const SpringAxis axis(spring, e.head<3>());
  return padded(size(axis.length) * axis.direction);
}

/// Springs as they are.
template <class Law>
struct ElasticSpring {
  static constexpr bool has_fields = true;
  static constexpr bool uses_rest_direction = false;

  static double energy(const SpringElement& spring, const SpringVector& e) {
    return spring.weight * Law::energy(spring, e.norm());
  }
  static SpringVector gradient(const SpringElement& spring, const SpringVector& e) {
    return along(spring, e,
                 [&](double length) { return spring.weight * Law::tension(spring, length); });
  }
  static bool hessian(const SpringElement& spring, const Vec3& e,
                      dynamics::Definiteness definiteness, Mat3& H) {
    const SpringAxis axis(spring, e);
    return spring_hessian(axis.direction, spring.weight * Law::stiffness(spring, axis.length),
                          spring.weight * Law::tension(spring, axis.length) / axis.length,
                          definiteness, H);
  }
  /// H u with the definite Hessian.
  static SpringVector definite_product(const SpringElement& spring, const SpringVector& e,
                                       const SpringVector& u) {
    const SpringAxis axis(spring, e.head<3>());
    const double along = std::max(0.0, Law::stiffness(spring, axis.length)),
                 across = std::max(0.0, Law::tension(spring, axis.length) / axis.length);
    const SpringVector d = padded(axis.direction);
    return spring.weight * ((along - across) * d.dot(u) * d + across * u);
  }
  static double tension(const SpringElement& spring, double length) {
    return Law::tension(spring, length);
  }
};

/// The stiffness of the rest shape, for damping: W = k/2 (d0 . e)^2 with the rest direction d0.
/// Linear in e, so velocities may stand in for positions.
template <class Law>
struct SpringAboutRest {
  static constexpr bool has_fields = false;
  static constexpr bool uses_rest_direction = true;

  static double energy(const SpringElement& spring, const SpringVector& e) {
    const double along = spring.rest_direction.dot(e.head<3>());
    return 0.5 * stiffness(spring) * along * along;
  }
  static SpringVector gradient(const SpringElement& spring, const SpringVector& e) {
    return padded(stiffness(spring) * spring.rest_direction.dot(e.head<3>()) *
                  spring.rest_direction);
  }
  static bool hessian(const SpringElement& spring, const Vec3&, dynamics::Definiteness, Mat3& H) {
    H = stiffness(spring) * spring.rest_direction * spring.rest_direction.transpose();
    return false;
  }
  static SpringVector definite_product(const SpringElement& spring, const SpringVector&,
                                       const SpringVector& u) {
    return gradient(spring, u);
  }

 private:
  static double stiffness(const SpringElement& spring) {
    return spring.weight * Law::stiffness(spring, spring.rest_length);
  }
};

/// The stiffness along the spring as it lies now, for damping: a dashpot. Of a spring that yields
/// it is that at rest, since its elastic stretch is not known here.
template <class Law>
struct SpringAlong : ElasticSpring<Law> {
  static constexpr bool has_fields = false;

  static bool hessian(const SpringElement& spring, const Vec3& e,
                      dynamics::Definiteness definiteness, Mat3& H) {
    const SpringAxis axis(spring, e);
    return spring_hessian(axis.direction, stiffness(spring, axis), 0.0, definiteness, H);
  }
  static SpringVector definite_product(const SpringElement& spring, const SpringVector& e,
                                       const SpringVector& u) {
    const SpringAxis axis(spring, e.head<3>());
    const SpringVector d = padded(axis.direction);
    return std::max(0.0, stiffness(spring, axis)) * d.dot(u) * d;
  }

 private:
  static double stiffness(const SpringElement& spring, const SpringAxis& axis) {
    const double length = std::isfinite(spring.yield) ? spring.rest_length : axis.length;
    return spring.weight * Law::stiffness(spring, length);
  }
};

/// sums[both ends] += the part of the deformation gradient that the direction of a spring shows.
void add_spring_gradient(const SpringElement& spring, const Vec3& between_ends,
                         std::span<Mat3> sums);

/// What is common to all loops over springs.
class SpringLoops : public PartedElements<SpringElement> {
 public:
  SpringLoops(std::vector<SpringElement> springs, std::span<const int> parts)
      : SpringLoops(PartedElements(std::move(springs), parts)) {}
  explicit SpringLoops(PartedElements springs) : PartedElements(std::move(springs)) {
    find_kinds();
    for (std::size_t s = 0; s < size(); ++s)
      if (all()[s].cells[0] >= 0) shown_.push_back(s);
  }

  /// work(spring, its index, its set, vector between its ends), in sets as for_each() does it. Of
  /// the spring, `cells` and `rest_direction` mean nothing unless the ends coincide.
  ///
  /// Loops over many springs wait for memory. Where there are few kinds of them, a spring is its
  /// ends, its length and its kind: a quarter of the whole.
  template <class Work>
  void for_each_vector(const core::Executor& executor, const PaddedField& x,
                       const Work& work) const {
    if (kinds_.empty()) {
      for_each(executor, [&](const SpringElement& spring, std::size_t s, int set) {
        work(spring, s, set, between_ends(spring, x));
      });
      return;
    }
    for_each_alternating(executor, num_sets(), [&](int set) {
      std::array<SpringElement, most_kinds> kinds;
      std::copy(kinds_.begin(), kinds_.end(), kinds.begin());
      for (std::size_t s = set_start(set); s < set_start(set + 1); ++s) {
        const Slim& slim = slim_[s];
        SpringElement& spring = kinds[slim.kind];
        spring.vertices = slim.vertices;
        spring.rest_length = slim.rest_length;
        const SpringVector e = between_ends(spring, x);
        const double shortest = 2.0 * SpringAxis::shortest(spring);
        if (e.squaredNorm() > shortest * shortest)
          work(spring, s, set, e);
        else
          work(all()[s], s, set, e);
      }
    });
  }
  /// Sum of value(spring, its index, vector between its ends), in an order that does not depend on
  /// threads.
  template <class Value>
  double sum_of_vectors(const core::Executor& executor, const PaddedField& x,
                        std::vector<double>& partial, const Value& value) const {
    partial.assign(static_cast<std::size_t>(num_sets()), 0.0);
    for_each_vector(
        executor, x,
        [&](const SpringElement& spring, std::size_t s, int set, const SpringVector& e) {
          partial[static_cast<std::size_t>(set)] += value(spring, s, e);
        });
    double total = 0.0;
    for (const double one : partial) total += one;
    return total;
  }

  std::vector<std::array<int, 2>> pairs() const;

  static SpringVector between_ends(const SpringElement& spring, const PaddedField& x) {
    return x.padded(spring.vertices[1]) - x.padded(spring.vertices[0]);
  }
  // a call would cost as much as the rest of a spring
  [[gnu::always_inline]] static void pull(const SpringElement& spring, const SpringVector& gradient,
                                          PaddedField& f) {
    f.padded(spring.vertices[0]) += gradient;
    f.padded(spring.vertices[1]) -= gradient;
  }
  /// Adds the blocks of the spring with index s, H that of the vector between its ends.
  static void add_blocks(std::size_t s, const Mat3& H, std::span<const int> slots, double* K) {
    constexpr std::array<double, 3> signs{1.0, -1.0, 1.0};
    for (std::size_t k = 0; k < 3; ++k)
      if (const Index slot = slots[3 * s + k]; slot >= 0)
        Eigen::Map<Mat3>(K + 9 * slot) += signs[k] * H;
  }

  /// Largest strain by magnitude.
  double largest_strain(const PaddedField& x, const core::Executor& executor,
                        std::vector<double>& partial) const;
  static std::span<const CellQuantity> quantities();
  /// What springs show of themselves, given tension(spring, its index, its length).
  template <class Tension>
  void evaluate(const PaddedField& x, CellQuantity quantity, const Tension& tension,
                VecOut values) const {
    for (const std::size_t s : shown_) {
      const SpringElement& spring = all()[s];
      const double length = between_ends(spring, x).norm();
      show(spring,
           quantity_of(spring, quantity, length, [&] { return tension(spring, s, length); }),
           values);
    }
  }
  /// The same for any value(spring, its index).
  template <class Value>
  void show_each(const Value& value, VecOut values) const {
    for (const std::size_t s : shown_) show(all()[s], value(all()[s], s), values);
  }

 private:
  static constexpr std::size_t most_kinds = 16;

  /// A spring without what it has in common with others.
  struct Slim {
    std::array<int, 2> vertices;
    double rest_length;
    std::uint32_t kind;
  };

  void find_kinds();
  template <class Tension>
  static double quantity_of(const SpringElement& spring, CellQuantity quantity, double length,
                            const Tension& tension) {
    switch (quantity) {
      case CellQuantity::det_f:
        return length / spring.rest_length;
      case CellQuantity::strain:
        return length / spring.rest_length - 1.0;
      case CellQuantity::tension:
        return tension();
      case CellQuantity::von_mises:
        return spring.section > 0.0 ? std::abs(tension()) / spring.section : 0.0;
      default:
        return 0.0;
    }
  }
  static void show(const SpringElement& spring, double value, VecOut values);

  std::vector<std::size_t> shown_;    // in cells of the geometry
  std::vector<SpringElement> kinds_;  // none: there are too many
  std::vector<Slim> slim_;
};

template <class Kernel>
class SpringSet final : public ElementSet {
 public:
  explicit SpringSet(SpringLoops springs) : springs_(std::move(springs)) {}

  std::vector<std::array<int, 2>> pairs() const override { return springs_.pairs(); }

  double energy(const PaddedField& x, const core::Executor& executor,
                std::vector<double>& partial) const override {
    if constexpr (Kernel::uses_rest_direction)
      return springs_.sum(executor, partial, [&](const SpringElement& spring, std::size_t) {
        return Kernel::energy(spring, SpringLoops::between_ends(spring, x));
      });
    else
      return springs_.sum_of_vectors(
          executor, x, partial,
          [&](const SpringElement& spring, std::size_t, const SpringVector& e) {
            return Kernel::energy(spring, e);
          });
  }

  void add_force(const PaddedField& x, const core::Executor& executor,
                 PaddedField& f) const override {
    for_each_vector(executor, x, [&](const SpringElement& spring, const SpringVector& e) {
      SpringLoops::pull(spring, Kernel::gradient(spring, e), f);
    });
  }

  Index add_tangent(const PaddedField& x, dynamics::Definiteness definiteness,
                    const core::Executor& executor, std::span<const int> slots, double* K,
                    PaddedField* f) const override {
    SINEW_ASSERT(slots.size() == 3 * springs_.size(), "the slots belong to other elements");
    std::atomic<Index> changed = 0;
    springs_.for_each(executor, [&](const SpringElement& spring, std::size_t s, int) {
      const SpringVector e = SpringLoops::between_ends(spring, x);
      Mat3 H;
      if (Kernel::hessian(spring, e.head<3>(), definiteness, H)) ++changed;
      SpringLoops::add_blocks(s, H, slots, K);
      if (f) SpringLoops::pull(spring, Kernel::gradient(spring, e), *f);
    });
    return changed;
  }

  void add_definite_product(const PaddedField& x, const PaddedField& v,
                            const core::Executor& executor, PaddedField& f) const override {
    for_each_vector(executor, x, [&](const SpringElement& spring, const SpringVector& e) {
      const SpringVector u = SpringLoops::between_ends(spring, v);
      SpringLoops::pull(spring, Kernel::definite_product(spring, e, u), f);
    });
  }

  double largest_strain(const PaddedField& x, const core::Executor& executor,
                        std::vector<double>& partial) const override {
    return springs_.largest_strain(x, executor, partial);
  }

  void add_gradients(const PaddedField& x, const core::Executor& executor,
                     std::span<Mat3> sums) const override {
    springs_.for_each(executor, [&](const SpringElement& spring, std::size_t, int) {
      add_spring_gradient(spring, SpringLoops::between_ends(spring, x).head<3>(), sums);
    });
  }

  std::span<const CellQuantity> quantities() const override {
    return Kernel::has_fields ? SpringLoops::quantities() : std::span<const CellQuantity>();
  }
  void evaluate_cells(const PaddedField& x, CellQuantity quantity, const core::Executor&,
                      VecOut values) const override {
    if constexpr (Kernel::has_fields)
      springs_.evaluate(
          x, quantity,
          [](const SpringElement& spring, std::size_t, double length) {
            return Kernel::tension(spring, length);
          },
          values);
  }

  int num_elements() const override { return static_cast<int>(springs_.size()); }
  dynamics::ElementNodes element_vertices() const override { return springs_.element_vertices(); }
  std::unique_ptr<ElementSet> restricted_to(std::span<const int> elements) const override {
    return std::make_unique<SpringSet>(SpringLoops(springs_.restricted_to(elements)));
  }

 private:
  /// work(spring, vector between its ends)
  template <class Work>
  void for_each_vector(const core::Executor& executor, const PaddedField& x,
                       const Work& work) const {
    if constexpr (Kernel::uses_rest_direction)
      springs_.for_each(executor, [&](const SpringElement& spring, std::size_t, int) {
        work(spring, SpringLoops::between_ends(spring, x));
      });
    else
      springs_.for_each_vector(
          executor, x, [&](const SpringElement& spring, std::size_t, int, const SpringVector& e) {
            work(spring, e);
          });
  }

  SpringLoops springs_;
};

}  // namespace sinew::physics
