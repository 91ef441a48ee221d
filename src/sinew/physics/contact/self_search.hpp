// SPDX-License-Identifier: Apache-2.0
// Pairs of features of one part that are near each other. They stay the same as long as the part
// keeps its shape: what flies does not come nearer to itself. Where it is not folded there are none
// (local_shapes.hpp).
#pragma once

#include <sinew/physics/contact/cluster_pairs.hpp>
#include <sinew/physics/contact/local_shapes.hpp>

namespace sinew::physics {

class SelfSearch {
 public:
  /// Surface and clusters must outlive it. `reach`: gap from which on nothing acts, `room`: how far
  /// vertices may go beyond the ways that were searched [m].
  SelfSearch(const ContactSurface& surface, int part, const ClusteredPart& clusters, double reach,
             double room)
      : surface_(surface),
        part_(part),
        clusters_(clusters),
        shapes_(surface, part, clusters),
        reach_(reach),
        room_(room) {}

  /// What a search leaves for the next one.
  struct Memory {
    PaddedField from, to;  ///< where vertices of the part were, relative to their mean [m]
    std::vector<LocalShapes::Fit> fits_from, fits_to;
    geometry::BoxTree tree;
    std::vector<ContactPair> pairs;
  };

  /// Finds all pairs in which forces act, or which touch, somewhere on these ways, and others.
  /// Returns whether what is in memory would not do.
  bool find(const PaddedField& from, const PaddedField& to, const core::Executor& executor,
            Memory& memory) const;

 private:
  PaddedField shape_at(const PaddedField& x) const;
  /// Whether it is about as it was at one of the ends of the ways that were searched.
  bool is_known(const PaddedField& shape, const Memory& memory) const;

  const ContactSurface& surface_;
  int part_;
  const ClusteredPart& clusters_;
  LocalShapes shapes_;
  double reach_, room_;
};

}  // namespace sinew::physics
