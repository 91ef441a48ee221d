// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/physics/elements/spring_set.hpp>

namespace sinew::physics {
SpringElement make_spring_element(std::array<int, 2> vertices, const std::array<Vec3, 2>& rest,
                                  double stiffness, double rest_length) {
  SpringElement element;
  const bool ascending = vertices[0] < vertices[1];
  element.vertices = {std::min(vertices[0], vertices[1]), std::max(vertices[0], vertices[1])};
  element.rest_direction = ((ascending ? 1.0 : -1.0) * (rest[1] - rest[0])).normalized();
  element.stiffness = stiffness;
  element.rest_length = rest_length;
  return element;
}

void add_spring_gradient(const SpringElement& spring, const Vec3& between_ends,
                         std::span<Mat3> sums) {
  const Mat3 sum = between_ends / spring.rest_length * spring.rest_direction.transpose();
  for (const int vertex : spring.vertices) sums[static_cast<std::size_t>(vertex)] += sum;
}

void SpringLoops::find_kinds() {
  const auto is_same = [](const SpringElement& a, const SpringElement& b) {
    return a.stiffness == b.stiffness && a.constants == b.constants && a.yield == b.yield &&
           a.hardening == b.hardening && a.weight == b.weight && a.section == b.section;
  };
  for (const SpringElement& spring : all()) {
    std::size_t kind = 0;
    while (kind < kinds_.size() && !is_same(kinds_[kind], spring)) ++kind;
    if (kind == kinds_.size()) kinds_.push_back(spring);
    if (kinds_.size() > most_kinds) {
      kinds_.clear();
      slim_ = {};
      return;
    }
    slim_.push_back({spring.vertices, spring.rest_length, static_cast<std::uint32_t>(kind)});
  }
}

std::vector<std::array<int, 2>> SpringLoops::pairs() const {
  std::vector<std::array<int, 2>> pairs;
  pairs.reserve(3 * size());
  for (const SpringElement& spring : all()) {
    const auto [a, b] = spring.vertices;
    pairs.push_back({a, a});
    pairs.push_back({a, b});
    pairs.push_back({b, b});
  }
  return pairs;
}

double SpringLoops::largest_strain(const PaddedField& x, const core::Executor& executor,
                                   std::vector<double>& partial) const {
  partial.assign(static_cast<std::size_t>(num_sets()), 0.0);
  for_each_vector(executor, x,
                  [&](const SpringElement& spring, std::size_t, int set, const SpringVector& e) {
                    double& most = partial[static_cast<std::size_t>(set)];
                    most = std::max(most, std::abs(e.norm() / spring.rest_length - 1.0));
                  });
  return partial.empty() ? 0.0 : *std::max_element(partial.begin(), partial.end());
}

std::span<const CellQuantity> SpringLoops::quantities() {
  using enum CellQuantity;
  static constexpr std::array known{von_mises, det_f, strain, tension};
  return known;
}

void SpringLoops::show(const SpringElement& spring, double value, VecOut values) {
  // a triangle shows the spring of its edges that is furthest from rest
  for (const int cell : spring.cells)
    if (cell >= 0 && std::abs(value) > std::abs(values[cell])) values[cell] = value;
}

}  // namespace sinew::physics
