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
    for (auto& slots : batch.slots) slots[lane] = -1;
    batch.element[lane] = filled ? element.index : -1;
  }
  return batch;
}

}  // namespace

TetBatches::TetBatches(std::vector<TetElement> elements, std::span<const int> parts)
    : num_elements_(static_cast<int>(elements.size())) {
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

void TetBatches::bind(const la::BlockPattern& pattern, std::span<const int> block_of_vertex) {
  for (TetBatch& batch : batches_)
    for (int lane = 0; lane < lanes; ++lane) {
      if (batch.element[lane] < 0) continue;
      for (std::size_t p = 0; p < tet_pairs.size(); ++p) {
        const int row = block_of_vertex[batch.vertices[tet_pairs[p][0]][lane]];
        const int col = block_of_vertex[batch.vertices[tet_pairs[p][1]][lane]];
        batch.slots[p][lane] = row < 0 || col < 0 ? -1 : pattern.slot(row, col);
      }
    }
}

}  // namespace sinew::physics
