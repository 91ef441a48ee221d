// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <sinew/physics/contact/clustered_part.hpp>

namespace sinew::physics {
namespace {

// More make for fewer pairs of clusters and more pairs of features in each.
constexpr std::ptrdiff_t most_cells = 16;

/// Numbers clusters of [first, last), halved at the median along the longest side.
void cluster(std::span<int> cells, std::span<const Vec3> centres, std::vector<int>& cluster_of,
             int& count) {
  if (std::ssize(cells) <= most_cells) {
    for (const int cell : cells) cluster_of[static_cast<std::size_t>(cell)] = count;
    ++count;
    return;
  }
  const auto centre = [&](int cell) -> const Vec3& {
    return centres[static_cast<std::size_t>(cell)];
  };
  Vec3 low = centre(cells[0]), high = low;
  for (const int cell : cells) {
    low = low.cwiseMin(centre(cell));
    high = high.cwiseMax(centre(cell));
  }
  Index axis = 0;
  (high - low).maxCoeff(&axis);
  const auto half = std::ssize(cells) / 2;
  std::nth_element(cells.begin(), cells.begin() + half, cells.end(), [&](int a, int b) {
    return std::pair(centre(a)[axis], a) < std::pair(centre(b)[axis], b);
  });
  cluster(cells.first(static_cast<std::size_t>(half)), centres, cluster_of, count);
  cluster(cells.subspan(static_cast<std::size_t>(half)), centres, cluster_of, count);
}

std::array<int, 2> sorted(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

int ClusteredPart::own(int vertex) const {
  return static_cast<int>(std::lower_bound(vertices_.begin(), vertices_.end(), vertex) -
                          vertices_.begin());
}

PaddedField ClusteredPart::of_part(const PaddedField& x) const {
  PaddedField own(static_cast<int>(vertices_.size()));
  for (int k = 0; k < own.num_vertices(); ++k) own.padded(k) = x.padded(vertex(k));
  return own;
}

template <std::size_t N>
void ClusteredPart::fill(const ContactFeatures::Of<N>& features, int part,
                         const std::vector<int>& cluster_of_feature, List<N>& list) {
  list.begins_.assign(static_cast<std::size_t>(num_clusters_) + 1, 0);
  for (const int cluster : cluster_of_feature)
    ++list.begins_[static_cast<std::size_t>(cluster) + 1];
  std::partial_sum(list.begins_.begin(), list.begins_.end(), list.begins_.begin());
  list.features_.resize(cluster_of_feature.size());
  std::vector<int> next = list.begins_;
  const auto [first, last] = range_of(features, part);
  for (std::size_t k = first; k < last; ++k) {
    std::array<int, N> feature = features.vertices[k];
    for (int& vertex : feature) vertex = own(vertex);
    int& slot = next[static_cast<std::size_t>(cluster_of_feature[k - first])];
    list.features_[static_cast<std::size_t>(slot++)] = feature;
  }
}

ClusteredPart::ClusteredPart(const ContactSurface& surface, int part) {
  const ContactFeatures& features = surface.features_of(part);
  // cells: triangles, bars and lone points
  std::vector<Vec3> centres;
  const auto add_cells = [&](const auto& list) {
    const auto [first, last] = range_of(list, part);
    for (std::size_t k = first; k < last; ++k) {
      Vec3 sum = Vec3::Zero();
      for (const int vertex : list.vertices[k]) {
        sum += surface.numbering().rest(vertex);
        vertices_.push_back(vertex);
      }
      centres.push_back(sum / static_cast<double>(list.vertices[k].size()));
    }
    return last - first;
  };
  const std::size_t num_triangles = add_cells(features.triangles);
  const std::size_t num_bars = add_cells(features.bars);
  add_cells(features.lone);
  std::sort(vertices_.begin(), vertices_.end());
  vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());

  std::vector<int> cells(centres.size()), cluster_of(centres.size());
  std::iota(cells.begin(), cells.end(), 0);
  if (!cells.empty()) cluster(cells, centres, cluster_of, num_clusters_);
  const std::span of_triangles = std::span(cluster_of).first(num_triangles);
  const std::span of_bars = std::span(cluster_of).subspan(num_triangles, num_bars);
  const std::span of_lone = std::span(cluster_of).subspan(num_triangles + num_bars);
  fill(features.triangles, part, {of_triangles.begin(), of_triangles.end()}, triangles_);
  fill(features.bars, part, {of_bars.begin(), of_bars.end()}, bars_);
  fill(features.lone, part, {of_lone.begin(), of_lone.end()}, lone_);

  // points and edges go with the first of their cells
  std::vector<int> of_vertex(vertices_.size(), -1);
  std::vector<std::pair<std::array<int, 2>, int>> of_edge;
  std::vector<std::array<int, 2>> memberships;
  for (int c = 0; c < num_clusters_; ++c) {
    const auto take = [&](const auto& cell) {
      for (const int vertex : cell) {
        int& owner = of_vertex[static_cast<std::size_t>(vertex)];
        if (owner < 0) owner = c;
        memberships.push_back({c, vertex});
      }
    };
    for (const auto& [p, q, r] : triangles_.of(c)) {
      take(std::array{p, q, r});
      for (const auto& edge : {sorted(p, q), sorted(q, r), sorted(r, p)})
        of_edge.emplace_back(edge, c);
    }
    for (const auto& bar : bars_.of(c)) {
      take(bar);
      of_edge.emplace_back(sorted(bar[0], bar[1]), c);
    }
    for (const auto& point : lone_.of(c)) take(point);
  }
  std::sort(of_edge.begin(), of_edge.end());
  std::vector<int> of_points, of_edges;
  const auto [first_point, last_point] = range_of(features.points, part);
  for (std::size_t k = first_point; k < last_point; ++k)
    of_points.push_back(of_vertex[static_cast<std::size_t>(own(features.points.vertices[k][0]))]);
  fill(features.points, part, of_points, points_);
  const auto [first_edge, last_edge] = range_of(features.edges, part);
  for (std::size_t k = first_edge; k < last_edge; ++k) {
    const auto& [p, q] = features.edges.vertices[k];
    const std::pair key(sorted(own(p), own(q)), 0);
    of_edges.push_back(std::lower_bound(of_edge.begin(), of_edge.end(), key)->second);
  }
  fill(features.edges, part, of_edges, edges_);

  std::sort(memberships.begin(), memberships.end());
  memberships.erase(std::unique(memberships.begin(), memberships.end()), memberships.end());
  members_.begins_.assign(static_cast<std::size_t>(num_clusters_) + 1, 0);
  for (const auto& [c, vertex] : memberships) {
    ++members_.begins_[static_cast<std::size_t>(c) + 1];
    members_.features_.push_back({vertex});
  }
  std::partial_sum(members_.begins_.begin(), members_.begins_.end(), members_.begins_.begin());
}

}  // namespace sinew::physics
