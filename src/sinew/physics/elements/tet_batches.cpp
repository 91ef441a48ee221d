// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/LU>

#include <sinew/core/error.hpp>
#include <sinew/mesh/quadratic.hpp>
#include <sinew/physics/elements/tet_batches.hpp>

namespace sinew::physics {

namespace {

/// The order in which vertices are ascending.
template <std::size_t nodes>
std::array<int, nodes> ascending_order(const std::array<int, nodes>& vertices) {
  std::array<int, nodes> order;
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return vertices[a] < vertices[b]; });
  return order;
}

}  // namespace

TetElement<4> make_tet_element(const std::array<int, 4>& vertices,
                               const std::array<Vec3, 4>& rest) {
  const std::array<int, 4> corner = ascending_order(vertices);
  TetElement<4> element;
  Mat3 Dm;
  for (int k = 0; k < 4; ++k) element.vertices[k] = vertices[corner[k]];
  for (int k = 0; k < 3; ++k) Dm.col(k) = rest[corner[k + 1]] - rest[corner[0]];
  const Mat3 inverse = Dm.inverse();
  for (int k = 0; k < 3; ++k) element.gradients[0][k] = inverse.row(k);
  element.volumes[0] = std::abs(Dm.determinant()) / 6.0;
  return element;
}

TetElement<10> make_tet_element(const std::array<int, 10>& vertices,
                                const std::array<Vec3, 10>& rest) {
  const std::array<int, 10> node = ascending_order(vertices);
  TetElement<10> element;
  for (std::size_t k = 0; k < 10; ++k) element.vertices[k] = vertices[node[k]];
  for (std::size_t q = 0; q < 4; ++q) {
    mesh::Barycentric point;
    point.fill(mesh::tet_rule_far);
    point[q] = mesh::tet_rule_near;
    const Mat3 J = mesh::quadratic_jacobian(rest, point);
    const auto slopes = mesh::quadratic_slopes(point);
    const Mat3 to_space = J.inverse().transpose();
    for (std::size_t k = 0; k < 9; ++k) element.gradients[q][k] = to_space * slopes[node[k + 1]];
    element.volumes[q] = std::abs(J.determinant()) / 24.0;
  }
  return element;
}

namespace {

/// Elements first, first + stride, first + 2 stride, ... side by side. Far apart, they share no
/// vertices, so no lane waits for the store of the one before.
template <int nodes>
TetBatch<nodes> make_batch(std::span<const TetElement<nodes>> elements, std::size_t first,
                           std::size_t stride) {
  TetBatch<nodes> batch{};
  for (int lane = 0; lane < lanes; ++lane) {
    const std::size_t index = first + static_cast<std::size_t>(lane) * stride;
    const bool filled = index < elements.size();
    // an empty lane repeats the first element with no volume: finite arithmetic, no effect
    const TetElement<nodes>& element = elements[filled ? index : first];
    for (int q = 0; q < num_points<nodes>; ++q) {
      for (int k = 0; k + 1 < nodes; ++k) {
        batch.gradients[q][k].x[lane] = element.gradients[q][k][0];
        batch.gradients[q][k].y[lane] = element.gradients[q][k][1];
        batch.gradients[q][k].z[lane] = element.gradients[q][k][2];
      }
      batch.volumes[q][lane] = filled ? element.volumes[q] : 0.0;
    }
    for (int p = 0; p < max_parameters; ++p) batch.parameters[p][lane] = element.parameters[p];
    for (int k = 0; k < nodes; ++k) batch.vertices[k][lane] = element.vertices[k];
    batch.element[lane] = filled ? element.index : -1;
  }
  return batch;
}

}  // namespace

template <int nodes>
TetBatches<nodes>::TetBatches(std::vector<TetElement<nodes>> elements, std::span<const int> parts)
    : parts_(parts.begin(), parts.end()), num_elements_(static_cast<int>(elements.size())) {
  std::stable_sort(elements.begin(), elements.end(),
                   [](const auto& a, const auto& b) { return a.vertices < b.vertices; });
  std::size_t next = 0;
  for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
    const std::size_t first = next;
    while (next < elements.size() && elements[next].vertices[0] < parts[part + 1]) {
      SINEW_ASSERT(part + 2 >= parts.size() || elements[next].vertices.back() < parts[part + 2],
                   "an element reaches beyond the next part");
      ++next;
    }
    const std::span<const TetElement<nodes>> set = std::span(elements).subspan(first, next - first);
    const std::size_t num_batches = (set.size() + lanes - 1) / lanes;
    for (std::size_t b = 0; b < num_batches; ++b)
      batches_.push_back(make_batch<nodes>(set, b, num_batches));
    set_start_.push_back(static_cast<int>(batches_.size()));
  }
  SINEW_ASSERT(next == elements.size(), "an element lies outside all parts");
}

template <int nodes>
std::vector<std::array<int, 2>> TetBatches<nodes>::pairs() const {
  std::vector<std::array<int, 2>> pairs;
  pairs.reserve(batches_.size() * sizeof(TetSlots<nodes>) / sizeof(int));
  for (const TetBatch<nodes>& batch : batches_)
    for (const auto& [a, b] : tet_pairs<nodes>)
      for (int lane = 0; lane < lanes; ++lane) {
        const bool filled = batch.element[lane] >= 0;
        pairs.push_back(
            {filled ? batch.vertices[a][lane] : -1, filled ? batch.vertices[b][lane] : -1});
      }
  return pairs;
}

template <int nodes>
const TetSlots<nodes>* TetBatches<nodes>::slots_of_set(std::span<const int> slots,
                                                       int index) const {
  static_assert(sizeof(TetSlots<nodes>) == num_tet_pairs<nodes> * lanes * sizeof(int));
  SINEW_ASSERT(slots.size() == batches_.size() * num_tet_pairs<nodes> * lanes,
               "the slots belong to other elements");
  return reinterpret_cast<const TetSlots<nodes>*>(slots.data()) + set_start_[index];
}

namespace {

template <int nodes>
TetElement<nodes> element_of(const TetBatch<nodes>& batch, int lane) {
  TetElement<nodes> element;
  for (int q = 0; q < num_points<nodes>; ++q) {
    for (int k = 0; k + 1 < nodes; ++k) {
      const Vector3<Pack>& gradient = batch.gradients[q][k];
      element.gradients[q][k] = {gradient.x[lane], gradient.y[lane], gradient.z[lane]};
    }
    element.volumes[q] = batch.volumes[q][lane];
  }
  for (int p = 0; p < max_parameters; ++p) element.parameters[p] = batch.parameters[p][lane];
  for (int k = 0; k < nodes; ++k) element.vertices[k] = batch.vertices[k][lane];
  element.index = batch.element[lane];
  return element;
}

}  // namespace

template <int nodes>
dynamics::ElementNodes TetBatches<nodes>::element_vertices() const {
  dynamics::ElementNodes result;
  for (const TetBatch<nodes>& batch : batches_)
    for (int lane = 0; lane < lanes; ++lane)
      if (batch.element[lane] >= 0) result.add(element_of(batch, lane).vertices);
  return result;
}

template <int nodes>
TetBatches<nodes> TetBatches<nodes>::restricted_to(std::span<const int> elements) const {
  std::vector<TetElement<nodes>> kept;
  auto next = elements.begin();
  int number = 0;
  for (const TetBatch<nodes>& batch : batches_)
    for (int lane = 0; lane < lanes; ++lane) {
      if (batch.element[lane] < 0) continue;
      if (next != elements.end() && *next == number) {
        kept.push_back(element_of(batch, lane));
        ++next;
      }
      ++number;
    }
  SINEW_ASSERT(next == elements.end(), "there is no such element");
  return TetBatches(std::move(kept), parts_);
}

template class TetBatches<4>;
template class TetBatches<10>;

}  // namespace sinew::physics
