// SPDX-License-Identifier: Apache-2.0
// Loops over small elements of three to five vertices whose energy a kernel knows:
//   struct Kernel { struct Element { std::array<int, N> vertices; ... };
//                   static double energy(const Element&, const Corners&);
//                   static void gradient(const Element&, const Corners&, Gradient&);
//                   static void hessian(const Element&, const Corners&, Hessian&); };
// with the types of Stencil<N>. A kernel may know a definite Hessian of its own, for less than the
// eigenvalues of the exact one cost: static bool definite_hessian(const Element&, const Corners&,
// Hessian&), which returns whether it differs.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <Eigen/Eigenvalues>

#include <sinew/core/error.hpp>
#include <sinew/physics/elements/element_set.hpp>
#include <sinew/physics/elements/parted_elements.hpp>
#include <sinew/physics/elements/spring_set.hpp>

namespace sinew::physics {

template <int N>
struct Stencil {
  using Corners = Eigen::Matrix<double, 3, N>;
  using Gradient = Eigen::Matrix<double, 3 * N, 1>;
  using Hessian = Eigen::Matrix<double, 3 * N, 3 * N>;
};

/// Negative eigenvalues as asked for. Returns whether there were any.
template <class Hessian>
bool make_definite(dynamics::Definiteness definiteness, Hessian& H) {
  if (definiteness == dynamics::Definiteness::exact) return false;
  const Eigen::SelfAdjointEigenSolver<Hessian> eigen(H);
  auto values = eigen.eigenvalues();
  // rounding alone makes zeros negative
  const double noise = 1e-14 * values.cwiseAbs().maxCoeff();
  if (values[0] >= -noise) return false;
  for (double& value : values) value = definite(value, definiteness);
  H = eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
  return true;
}

template <class Kernel>
class StencilSet final : public ElementSet {
  using Element = typename Kernel::Element;
  static constexpr int N = static_cast<int>(std::tuple_size_v<decltype(Element::vertices)>);
  static constexpr std::size_t num_pairs = static_cast<std::size_t>(N) * (N + 1) / 2;
  using Corners = typename Stencil<N>::Corners;
  using Gradient = typename Stencil<N>::Gradient;
  using Hessian = typename Stencil<N>::Hessian;

 public:
  explicit StencilSet(PartedElements<Element> elements) : elements_(std::move(elements)) {}

  std::vector<std::array<int, 2>> pairs() const override {
    std::vector<std::array<int, 2>> pairs;
    pairs.reserve(num_pairs * elements_.size());
    for (const Element& element : elements_.all())
      for (std::size_t a = 0; a < N; ++a)
        for (std::size_t b = a; b < N; ++b)
          pairs.push_back({std::min(element.vertices[a], element.vertices[b]),
                           std::max(element.vertices[a], element.vertices[b])});
    return pairs;
  }

  double energy(const PaddedField& x, const core::Executor& executor,
                std::vector<double>& partial) const override {
    return elements_.sum(executor, partial, [&](const Element& element, std::size_t) {
      return Kernel::energy(element, corners(element, x));
    });
  }

  void add_force(const PaddedField& x, const core::Executor& executor,
                 PaddedField& f) const override {
    elements_.for_each(executor, [&](const Element& element, std::size_t, int) {
      Gradient g;
      Kernel::gradient(element, corners(element, x), g);
      subtract(element, g, f);
    });
  }

  Index add_tangent(const PaddedField& x, dynamics::Definiteness definiteness,
                    const core::Executor& executor, std::span<const int> slots, double* K,
                    PaddedField* f) const override {
    SINEW_ASSERT(slots.size() == num_pairs * elements_.size(),
                 "the slots belong to other elements");
    std::atomic<Index> changed = 0;
    elements_.for_each(executor, [&](const Element& element, std::size_t index, int) {
      const Corners at = corners(element, x);
      Hessian H;
      if (evaluate(element, at, definiteness, H)) ++changed;
      add_blocks(element, H, slots.subspan(num_pairs * index, num_pairs), K);
      if (!f) return;
      Gradient g;
      Kernel::gradient(element, at, g);
      subtract(element, g, *f);
    });
    return changed;
  }

  void add_definite_product(const PaddedField& x, const PaddedField& v,
                            const core::Executor& executor, PaddedField& f) const override {
    elements_.for_each(executor, [&](const Element& element, std::size_t, int) {
      Hessian H;
      evaluate(element, corners(element, x), dynamics::Definiteness::psd_clamp, H);
      const Corners speeds = corners(element, v);
      subtract(element, H * Eigen::Map<const Gradient>(speeds.data()), f);
    });
  }

  int num_elements() const override { return static_cast<int>(elements_.size()); }
  dynamics::ElementNodes element_vertices() const override { return elements_.element_vertices(); }
  std::unique_ptr<ElementSet> restricted_to(std::span<const int> elements) const override {
    return std::make_unique<StencilSet>(elements_.restricted_to(elements));
  }

 private:
  static Corners corners(const Element& element, const PaddedField& x) {
    Corners result;
    for (int k = 0; k < N; ++k)
      result.col(k) = x.vector(element.vertices[static_cast<std::size_t>(k)]);
    return result;
  }

  static bool evaluate(const Element& element, const Corners& x,
                       dynamics::Definiteness definiteness, Hessian& H) {
    if constexpr (requires { Kernel::definite_hessian(element, x, H); })
      if (definiteness != dynamics::Definiteness::exact)
        return Kernel::definite_hessian(element, x, H);
    Kernel::hessian(element, x, H);
    return make_definite(definiteness, H);
  }

  static void subtract(const Element& element, const Gradient& g, PaddedField& f) {
    for (int k = 0; k < N; ++k)
      f.vector(element.vertices[static_cast<std::size_t>(k)]) -= g.template segment<3>(3 * k);
  }

  static void add_blocks(const Element& element, const Hessian& H, std::span<const int> slots,
                         double* K) {
    std::size_t pair = 0;
    for (int a = 0; a < N; ++a)
      for (int b = a; b < N; ++b, ++pair) {
        if (slots[pair] < 0) continue;
        // blocks are stored row by row: the column-major map of the transpose
        Eigen::Map<Mat3> block(K + 9 * static_cast<Index>(slots[pair]));
        const bool is_mirrored = element.vertices[static_cast<std::size_t>(a)] >
                                 element.vertices[static_cast<std::size_t>(b)];
        if (is_mirrored)
          block += H.template block<3, 3>(3 * a, 3 * b);
        else
          block += H.template block<3, 3>(3 * a, 3 * b).transpose();
      }
  }

  PartedElements<Element> elements_;
};

}  // namespace sinew::physics
