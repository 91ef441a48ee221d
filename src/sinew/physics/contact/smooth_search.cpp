// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/contact/smooth_search.hpp>

namespace sinew::physics {

SmoothSearch::SmoothSearch(std::shared_ptr<const ContactSurface> surface,
                           const std::vector<std::array<int, 2>>& pairs, double reach)
    : parts_(std::move(surface)), vertices_(parts_->parts().size()), reach_(reach) {
  for (const ContactFeatures* features : {&parts_->bodies(), &parts_->obstacles()})
    for (std::size_t k = 0; k < features->points.size(); ++k)
      vertices_[static_cast<std::size_t>(features->points.parts[k])].push_back(
          features->points.vertices[k][0]);
  const int num_parts = static_cast<int>(parts_->parts().size());
  for (int part = 0; part < num_parts; ++part) {
    if (!parts_->parts()[static_cast<std::size_t>(part)].is_closed) continue;
    std::vector<int> others;
    for (const auto& [a, b] : pairs)
      if (a == part || b == part) others.push_back(a == part ? b : a);
    if (!others.empty())
      fields_.push_back({part, SmoothSurface(*parts_, part, reach_), std::move(others)});
  }
}

const std::vector<SmoothContact>& SmoothSearch::contacts(const PaddedField& x,
                                                         const core::Executor& executor,
                                                         Memory& memory) const {
  if (memory.contacts_at == x) return memory.contacts;
  memory.contacts.clear();
  memory.trees.resize(fields_.size());
  for (std::size_t k = 0; k < fields_.size(); ++k)
    find(fields_[k], memory.trees[k], x, executor, memory.contacts);
  memory.contacts_at = x;
  return memory.contacts;
}

void SmoothSearch::find(const Field& field, geometry::BoxTree& tree, const PaddedField& x,
                        const core::Executor& executor,
                        std::vector<SmoothContact>& contacts) const {
  const std::vector<geometry::Box> boxes = field.surface.boxes(x);
  geometry::Box bounds;
  for (const geometry::Box& box : boxes) bounds.extend(box);
  struct Candidate {
    int part, vertex;
  };
  const bool is_obstacle = parts_->parts()[static_cast<std::size_t>(field.part)].is_obstacle;
  std::vector<Candidate> candidates;
  for (const int part : field.others)
    for (const int vertex : vertices_[static_cast<std::size_t>(part)])
      if (bounds.squared_distance(x.vector(vertex)) == 0.0 &&
          (!is_obstacle || numbering().is_free(vertex)))
        candidates.push_back({part, vertex});
  if (candidates.empty()) return;
  if (tree.size() == 0)
    tree = geometry::BoxTree(boxes, executor);
  else
    tree.refit(boxes, executor);

  constexpr Index candidates_per_piece = 128;
  std::vector<std::vector<SmoothContact>> found(candidates.size() / candidates_per_piece + 1);
  executor.for_ranges(std::ssize(candidates), candidates_per_piece, [&](Index begin, Index end) {
    std::vector<int> near;
    for (Index k = begin; k < end; ++k) {
      const auto [part, vertex] = candidates[static_cast<std::size_t>(k)];
      near.clear();
      const Vec3 place = x.vector(vertex);
      tree.query({place, place}, [&](int triangle) { near.push_back(triangle); });
      std::sort(near.begin(), near.end());
      const double thickness = parts_->radius(part) + parts_->radius(field.part);
      if (near.empty() || !(field.surface.value(vertex, near, x) - thickness < reach_)) continue;
      SmoothContact contact{.surface = &field.surface,
                            .parts = {part, field.part},
                            .point = field.surface.at(vertex, near, x)};
      contact.gap = contact.point.value - thickness;
      found[static_cast<std::size_t>(begin / candidates_per_piece)].push_back(std::move(contact));
    }
  });
  for (std::vector<SmoothContact>& piece : found)
    std::move(piece.begin(), piece.end(), std::back_inserter(contacts));
}

}  // namespace sinew::physics
