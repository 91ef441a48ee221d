// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/elements/attachments.hpp>
#include <sinew/physics/elements/stencil_set.hpp>

namespace sinew::physics {
namespace {

template <int N>
struct AttachmentKernel {
  using Corners = typename Stencil<N>::Corners;
  using Gradient = typename Stencil<N>::Gradient;
  using Hessian = typename Stencil<N>::Hessian;

  struct Element {
    std::array<int, N> vertices;
    Eigen::Matrix<double, N, 1> weights;
    double stiffness;
  };

  static double energy(const Element& element, const Corners& x) {
    return 0.5 * element.stiffness * (x * element.weights).squaredNorm();
  }
  static void gradient(const Element& element, const Corners& x, Gradient& g) {
    const Vec3 pull = element.stiffness * (x * element.weights);
    for (int k = 0; k < N; ++k) g.template segment<3>(3 * k) = element.weights[k] * pull;
  }
  static void hessian(const Element& element, const Corners&, Hessian& H) {
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b)
        H.template block<3, 3>(3 * a, 3 * b) =
            element.stiffness * element.weights[a] * element.weights[b] * Mat3::Identity();
  }
};

template <int N>
void add_set(std::span<const Attachment> attachments, std::span<const int> parts,
             std::vector<std::unique_ptr<ElementSet>>& sets) {
  using Element = typename AttachmentKernel<N>::Element;
  std::vector<Element> elements;
  for (const Attachment& attachment : attachments) {
    if (attachment.vertices.size() != N) continue;
    Element& element = elements.emplace_back();
    std::copy_n(attachment.vertices.begin(), N, element.vertices.begin());
    std::copy_n(attachment.weights.begin(), N, element.weights.data());
    element.stiffness = attachment.stiffness;
  }
  if (!elements.empty())
    sets.push_back(std::make_unique<StencilSet<AttachmentKernel<N>>>(
        PartedElements<Element>(std::move(elements), parts)));
}

}  // namespace

std::vector<std::unique_ptr<ElementSet>> make_attachments(std::span<const Attachment> attachments,
                                                          std::span<const int> parts) {
  for (const Attachment& attachment : attachments) {
    const std::size_t count = attachment.vertices.size();
    SINEW_ASSERT(((count >= 2 && count <= 5) || count == 11) && count == attachment.weights.size(),
                 "an attachment has two to five vertices, or eleven, with a weight each");
  }
  std::vector<std::unique_ptr<ElementSet>> sets;
  add_set<2>(attachments, parts, sets);
  add_set<3>(attachments, parts, sets);
  add_set<4>(attachments, parts, sets);
  add_set<5>(attachments, parts, sets);
  add_set<11>(attachments, parts, sets);
  return sets;
}

}  // namespace sinew::physics
