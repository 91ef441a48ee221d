// SPDX-License-Identifier: Apache-2.0
// Which pairs of features are near each other. Pairs are looked for around the ways that vertices
// may go, with some room to spare, and the list is used for as long as they stay within that room.
// Which list it is changes no result: pairs come in the order of their vertices, and those beyond
// the reach do nothing.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/geometry/box_tree.hpp>
#include <sinew/physics/contact/obstacle_distance.hpp>
#include <sinew/physics/contact/self_search.hpp>

namespace sinew::physics {

/// How obstacles are met.
enum class Obstacles {
  by_features,  ///< as bodies are: any two features that are near, from whatever side
  by_sides,     ///< by every vertex of a body, with its nearest feature; inside gaps are negative
};

class ContactSearch {
 public:
  /// `reach`: gap from which on nothing acts [m].
  ContactSearch(std::shared_ptr<const ContactSurface> surface, double reach, Obstacles obstacles);
  ContactSearch(const ContactSearch&) = delete;
  ContactSearch& operator=(const ContactSearch&) = delete;

  /// What a search leaves for the next one.
  struct Memory {
    /// For pairs of a part with others.
    struct Outside {
      std::vector<geometry::Box> room;  ///< per vertex of the part: where it may be
      geometry::BoxTree tree;
    };

    std::vector<ContactPair> pairs, others;  ///< all, and those of two parts
    std::vector<std::array<int, 2>> near;    ///< the parts of those, ascending
    std::vector<SelfSearch::Memory> own;
    std::vector<Outside> outside;
    std::vector<Contact> contacts;
    PaddedField contacts_at;  ///< where everything was then
    ObstacleDistance::Memory sides;
  };

  /// Pairs whose gap is below the reach, in the order of their vertices.
  const std::vector<Contact>& contacts(const PaddedField& x, const core::Executor& executor,
                                       Memory& memory) const;
  /// Part of the straight ways on which no pair touches, in [0, 1].
  double free_part(const PaddedField& from, const PaddedField& to, const core::Executor& executor,
                   Memory& memory) const;
  /// Gap at which the forces of a pair begin: the reach, but no more than half of what the two have
  /// at rest if they belong to one body. Not positive: they never meet.
  double distance(const ContactPair& pair) const;

  const ContactSurface& surface() const { return surface_; }
  double reach() const { return reach_; }

 private:
  /// Fills the list with pairs whose gap falls below the reach on these ways, and others; not with
  /// those of planes, which are few.
  void find_near(const PaddedField& from, const PaddedField& to, const core::Executor& executor,
                 Memory& memory) const;
  /// Returns whether there was something to do.
  bool find_others(const PaddedField& from, const PaddedField& to, const core::Executor& executor,
                   Memory& memory) const;
  bool has_room(int part, const PaddedField& x, const Memory& memory) const;
  /// Pairs of parts that may come near each other, ascending; ways with this room around them.
  std::vector<std::array<int, 2>> near_parts(const PaddedField& from, const PaddedField& to,
                                             double room) const;
  int num_parts() const { return static_cast<int>(surface_.parts().size()); }
  const ClusteredPart& clusters(int part) const {
    return clusters_[static_cast<std::size_t>(part)];
  }
  /// Around the ways of all of its vertices.
  geometry::Box bounds(int part, const PaddedField& from, const PaddedField& to) const;
  /// Around features: half of the gaps that matter, and what the part is made of [m].
  double margin(int part) const { return 0.5 * reach_ + surface_.radius(part); }
  PartRoom outside(int part, const Memory& memory) const {
    return {part, clusters(part), memory.outside[static_cast<std::size_t>(part)].room,
            margin(part)};
  }
  /// use(pair, piece) for every point of a body and every plane that meet, in pieces on all
  /// threads, but for those of which is_away(plane, vertex, its radius) is certain.
  template <class IsAway, class Use>
  void for_each_plane(const core::Executor& executor, const IsAway& is_away, const Use& use) const;
  std::size_t num_plane_pieces() const;
  void add_plane_contacts(const PaddedField& x, const core::Executor& executor,
                          std::vector<Contact>& contacts) const;
  using PairPart = std::function<double(const ContactPair&)>;
  double free_part_of_planes(const PaddedField& from, const PaddedField& to,
                             const core::Executor& executor, const PairPart& free_part_of) const;
  /// Whether a pair is in contact, and how.
  bool is_contact(const ContactPair& pair, const PaddedField& x, Contact& contact) const;

  std::shared_ptr<const ContactSurface> held_;
  const ContactSurface& surface_;
  double reach_;
  std::optional<ObstacleDistance> sides_;
  std::vector<ClusteredPart> clusters_;          ///< per part
  std::vector<std::optional<SelfSearch>> self_;  ///< of parts that may touch themselves
};

}  // namespace sinew::physics
