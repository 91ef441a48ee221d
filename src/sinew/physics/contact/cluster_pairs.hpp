// SPDX-License-Identifier: Apache-2.0
// From boxes in which vertices may be to pairs of features that may be near: a tree over clusters,
// and feature by feature where clusters are near each other.
#pragma once

#include <vector>

#include <sinew/geometry/box_tree.hpp>
#include <sinew/physics/contact/clustered_part.hpp>
#include <sinew/physics/contact/contact_pair.hpp>

namespace sinew::physics {

/// The clusters of a part and where its vertices may be, by their numbers in the part.
struct PartRoom {
  int part = 0;
  const ClusteredPart& clusters;
  const std::vector<geometry::Box>& room;
  double margin = 0.0;  ///< around features [m]
};

/// Over clusters; the first time it builds the tree.
void fit_tree(const PartRoom& at, geometry::BoxTree& tree);

/// Adds the pairs of features of these pairs of clusters whose boxes overlap, as far as something
/// in them is free. Of one part with itself, every pair comes once if clusters do.
void add_feature_pairs(const ContactSurface& surface, const PartRoom& a, const PartRoom& b,
                       std::span<const geometry::IndexPair> clusters,
                       const core::Executor& executor, std::vector<ContactPair>& pairs);

}  // namespace sinew::physics
