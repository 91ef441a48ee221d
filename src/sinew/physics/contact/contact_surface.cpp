// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <sinew/physics/contact/contact_surface.hpp>

namespace sinew::physics {

bool ContactRules::meet(const std::vector<ContactPart>& parts, int a, int b) const {
  const bool is_obstacle_a = parts[static_cast<std::size_t>(a)].is_obstacle,
             is_obstacle_b = parts[static_cast<std::size_t>(b)].is_obstacle;
  if (is_obstacle_a && is_obstacle_b) return false;
  const auto is_pair = [&](const std::array<int, 2>& pair) {
    return (pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a);
  };
  if (std::any_of(exceptions.begin(), exceptions.end(), is_pair)) return false;
  if (is_obstacle_a || is_obstacle_b) return true;
  return a == b ? within_bodies : between_bodies;
}

ContactSurface::ContactSurface(std::vector<ContactPart> parts, ContactRules rules,
                               const Numbering& numbering)
    : parts_(std::move(parts)),
      numbering_(numbering),
      part_of_vertex_(static_cast<std::size_t>(numbering.num_vertices()), -1) {
  const int count = static_cast<int>(parts_.size());
  for (int a = 0; a < count; ++a) {
    add(parts_[static_cast<std::size_t>(a)], a);
    for (int b = 0; b < count; ++b) {
      const bool is_met = rules.meet(parts_, a, b);
      meet_.push_back(is_met ? 1 : 0);
      const bool are_bodies = !parts_[static_cast<std::size_t>(a)].is_obstacle &&
                              !parts_[static_cast<std::size_t>(b)].is_obstacle;
      bodies_meet_ = bodies_meet_ || (is_met && are_bodies);
    }
  }
  std::sort(vertices_.begin(), vertices_.end());
}

void ContactSurface::add(const ContactPart& part, int index) {
  ContactFeatures& features = part.is_obstacle ? obstacles_ : bodies_;
  const auto inside = [&](auto vertices) {
    for (int& vertex : vertices) vertex = numbering_.internal(vertex);
    return vertices;
  };
  const auto add_point = [&](int vertex) {
    int& owner = part_of_vertex_[static_cast<std::size_t>(vertex)];
    if (owner >= 0) return;  // of this part, or of another that is joined to it
    owner = index;
    features.points.add({vertex}, index);
    if (!part.is_obstacle) vertices_.push_back(vertex);
  };
  std::set<std::array<int, 2>> edges;
  for (const auto& user : part.triangles) {
    const std::array<int, 3> triangle = inside(user);
    features.triangles.add(triangle, index);
    for (std::size_t k = 0; k < 3; ++k) {
      add_point(triangle[k]);
      const int a = triangle[k], b = triangle[(k + 1) % 3];
      edges.insert({std::min(a, b), std::max(a, b)});
    }
  }
  for (const auto& edge : edges) features.edges.add(edge, index);
  for (const auto& user : part.bars) {
    std::array<int, 2> bar = inside(user);
    if (bar[0] > bar[1]) std::swap(bar[0], bar[1]);
    if (!edges.insert(bar).second) continue;
    features.edges.add(bar, index);
    features.bars.add(bar, index);
    for (const int vertex : bar) add_point(vertex);
  }
  for (const int user : part.points) {
    const int vertex = numbering_.internal(user);
    add_point(vertex);
    features.lone.add({vertex}, index);
  }
  for (const auto& plane : part.planes) features.planes.add(inside(plane), index);
}

}  // namespace sinew::physics
