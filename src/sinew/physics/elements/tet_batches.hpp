// SPDX-License-Identifier: Apache-2.0
// Tetrahedra with four or ten nodes laid out for registers: four elements side by side in a batch,
// batches grouped into sets that may be worked on in parallel. Linear ones have one gradient of the
// deformation, those with ten nodes one at each of four points (mesh/quadratic.hpp).
//
// Nodes are sorted by vertex number, so that local a < b means global a < b and the upper
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

/// Where the energy of a tet is evaluated.
template <int nodes>
inline constexpr int num_points = nodes == 4 ? 1 : 4;

/// One tet of the whole system.
template <int nodes>
struct TetElement {
  std::array<int, nodes> vertices{};  ///< in the order of the system
  /// Shape gradients of vertices 1 on, at each point [1/m]
  std::array<std::array<Vec3, nodes - 1>, num_points<nodes>> gradients{};
  std::array<double, num_points<nodes>> volumes{};  ///< of each point, at rest [m^3]
  Parameters parameters{};                          ///< of the material
  int index = 0;                                    ///< of the tet in the user's numbering
};

/// Sorts the nodes and computes gradients and volumes from rest positions. Ten nodes come in the
/// order of mesh/quadratic.hpp.
TetElement<4> make_tet_element(const std::array<int, 4>& vertices, const std::array<Vec3, 4>& rest);
TetElement<10> make_tet_element(const std::array<int, 10>& vertices,
                                const std::array<Vec3, 10>& rest);

template <int nodes>
inline constexpr int num_tet_pairs = nodes*(nodes + 1) / 2;

/// Local block pairs a <= b in the order of TetSlots.
template <int nodes>
inline constexpr std::array<std::array<int, 2>, num_tet_pairs<nodes>> tet_pairs = [] {
  std::array<std::array<int, 2>, num_tet_pairs<nodes>> pairs{};
  std::size_t next = 0;
  for (int a = 0; a < nodes; ++a)
    for (int b = a; b < nodes; ++b) pairs[next++] = {a, b};
  return pairs;
}();

template <int nodes>
struct TetBatch {
  std::array<std::array<Vector3<Pack>, nodes - 1>, num_points<nodes>> gradients;
  std::array<Pack, num_points<nodes>> volumes;  ///< zero in lanes without an element
  std::array<Pack, max_parameters> parameters;
  std::array<std::array<int, lanes>, nodes> vertices;
  std::array<int, lanes> element;  ///< user's tet number; -1: no element
};

/// Where the blocks of each element of a batch are in a matrix; negative: nowhere.
template <int nodes>
using TetSlots = std::array<std::array<int, lanes>, num_tet_pairs<nodes>>;

template <int nodes>
class TetBatches {
 public:
  /// `parts`: boundaries of the vertex order, from la::banded_parts over all elements.
  TetBatches(std::vector<TetElement<nodes>> elements, std::span<const int> parts);

  /// Vertex pairs of all blocks, in the order of TetSlots, batch after batch; lanes without an
  /// element have {-1, -1}.
  std::vector<std::array<int, 2>> pairs() const;
  /// The slots of the batches of a set, among those of pairs().
  const TetSlots<nodes>* slots_of_set(std::span<const int> slots, int index) const;
  /// The same with these elements only; element k is the k-th that is found batch after batch.
  TetBatches restricted_to(std::span<const int> elements) const;

  /// In the same order.
  dynamics::ElementNodes element_vertices() const;

  int num_sets() const { return static_cast<int>(set_start_.size()) - 1; }
  std::span<const TetBatch<nodes>> set(int index) const {
    return {batches_.data() + set_start_[index], batches_.data() + set_start_[index + 1]};
  }
  int num_elements() const { return num_elements_; }

  /// work(set, index) for every set: even ones at once, then odd ones.
  template <class Work>
  void for_each_set(const core::Executor& executor, const Work& work) const {
    for_each_alternating(executor, num_sets(), [&](int index) { work(set(index), index); });
  }

 private:
  std::vector<TetBatch<nodes>> batches_;
  std::vector<int> parts_;
  std::vector<int> set_start_{0};
  int num_elements_ = 0;
};

extern template class TetBatches<4>;
extern template class TetBatches<10>;

}  // namespace sinew::physics
