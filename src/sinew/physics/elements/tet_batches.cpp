// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/LU>

#include <sinew/core/error.hpp>
#include <sinew/physics/elements/tet_batches.hpp>

namespace sinew::physics {

TetElement make_tet_element(std::array<int, 4> vertices, const std::array<Vec3, 4>& rest) {
  std::array<int, 4> corner{0, 1, 2, 3};
  std::sort(corner.begin(), corner.end(), [&](int a, int b) { return vertices[a] < vertices[b]; });
  TetElement element;
  Mat3 Dm;
  for (int k = 0; k < 4; ++k) element.vertices[k] = vertices[corner[k]];
  for (int k = 0; k < 3; ++k) Dm.col(k) = rest[corner[k + 1]] - rest[corner[0]];
  const Mat3 inverse = Dm.inverse();
  for (int k = 0; k < 3; ++k) element.gradients[k] = inverse.row(k);
  element.volume = std::abs(Dm.determinant()) / 6.0;
  return element;
}

namespace {

/// Elements first, first + stride, first + 2 stride, ... side by side. Far apart, they share no
/// vertices, so no lane waits for the store of the one before.
TetBatch make_batch(std::span<const TetElement> elements, std::size_t first, std::size_t stride) {
  TetBatch batch{};
  for (int lane = 0; lane < lanes; ++lane) {
    const std::size_t index = first + static_cast<std::size_t>(lane) * stride;
    const bool filled = index < elements.size();
    // an empty lane repeats the first element with no volume: finite arithmetic, no effect
    const TetElement& element = elements[filled ? index : first];
    for (int k = 0; k < 3; ++k) {
      batch.gradients[k].x[lane] = element.gradients[k][0];
      batch.gradients[k].y[lane] = element.gradients[k][1];
      batch.gradients[k].z[lane] = element.gradients[k][2];
    }
    batch.volume[lane] = filled ? element.volume : 0.0;
    for (int p = 0; p < max_parameters; ++p) batch.parameters[p][lane] = element.parameters[p];
    for (int k = 0; k < 4; ++k) batch.vertices[k][lane] = element.vertices[k];
    batch.element[lane] = filled ? element.index : -1;
  }
  return batch;
}

}  // namespace

TetBatches::TetBatches(std::vector<TetElement> elements, std::span<const int> parts)
    : parts_(parts.begin(), parts.end()), num_elements_(static_cast<int>(elements.size())) {
  std::stable_sort(elements.begin(), elements.end(), [](const TetElement& a, const TetElement& b) {
    return a.vertices < b.vertices;
  });
  std::size_t next = 0;
  for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
    const std::size_t first = next;
    while (next < elements.size() && elements[next].vertices[0] < parts[part + 1]) {
      SINEW_ASSERT(part + 2 >= parts.size() || elements[next].vertices[3] < parts[part + 2],
                   "an element reaches beyond the next part");
      ++next;
    }
    const std::span<const TetElement> set = std::span(elements).subspan(first, next - first);
    const std::size_t num_batches = (set.size() + lanes - 1) / lanes;
    for (std::size_t b = 0; b < num_batches; ++b)
      batches_.push_back(make_batch(set, b, num_batches));
    set_start_.push_back(static_cast<int>(batches_.size()));
  }
  SINEW_ASSERT(next == elements.size(), "an element lies outside all parts");
}

std::vector<std::array<int, 2>> TetBatches::pairs() const {
  std::vector<std::array<int, 2>> pairs;
  pairs.reserve(batches_.size() * sizeof(TetSlots) / sizeof(int));
  for (const TetBatch& batch : batches_)
    for (const auto& [a, b] : tet_pairs)
      for (int lane = 0; lane < lanes; ++lane) {
        const bool filled = batch.element[lane] >= 0;
        pairs.push_back(
            {filled ? batch.vertices[a][lane] : -1, filled ? batch.vertices[b][lane] : -1});
      }
  return pairs;
}

const TetSlots* TetBatches::slots_of_set(std::span<const int> slots, int index) const {
  static_assert(sizeof(TetSlots) == tet_pairs.size() * lanes * sizeof(int));
  SINEW_ASSERT(slots.size() == batches_.size() * tet_pairs.size() * lanes,
               "the slots belong to other elements");
  return reinterpret_cast<const TetSlots*>(slots.data()) + set_start_[index];
}

namespace {

TetElement element_of(const TetBatch& batch, int lane) {
  TetElement element;
  for (int k = 0; k < 3; ++k)
    element.gradients[k] = {batch.gradients[k].x[lane], batch.gradients[k].y[lane],
                            batch.gradients[k].z[lane]};
  element.volume = batch.volume[lane];
  for (int p = 0; p < max_parameters; ++p) element.parameters[p] = batch.parameters[p][lane];
  for (int k = 0; k < 4; ++k) element.vertices[k] = batch.vertices[k][lane];
  element.index = batch.element[lane];
  return element;
}

}  // namespace

dynamics::ElementNodes TetBatches::element_vertices() const {
  dynamics::ElementNodes result;
  for (const TetBatch& batch : batches_)
    for (int lane = 0; lane < lanes; ++lane)
      if (batch.element[lane] >= 0) result.add(element_of(batch, lane).vertices);
  return result;
}

TetBatches TetBatches::restricted_to(std::span<const int> elements) const {
  std::vector<TetElement> kept;
  auto next = elements.begin();
  int number = 0;
  for (const TetBatch& batch : batches_)
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

}  // namespace sinew::physics
