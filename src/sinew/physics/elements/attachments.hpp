// SPDX-License-Identifier: Apache-2.0
// Springs of no length between two points that move with a few vertices each:
//   W = k/2 |r|^2,  r = sum of weight_i x_i,
// where weights of one point are positive, those of the other negative, and all add up to zero: a
// vertex (1) and a point inside a tet or on a triangle (minus its shape functions there).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <sinew/physics/elements/element_set.hpp>

namespace sinew::physics {

struct Attachment {
  std::vector<int> vertices;    ///< two to five, or eleven with a tet of ten
  std::vector<double> weights;  ///< one each; they add up to zero
  double stiffness = 0.0;       ///< k [N/m]
};

/// One set per number of vertices. `parts`: boundaries of the vertex order, from la::banded_parts
/// over all elements.
std::vector<std::unique_ptr<ElementSet>> make_attachments(std::span<const Attachment> attachments,
                                                          std::span<const int> parts);

}  // namespace sinew::physics
