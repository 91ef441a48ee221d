// SPDX-License-Identifier: Apache-2.0
// With e the vector from the first end of a spring to the second, l its length and d = e/l:
//   dW/de = W' d,     d^2 W/de^2 = W'' d d^T + W'/l (I - d d^T)     (' is d/dl).
// The first end feels minus what the second does. The eigenvalues are W'' along the spring and
// W'/l, twice, across it: a compressed spring gives way sideways, so W'/l is negative there.
#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include <Eigen/Geometry>

#include <sinew/core/error.hpp>
#include <sinew/physics/elements/alternating_sets.hpp>
#include <sinew/physics/elements/spring_elasticity.hpp>

namespace sinew::physics {
namespace {

using dynamics::Definiteness;

double definite(double eigenvalue, Definiteness definiteness) {
  if (eigenvalue >= 0.0 || definiteness == Definiteness::exact) return eigenvalue;
  return definiteness == Definiteness::psd_abs ? -eigenvalue : 0.0;
}

template <class Law>
struct Elastic {
  static double energy(const SpringElement& spring, const Vec3& e) {
    return Law::energy(spring, e.norm());
  }

  static Vec3 gradient(const SpringElement& spring, const Vec3& e) {
    const Axis axis(spring, e);
    return Law::tension(spring, axis.length) * axis.direction;
  }

  /// Returns whether the definiteness asked for made a difference.
  static bool hessian(const SpringElement& spring, const Vec3& e, Definiteness definiteness,
                      Mat3& H) {
    const Axis axis(spring, e);
    const double along = Law::stiffness(spring, axis.length);
    const double across = Law::tension(spring, axis.length) / axis.length;
    const double used_along = definite(along, definiteness);
    const double used_across = definite(across, definiteness);
    H = (used_along - used_across) * axis.direction * axis.direction.transpose();
    H.diagonal().array() += used_across;
    return used_along != along || used_across != across;
  }

 private:
  /// Where the ends coincide there is no direction; the spring then pushes along its rest
  /// direction, and its length is one that can still be divided by.
  struct Axis {
    Axis(const SpringElement& spring, const Vec3& e) : length(e.norm()) {
      const double shortest = 1e-9 * spring.rest_length;
      if (length > shortest) {
        direction = e / length;
      } else {
        direction = spring.rest_direction;
        length = shortest;
      }
    }
    double length;
    Vec3 direction;
  };
};

template <class Law>
struct AboutRest {
  static double energy(const SpringElement& spring, const Vec3& e) {
    const double along = spring.rest_direction.dot(e);
    return 0.5 * stiffness(spring) * along * along;
  }

  static Vec3 gradient(const SpringElement& spring, const Vec3& e) {
    return stiffness(spring) * spring.rest_direction.dot(e) * spring.rest_direction;
  }

  static bool hessian(const SpringElement& spring, const Vec3&, Definiteness, Mat3& H) {
    H = stiffness(spring) * spring.rest_direction * spring.rest_direction.transpose();
    return false;
  }

 private:
  static double stiffness(const SpringElement& spring) {
    return Law::stiffness(spring, spring.rest_length);
  }
};

/// The smallest rotation that takes one unit vector to another; zero for opposite ones, which have
/// no such thing.
Mat3 smallest_rotation(const Vec3& from, const Vec3& to) {
  const double cosine = from.dot(to);
  constexpr double opposite = 1e-9;
  if (1.0 + cosine < opposite) return Mat3::Zero();
  const Vec3 axis = from.cross(to);
  Mat3 R = axis * axis.transpose() / (1.0 + cosine);
  R.diagonal().array() += cosine;
  R(1, 0) += axis[2];
  R(0, 1) -= axis[2];
  R(0, 2) += axis[1];
  R(2, 0) -= axis[1];
  R(2, 1) += axis[0];
  R(1, 2) -= axis[0];
  return R;
}

template <class Kernel>
class SpringSet final : public ElementSet {
 public:
  SpringSet(std::vector<SpringElement> springs, std::span<const int> parts)
      : springs_(std::move(springs)), parts_(parts.begin(), parts.end()) {
    std::stable_sort(
        springs_.begin(), springs_.end(),
        [](const SpringElement& a, const SpringElement& b) { return a.vertices < b.vertices; });
    std::size_t next = 0;
    for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
      while (next < springs_.size() && springs_[next].vertices[0] < parts[part + 1]) {
        SINEW_ASSERT(part + 2 >= parts.size() || springs_[next].vertices[1] < parts[part + 2],
                     "a spring reaches beyond the next part");
        ++next;
      }
      set_start_.push_back(next);
    }
    SINEW_ASSERT(next == springs_.size(), "a spring lies outside all parts");
  }

  std::vector<std::array<int, 2>> pairs() const override {
    std::vector<std::array<int, 2>> pairs;
    pairs.reserve(3 * springs_.size());
    for (const SpringElement& spring : springs_) {
      const auto [a, b] = spring.vertices;
      pairs.push_back({a, a});
      pairs.push_back({a, b});
      pairs.push_back({b, b});
    }
    return pairs;
  }

  double energy(const PaddedField& x, const core::Executor& executor,
                std::vector<double>& partial) const override {
    partial.assign(static_cast<std::size_t>(num_sets()), 0.0);
    for_each_spring(executor, [&](const SpringElement& spring, std::size_t, int set) {
      partial[static_cast<std::size_t>(set)] += Kernel::energy(spring, between_ends(spring, x));
    });
    return std::accumulate(partial.begin(), partial.end(), 0.0);
  }

  void add_force(const PaddedField& x, const core::Executor& executor,
                 PaddedField& f) const override {
    for_each_spring(executor, [&](const SpringElement& spring, std::size_t, int) {
      pull(spring, Kernel::gradient(spring, between_ends(spring, x)), f);
    });
  }

  Index add_tangent(const PaddedField& x, Definiteness definiteness, const core::Executor& executor,
                    std::span<const int> slots, double* K, PaddedField* f) const override {
    SINEW_ASSERT(slots.size() == 3 * springs_.size(), "the slots belong to other elements");
    std::atomic<Index> changed = 0;
    for_each_spring(executor, [&](const SpringElement& spring, std::size_t s, int) {
      const Vec3 e = between_ends(spring, x);
      Mat3 H;
      if (Kernel::hessian(spring, e, definiteness, H)) ++changed;
      const std::array<double, 3> signs{1.0, -1.0, 1.0};
      for (std::size_t k = 0; k < 3; ++k)
        if (const Index slot = slots[3 * s + k]; slot >= 0)
          Eigen::Map<Mat3>(K + 9 * slot) += signs[k] * H;
      if (f) pull(spring, Kernel::gradient(spring, e), *f);
    });
    return changed;
  }

  void add_definite_product(const PaddedField& x, const PaddedField& v,
                            const core::Executor& executor, PaddedField& f) const override {
    for_each_spring(executor, [&](const SpringElement& spring, std::size_t, int) {
      Mat3 H;
      Kernel::hessian(spring, between_ends(spring, x), Definiteness::psd_clamp, H);
      pull(spring, H * between_ends(spring, v), f);
    });
  }

  Index count_inverted(const PaddedField&, const core::Executor&,
                       std::vector<double>&) const override {
    return 0;
  }

  void add_gradients(const PaddedField& x, const core::Executor& executor,
                     std::span<Mat3> sums) const override {
    // Of the rotations that fit the springs around a vertex equally well, which is most of them
    // where there are only one or two, a little of this picks the one that turns least.
    constexpr double little = 1e-6;
    for_each_spring(executor, [&](const SpringElement& spring, std::size_t, int) {
      const Vec3 e = between_ends(spring, x) / spring.rest_length;
      const double stretch = e.norm();
      Mat3 sum = e * spring.rest_direction.transpose();
      if (stretch > 0.0) sum += little * smallest_rotation(spring.rest_direction, e / stretch);
      for (const int vertex : spring.vertices) sums[static_cast<std::size_t>(vertex)] += sum;
    });
  }

  void evaluate_cells(const PaddedField& x, CellQuantity quantity, const core::Executor&,
                      VecOut values) const override {
    if (quantity != CellQuantity::det_f) return;
    for (const SpringElement& spring : springs_)
      if (spring.cell >= 0)
        values[spring.cell] = between_ends(spring, x).norm() / spring.rest_length;
  }

  int num_elements() const override { return static_cast<int>(springs_.size()); }
  std::unique_ptr<ElementSet> restricted_to(std::span<const int> elements) const override {
    std::vector<SpringElement> kept;
    for (const int element : elements) kept.push_back(springs_[static_cast<std::size_t>(element)]);
    return std::make_unique<SpringSet>(std::move(kept), parts_);
  }

 private:
  static Vec3 between_ends(const SpringElement& spring, const PaddedField& x) {
    return x.vector(spring.vertices[1]) - x.vector(spring.vertices[0]);
  }

  static void pull(const SpringElement& spring, const Vec3& gradient, PaddedField& f) {
    f.vector(spring.vertices[0]) += gradient;
    f.vector(spring.vertices[1]) -= gradient;
  }

  int num_sets() const { return static_cast<int>(set_start_.size()) - 1; }

  /// work(spring, its index, its set), sets in parallel as far as they write to different places.
  template <class Work>
  void for_each_spring(const core::Executor& executor, const Work& work) const {
    for_each_alternating(executor, num_sets(), [&](int set) {
      const auto k = static_cast<std::size_t>(set);
      for (std::size_t s = set_start_[k]; s < set_start_[k + 1]; ++s) work(springs_[s], s, set);
    });
  }

  std::vector<SpringElement> springs_;
  std::vector<int> parts_;
  std::vector<std::size_t> set_start_{0};
};

}  // namespace

SpringElement make_spring_element(std::array<int, 2> vertices, const std::array<Vec3, 2>& rest,
                                  double stiffness, double rest_length) {
  SpringElement element;
  const bool ascending = vertices[0] < vertices[1];
  element.vertices = {std::min(vertices[0], vertices[1]), std::max(vertices[0], vertices[1])};
  element.rest_direction = ((ascending ? 1.0 : -1.0) * (rest[1] - rest[0])).normalized();
  element.stiffness = stiffness;
  element.rest_length = rest_length;
  return element;
}

template <class Law>
std::unique_ptr<ElementSet> make_spring_elasticity(std::vector<SpringElement> springs,
                                                   std::span<const int> parts) {
  return std::make_unique<SpringSet<Elastic<Law>>>(std::move(springs), parts);
}

template <class Law>
std::unique_ptr<ElementSet> make_rest_springs(std::vector<SpringElement> springs,
                                              std::span<const int> parts) {
  return std::make_unique<SpringSet<AboutRest<Law>>>(std::move(springs), parts);
}

template std::unique_ptr<ElementSet> make_spring_elasticity<LinearSpring>(
    std::vector<SpringElement>, std::span<const int>);
template std::unique_ptr<ElementSet> make_rest_springs<LinearSpring>(std::vector<SpringElement>,
                                                                     std::span<const int>);

}  // namespace sinew::physics
