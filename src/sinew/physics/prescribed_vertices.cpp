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
}

PrescribedVertices::Motion PrescribedVertices::make_motion() const {
  Motion motion;
  for (auto* part : {&motion.x, &motion.v, &motion.a}) part->assign(size(), Vec3::Zero());
  return motion;
}

void PrescribedVertices::evaluate(double t, bool with_accelerations, Motion& motion) const {
  if (motion.time == t) return;
  for (std::size_t p = 0; p < size(); ++p) {
    motion.x[p] = position(p, t);
    motion.v[p] = velocity(p, t);
    if (const auto& [leader, index] = leaders_[p]; with_accelerations && leader)
      motion.a[p] = leader->acceleration(index, rest_[p], t);
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
