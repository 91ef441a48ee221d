// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/prescribed_vertices.hpp>

namespace sinew::physics {

PrescribedVertices::PrescribedVertices(std::span<const int> fixed,
                                       std::span<const MovedVertices> moved,
                                       const Numbering& numbering) {
  std::vector<Leader> leaders(static_cast<std::size_t>(numbering.num_vertices()));
  for (const int vertex : fixed) leaders[static_cast<std::size_t>(numbering.internal(vertex))] = {};
  for (const MovedVertices& group : moved) {
    move_ = move_ || group.motion->depends_on_time();
    for (std::size_t k = 0; k < group.vertices.size(); ++k)
      leaders[static_cast<std::size_t>(numbering.internal(group.vertices[k]))] = {group.motion, k};
  }
  for (int vertex = 0; vertex < numbering.num_vertices(); ++vertex) {
    if (numbering.is_free(vertex)) continue;
    vertices_.push_back(vertex);
    rest_.push_back(numbering.rest(vertex));
    leaders_.push_back(std::move(leaders[static_cast<std::size_t>(vertex)]));
  }
  make_groups();
}

PrescribedVertices::PrescribedVertices(std::shared_ptr<const VertexMotion> motion,
                                       const Numbering& numbering)
    : move_(motion->depends_on_time()) {
  for (int vertex = 0; vertex < numbering.num_vertices(); ++vertex) {
    if (numbering.is_free(vertex)) continue;
    vertices_.push_back(vertex);
    rest_.push_back(numbering.rest(vertex));
    leaders_.push_back({motion, static_cast<std::size_t>(vertex)});
  }
  make_groups();
}

void PrescribedVertices::make_groups() {
  for (std::size_t p = 0; p < size(); ++p) {
    const VertexMotion* motion = leaders_[p].motion.get();
    if (!motion) continue;
    const auto has_motion = [&](const Group& group) { return group.motion == motion; };
    auto group = std::find_if(groups_.begin(), groups_.end(), has_motion);
    if (group == groups_.end()) group = groups_.insert(group, Group{.motion = motion});
    group->places.push_back(p);
    group->indices.push_back(leaders_[p].index);
    group->rest.push_back(rest_[p]);
  }
}

PrescribedVertices::Motion PrescribedVertices::make_motion() const {
  Motion motion;
  for (auto* part : {&motion.v, &motion.a}) part->assign(size(), Vec3::Zero());
  motion.x = rest_;  // of those that are held
  return motion;
}

void PrescribedVertices::evaluate(double t, bool with_accelerations, Motion& motion) const {
  if (motion.time == t) return;
  for (const Group& group : groups_) {
    const std::size_t count = group.places.size();
    for (auto* part : {&motion.group_x, &motion.group_v, &motion.group_a}) part->resize(count);
    if (!with_accelerations) motion.group_a.clear();
    group.motion->evaluate({.indices = group.indices,
                            .rest = group.rest,
                            .x = motion.group_x,
                            .v = motion.group_v,
                            .a = motion.group_a},
                           t);
    for (std::size_t k = 0; k < count; ++k) {
      motion.x[group.places[k]] = motion.group_x[k];
      motion.v[group.places[k]] = motion.group_v[k];
      if (with_accelerations) motion.a[group.places[k]] = motion.group_a[k];
    }
  }
  motion.time = t;
}

Vec3 PrescribedVertices::position(std::size_t index, double t) const {
  const auto& [motion, place] = leaders_[index];
  return motion ? motion->position(place, rest_[index], t) : rest_[index];
}

Vec3 PrescribedVertices::velocity(std::size_t index, double t) const {
  const auto& [motion, place] = leaders_[index];
  return motion ? motion->velocity(place, rest_[index], t) : Vec3(Vec3::Zero());
}

std::size_t PrescribedVertices::index_of(int vertex) const {
  return static_cast<std::size_t>(std::lower_bound(vertices_.begin(), vertices_.end(), vertex) -
                                  vertices_.begin());
}

}  // namespace sinew::physics
