// SPDX-License-Identifier: Apache-2.0
// Linear tetrahedra laid out for registers: four elements side by side in a batch, batches grouped
// into sets that may be worked on in parallel.
//
// Corners are sorted by vertex number, so that local a < b means global a < b and the upper
// triangle is written without a branch. A set holds the tets whose smallest vertex lies in one part
// of the vertex order (la/ordering.hpp); it writes to its own part and the next one only, hence all
// even sets may run at once and then all odd ones. Sets and the order inside them come from the
// mesh alone: sums are the same for any number of threads.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <sinew/core/types.hpp>
#include <sinew/dynamics/explicit_stability.hpp>
#include <sinew/physics/elements/alternating_sets.hpp>
#include <sinew/physics/elements/material_parameters.hpp>
#include <sinew/physics/elements/pack.hpp>

namespace sinew::physics {

/// One linear tet of the whole system.
struct TetElement {
  std::array<int, 4> vertices{};    ///< in the order of the system
  std::array<Vec3, 3> gradients{};  ///< shape gradients of vertices 1 to 3 [1/m]
  double volume = 0.0;              ///< at rest [m^3]
  Parameters parameters{};          ///< of the material
  int index = 0;                    ///< of the tet in the user's numbering
};

/// Sorts the corners and computes gradients and volume from rest positions.
TetElement make_tet_element(std::array<int, 4> vertices, const std::array<Vec3, 4>& rest);

/// Local block pairs in the order of TetSlots.
inline constexpr std::array<std::array<int, 2>, 10> tet_pairs{
    {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}}};

struct TetBatch {
  std::array<Vector3<Pack>, 3> gradients;
  Pack volume;  ///< zero in lanes without an element
  std::array<Pack, max_parameters> parameters;
  std::array<std::array<int, lanes>, 4> vertices;
  std::array<int, lanes> element;  ///< user's tet number; -1: no element
};

/// Where the ten blocks of each element of a batch are in a matrix; negative: nowhere.
using TetSlots = std::array<std::array<int, lanes>, 10>;

class TetBatches {
 public:
  /// `parts`: boundaries of the vertex order, from la::banded_parts over all elements.
  TetBatches(std::vector<TetElement> elements, std::span<const int> parts);

  /// Vertex pairs of all blocks, in the order of TetSlots, batch after batch; lanes without an
  /// element have {-1, -1}.
  std::vector<std::array<int, 2>> pairs() const;
  /// The slots of the batches of a set, among those of pairs().
  const TetSlots* slots_of_set(std::span<const int> slots, int index) const;
  /// The same with these elements only; element k is the k-th that is found batch after batch.
  TetBatches restricted_to(std::span<const int> elements) const;

  /// In the same order.
  dynamics::ElementNodes element_vertices() const;

  int num_sets() const { return static_cast<int>(set_start_.size()) - 1; }
  std::span<const TetBatch> set(int index) const {
    return {batches_.data() + set_start_[index], batches_.data() + set_start_[index + 1]};
  }
  int num_elements() const { return num_elements_; }

  /// work(set, index) for every set: even ones at once, then odd ones.
  template <class Work>
  void for_each_set(const core::Executor& executor, const Work& work) const {
    for_each_alternating(executor, num_sets(), [&](int index) { work(set(index), index); });
  }

 private:
  std::vector<TetBatch> batches_;
  std::vector<int> parts_;
  std::vector<int> set_start_{0};
  int num_elements_ = 0;
};

}  // namespace sinew::physics
