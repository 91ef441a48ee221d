// SPDX-License-Identifier: Apache-2.0
// Loops over the springs of one law, compiled where the law is (laws/law_entry.hpp).
//
// With e the vector from the first end of a spring to the second, l its length and d = e/l:
//   dW/de = W' d,     d^2 W/de^2 = W'' d d^T + W'/l (I - d d^T)     (' is d/dl).
// The first end feels minus what the second does. The eigenvalues are W'' along the spring and
// W'/l, twice, across it: a compressed spring gives way sideways, so W'/l is negative there.
#pragma once

#include <array>
#include <atomic>
#include <cmath>
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

/// Springs as they are.
template <class Law>
struct ElasticSpring {
  static constexpr bool has_fields = true;

  static double energy(const SpringElement& spring, const Vec3& e) {
    return spring.weight * Law::energy(spring, e.norm());
  }
  static Vec3 gradient(const SpringElement& spring, const Vec3& e) {
    const SpringAxis axis(spring, e);
    return spring.weight * Law::tension(spring, axis.length) * axis.direction;
  }
  static bool hessian(const SpringElement& spring, const Vec3& e,
                      dynamics::Definiteness definiteness, Mat3& H) {
    const SpringAxis axis(spring, e);
    return spring_hessian(axis.direction, spring.weight * Law::stiffness(spring, axis.length),
                          spring.weight * Law::tension(spring, axis.length) / axis.length,
                          definiteness, H);
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

  static double energy(const SpringElement& spring, const Vec3& e) {
    const double along = spring.rest_direction.dot(e);
    return 0.5 * stiffness(spring) * along * along;
  }
  static Vec3 gradient(const SpringElement& spring, const Vec3& e) {
    return stiffness(spring) * spring.rest_direction.dot(e) * spring.rest_direction;
  }
  static bool hessian(const SpringElement& spring, const Vec3&, dynamics::Definiteness, Mat3& H) {
    H = stiffness(spring) * spring.rest_direction * spring.rest_direction.transpose();
    return false;
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
    const double length = std::isfinite(spring.yield) ? spring.rest_length : axis.length;
    return spring_hessian(axis.direction, spring.weight * Law::stiffness(spring, length), 0.0,
                          definiteness, H);
  }
};

/// sums[both ends] += the part of the deformation gradient that the direction of a spring shows.
void add_spring_gradient(const SpringElement& spring, const Vec3& between_ends,
                         std::span<Mat3> sums);

/// What is common to all loops over springs.
class SpringLoops : public PartedElements<SpringElement> {
 public:
  using PartedElements::PartedElements;
  explicit SpringLoops(PartedElements springs) : PartedElements(std::move(springs)) {}

  std::vector<std::array<int, 2>> pairs() const;

  static Vec3 between_ends(const SpringElement& spring, const PaddedField& x) {
    return x.vector(spring.vertices[1]) - x.vector(spring.vertices[0]);
  }
  static void pull(const SpringElement& spring, const Vec3& gradient, PaddedField& f) {
    f.vector(spring.vertices[0]) += gradient;
    f.vector(spring.vertices[1]) -= gradient;
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
    for (std::size_t s = 0; s < size(); ++s) {
      const SpringElement& spring = all()[s];
      if (spring.cells[0] < 0) continue;
      const double length = between_ends(spring, x).norm();
      show(spring, quantity, length, tension(spring, s, length), values);
    }
  }

 private:
  static void show(const SpringElement& spring, CellQuantity quantity, double length,
                   double tension, VecOut values);
};

template <class Kernel>
class SpringSet final : public ElementSet {
 public:
  explicit SpringSet(SpringLoops springs) : springs_(std::move(springs)) {}

  std::vector<std::array<int, 2>> pairs() const override { return springs_.pairs(); }

  double energy(const PaddedField& x, const core::Executor& executor,
                std::vector<double>& partial) const override {
    return springs_.sum(executor, partial, [&](const SpringElement& spring, std::size_t) {
      return Kernel::energy(spring, SpringLoops::between_ends(spring, x));
    });
  }

  void add_force(const PaddedField& x, const core::Executor& executor,
                 PaddedField& f) const override {
    springs_.for_each(executor, [&](const SpringElement& spring, std::size_t, int) {
      SpringLoops::pull(spring, Kernel::gradient(spring, SpringLoops::between_ends(spring, x)), f);
    });
  }

  Index add_tangent(const PaddedField& x, dynamics::Definiteness definiteness,
                    const core::Executor& executor, std::span<const int> slots, double* K,
                    PaddedField* f) const override {
    SINEW_ASSERT(slots.size() == 3 * springs_.size(), "the slots belong to other elements");
    std::atomic<Index> changed = 0;
    springs_.for_each(executor, [&](const SpringElement& spring, std::size_t s, int) {
      const Vec3 e = SpringLoops::between_ends(spring, x);
      Mat3 H;
      if (Kernel::hessian(spring, e, definiteness, H)) ++changed;
      SpringLoops::add_blocks(s, H, slots, K);
      if (f) SpringLoops::pull(spring, Kernel::gradient(spring, e), *f);
    });
    return changed;
  }

  void add_definite_product(const PaddedField& x, const PaddedField& v,
                            const core::Executor& executor, PaddedField& f) const override {
    springs_.for_each(executor, [&](const SpringElement& spring, std::size_t, int) {
      Mat3 H;
      Kernel::hessian(spring, SpringLoops::between_ends(spring, x),
                      dynamics::Definiteness::psd_clamp, H);
      SpringLoops::pull(spring, H * SpringLoops::between_ends(spring, v), f);
    });
  }

  double largest_strain(const PaddedField& x, const core::Executor& executor,
                        std::vector<double>& partial) const override {
    return springs_.largest_strain(x, executor, partial);
  }

  void add_gradients(const PaddedField& x, const core::Executor& executor,
                     std::span<Mat3> sums) const override {
    springs_.for_each(executor, [&](const SpringElement& spring, std::size_t, int) {
      add_spring_gradient(spring, SpringLoops::between_ends(spring, x), sums);
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
  std::unique_ptr<ElementSet> restricted_to(std::span<const int> elements) const override {
    return std::make_unique<SpringSet>(SpringLoops(springs_.restricted_to(elements)));
  }

 private:
  SpringLoops springs_;
};

}  // namespace sinew::physics
