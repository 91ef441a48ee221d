// SPDX-License-Identifier: Apache-2.0
// The features of one part in clusters of near ones. Points and edges belong to the cluster of one
// of their triangles, so every feature is in one cluster.
#pragma once

#include <span>

#include <sinew/physics/contact/contact_surface.hpp>
#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

class ClusteredPart {
 public:
  ClusteredPart(const ContactSurface& surface, int part);

  /// Features of one kind, cluster after cluster. Vertices are numbered within the part.
  template <std::size_t N>
  class List {
   public:
    std::span<const std::array<int, N>> of(int cluster) const {
      return std::span(features_).subspan(begin(cluster), begin(cluster + 1) - begin(cluster));
    }
    bool empty() const { return features_.empty(); }

   private:
    friend class ClusteredPart;
    std::size_t begin(int cluster) const {
      return static_cast<std::size_t>(begins_[static_cast<std::size_t>(cluster)]);
    }
    std::vector<std::array<int, N>> features_;
    std::vector<int> begins_;
  };

  int num_clusters() const { return num_clusters_; }
  /// Of the system, for the numbers within the part.
  const std::vector<int>& vertices() const { return vertices_; }
  int vertex(int own) const { return vertices_[static_cast<std::size_t>(own)]; }
  /// Of a field over the system, what its vertices have, by their own numbers.
  PaddedField of_part(const PaddedField& x) const;

  const List<1>& points() const { return points_; }
  const List<1>& lone() const { return lone_; }
  const List<2>& edges() const { return edges_; }
  const List<2>& bars() const { return bars_; }
  const List<3>& triangles() const { return triangles_; }
  /// Every vertex of its features.
  const List<1>& members() const { return members_; }

 private:
  template <std::size_t N>
  void fill(const ContactFeatures::Of<N>& features, int part,
            const std::vector<int>& cluster_of_feature, List<N>& list);
  int own(int vertex) const;

  int num_clusters_ = 0;
  std::vector<int> vertices_;
  List<1> points_, lone_, members_;
  List<2> edges_, bars_;
  List<3> triangles_;
};

}  // namespace sinew::physics
