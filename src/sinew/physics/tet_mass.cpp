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

void TetMass::add_to(double factor, const std::vector<int>& block_of_vertex,
                     la::SymmetricMatrix& K) const {
  const auto add = [&](int v, int w, double value) {
    const int row = std::min(block_of_vertex[v], block_of_vertex[w]);
    const int col = std::max(block_of_vertex[v], block_of_vertex[w]);
    if (row < 0) return;
    double* block = K.block(K.pattern().slot(row, col));
    for (int i = 0; i < 3; ++i) block[4 * i] += value;
  };
  for (int vertex = 0; vertex < static_cast<int>(lumped_.size()); ++vertex)
    add(vertex, vertex, factor * lumped_[vertex]);
  for (const Element& element : consistent_)
    for (int i = 0; i < 4; ++i)
      for (int j = i; j < 4; ++j)
        add(element.vertices[i], element.vertices[j],
            factor * element.mass / 20.0 * (i == j ? 2.0 : 1.0));
}

Vec TetMass::row_sums() const {
  Vec sums = lumped_;
  for (const Element& element : consistent_)
    for (const int vertex : element.vertices) sums[vertex] += element.mass / 4.0;
  return sums;
}

}  // namespace sinew::physics
