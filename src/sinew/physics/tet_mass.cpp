// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include <sinew/physics/tet_mass.hpp>

namespace sinew::physics {

TetMass::TetMass(Vec lumped, std::vector<Entry> consistent) : lumped_(std::move(lumped)) {
  // stable: entries of one place are added in the order of the tets, wherever this runs
  std::stable_sort(consistent.begin(), consistent.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  });
  for (const Entry& entry : consistent) {
    const bool is_new = consistent_.empty() || consistent_.back().row != entry.row ||
                        consistent_.back().column != entry.column;
    if (is_new)
      consistent_.push_back(entry);
    else
      consistent_.back().mass += entry.mass;
  }
}

void TetMass::add_product(double factor, const PaddedField& x, PaddedField& y) const {
  for (int vertex = 0; vertex < x.num_vertices(); ++vertex)
    y.vector(vertex) += factor * lumped_[vertex] * x.vector(vertex);
  for (const auto& [row, column, mass] : consistent_) {
    y.vector(row) += factor * mass * x.vector(column);
    if (row != column) y.vector(column) += factor * mass * x.vector(row);
  }
}

std::vector<std::array<int, 2>> TetMass::pairs() const {
  std::vector<std::array<int, 2>> pairs;
  for (const Entry& entry : consistent_)
    if (entry.row != entry.column) pairs.push_back({entry.row, entry.column});
  return pairs;
}

Vec TetMass::row_sums() const {
  Vec sums = lumped_;
  for (const auto& [row, column, mass] : consistent_) {
    sums[row] += mass;
    if (row != column) sums[column] += mass;
  }
  return sums;
}

}  // namespace sinew::physics
