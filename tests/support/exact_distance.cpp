// SPDX-License-Identifier: Apache-2.0
#include "support/exact_distance.hpp"

#include <algorithm>

#include "support/exact_vector.hpp"

namespace sinew::test {
namespace {

using geometry::Corners;
using geometry::Feature;

Rational square_to_edge(const ExactVec3& p, const ExactVec3& a, const ExactVec3& b) {
  const ExactVec3 edge = b - a, from = p - a;
  const Rational square = dot(edge, edge), along = dot(from, edge);
  if (square == 0 || along <= 0) return dot(from, from);
  if (along >= square) return dot(p - b, p - b);
  return dot(from, from) - along * along / square;
}

Rational square_to_plane(const ExactVec3& r, const ExactVec3& normal) {
  const Rational square = dot(normal, normal), height = dot(r, normal);
  return square == 0 ? Rational(0) : Rational(height * height / square);
}

Rational square_to_triangle(const std::array<ExactVec3, 4>& x) {
  const ExactVec3 normal = cross(x[2] - x[1], x[3] - x[1]);
  const auto is_beside = [&](int u, int v) {
    return dot(cross(x[u] - x[0], x[v] - x[0]), normal) >= 0;
  };
  if (dot(normal, normal) > 0 && is_beside(1, 2) && is_beside(2, 3) && is_beside(3, 1))
    return square_to_plane(x[0] - x[1], normal);
  return std::min({square_to_edge(x[0], x[1], x[2]), square_to_edge(x[0], x[2], x[3]),
                   square_to_edge(x[0], x[3], x[1])});
}

Rational square_of_edges(const std::array<ExactVec3, 4>& x) {
  const ExactVec3 e = x[1] - x[0], f = x[3] - x[2], r = x[2] - x[0], normal = cross(e, f);
  const Rational square = dot(normal, normal);
  const auto is_between = [&](const Rational& place) { return place >= 0 && place <= square; };
  if (square > 0 && is_between(dot(cross(r, f), normal)) && is_between(dot(cross(r, e), normal)))
    return square_to_plane(r, normal);
  return std::min({square_to_edge(x[0], x[2], x[3]), square_to_edge(x[1], x[2], x[3]),
                   square_to_edge(x[2], x[0], x[1]), square_to_edge(x[3], x[0], x[1])});
}

int num_corners(Feature kind) {
  return kind == Feature::point_point ? 2 : kind == Feature::point_edge ? 3 : 4;
}

Rational exact_square(Feature kind, const std::array<ExactVec3, 4>& x) {
  switch (kind) {
    case Feature::point_point:
      return dot(x[0] - x[1], x[0] - x[1]);
    case Feature::point_edge:
      return square_to_edge(x[0], x[1], x[2]);
    case Feature::point_triangle:
      return square_to_triangle(x);
    case Feature::edge_edge:
      return square_of_edges(x);
    default:
      return square_to_plane(x[0] - x[1], cross(x[2] - x[1], x[3] - x[1]));
  }
}

}  // namespace

double exact_distance(Feature kind, const Corners& x) {
  std::array<ExactVec3, 4> corners;
  for (int i = 0; i < num_corners(kind); ++i) corners[i] = exactly(x.col(i));
  const mpf_class square(exact_square(kind, corners), 256);
  return mpf_class(sqrt(square)).get_d();
}

}  // namespace sinew::test
