// SPDX-License-Identifier: Apache-2.0
// Which pairs of features are near each other. Pairs are looked for around the ways that vertices
// may go, with some room to spare, and the list is used for as long as they stay within that room.
// Which list it is changes no result: pairs come in the order of their vertices, and those beyond
// the reach do nothing.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/geometry/box_tree.hpp>
#include <sinew/physics/contact/obstacle_distance.hpp>

namespace sinew::physics {

/// How obstacles are met.
enum class Obstacles {
  by_features,  ///< as bodies are: any two features that are near, from whatever side
  by_sides,     ///< by every vertex of a body, with its nearest feature; inside gaps are negative
};

class ContactSearch {
 public:
  /// `reach`: gap from which on nothing acts [m]. The surface must outlive the search.
  ContactSearch(const ContactSurface& surface, double reach, Obstacles obstacles);

  /// Over the features of one part.
  struct PartTrees {
    geometry::BoxTree points, lone, edges, bars, triangles;
  };

  /// What a search leaves for the next one.
  struct Memory {
    /// Pairs of a part with itself. They stay as long as it keeps its shape: what flies does not
    /// come nearer to itself.
    struct Own {
      bool is_known = false;
      Vec3 mean = Vec3::Zero();  ///< of its points, when they were found
      PartTrees trees;
      std::vector<ContactPair> pairs;
    };

    std::vector<ContactPair> pairs, others;  ///< all, and those of two parts
    std::vector<geometry::Box> room;      ///< per vertex of the system: where it may be for others
    std::vector<geometry::Box> own_room;  ///< the same for its own part, less the move of its mean
    std::vector<PartTrees> trees;
    std::vector<Own> own;
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
  /// those of planes, which are few and never far away.
  void find_near(const PaddedField& from, const PaddedField& to, const core::Executor& executor,
                 Memory& memory) const;
  void find_others(const PaddedField& from, const PaddedField& to, const core::Executor& executor,
                   Memory& memory) const;
  /// Returns whether there was something to do.
  bool find_own(int part, const PaddedField& from, const PaddedField& to,
                const core::Executor& executor, Memory& memory) const;
  bool has_room(const PaddedField& x, const Memory& memory) const;
  bool has_own_room(int part, const PaddedField& x, const Memory& memory) const;
  geometry::Box room_on(const Vec3& from, const Vec3& to) const;
  void refit(int part, const std::vector<geometry::Box>& room, PartTrees& trees) const;
  int num_parts() const { return static_cast<int>(surface_.parts().size()); }
  const ContactFeatures& features_of(int part) const {
    return surface_.parts()[static_cast<std::size_t>(part)].is_obstacle ? surface_.obstacles()
                                                                        : surface_.bodies();
  }
  /// Of the points of a body.
  Vec3 mean_of_part(int part, const PaddedField& x) const;
  /// Those of two parts, or of one with itself.
  void add_pairs(int part_a, const PartTrees& of_a, int part_b, const PartTrees& of_b,
                 const core::Executor& executor, std::vector<ContactPair>& pairs) const;
  template <std::size_t N, std::size_t M>
  void add_pairs(geometry::Feature feature, const ContactFeatures::Of<N>& a,
                 const geometry::BoxTree& tree_a, int part_a, const ContactFeatures::Of<M>& b,
                 const geometry::BoxTree& tree_b, int part_b, const core::Executor& executor,
                 std::vector<ContactPair>& pairs) const;
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

  const ContactSurface& surface_;
  double reach_;
  std::optional<ObstacleDistance> sides_;
};

}  // namespace sinew::physics
