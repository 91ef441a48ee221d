// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/tet_mass.hpp>

namespace sinew::physics {

TetMass::TetMass(Vec lumped, std::vector<Element> consistent)
    : lumped_(std::move(lumped)), consistent_(std::move(consistent)) {}

void TetMass::add_product(double factor, const PaddedField& x, PaddedField& y) const {
  for (int vertex = 0; vertex < x.num_vertices(); ++vertex)
    y.vector(vertex) += factor * lumped_[vertex] * x.vector(vertex);
  for (const Element& element : consistent_) {
    Vec3 sum = Vec3::Zero();
    for (const int vertex : element.vertices) sum += x.vector(vertex);
    for (const int vertex : element.vertices)
      y.vector(vertex) += factor * element.mass / 20.0 * (sum + x.vector(vertex));
  }
}

std::vector<std::array<int, 2>> TetMass::pairs() const {
  std::vector<std::array<int, 2>> pairs;
  for (const Element& element : consistent_)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j)
        pairs.push_back({std::min(element.vertices[i], element.vertices[j]),
                         std::max(element.vertices[i], element.vertices[j])});
  return pairs;
}

Vec TetMass::row_sums() const {
  Vec sums = lumped_;
  for (const Element& element : consistent_)
    for (const int vertex : element.vertices) sums[vertex] += element.mass / 4.0;
  return sums;
}

}  // namespace sinew::physics
