// SPDX-License-Identifier: Apache-2.0
#include "support/exact_intersection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/exact_vector.hpp"

namespace sinew::test {
namespace {

/// Of the volume spanned by d and the triangle a, b, c.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 e = b - a, f = c - a, g = d - a;
  double volume = 0.0, size = 0.0;
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    volume += g[k] * (e[l] * f[m] - e[m] * f[l]);
    size += std::abs(g[k]) * (std::abs(e[l] * f[m]) + std::abs(e[m] * f[l]));
  }
  // three differences, three products and sums of six terms: less than 9 half epsilons
  if (std::abs(volume) > 8.0 * std::numeric_limits<double>::epsilon() * size + 1e-280)
    return volume > 0.0 ? 1 : -1;
  const ExactVec3 origin = exactly(a);
  return sgn(Rational(dot(cross(exactly(b) - origin, exactly(c) - origin), exactly(d) - origin)));
}

bool is_zero_vector(const ExactVec3& v) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

bool is_on_segment(const ExactVec3& p, const ExactVec3& a, const ExactVec3& b) {
  return is_zero_vector(cross(p - a, b - a)) && dot(p - a, p - b) <= 0;
}

/// Of segments in one plane.
bool segments_cross(const ExactVec3& a, const ExactVec3& b, const ExactVec3& c,
                    const ExactVec3& d) {
  const ExactVec3 normal = cross(b - a, d - c);
  if (is_zero_vector(normal))
    return is_on_segment(a, c, d) || is_on_segment(b, c, d) || is_on_segment(c, a, b) ||
           is_on_segment(d, a, b);
  const Rational square = dot(normal, normal);
  const auto is_between = [&](const Rational& place) { return place >= 0 && place <= square; };
  return is_between(dot(cross(c - a, d - c), normal)) &&
         is_between(dot(cross(c - a, b - a), normal));
}

/// With all corners in the plane of the triangle, or a triangle without area.
bool intersect_in_plane(const Segment& s, const Triangle& t) {
  const ExactVec3 p = exactly(s[0]), q = exactly(s[1]);
  const std::array<ExactVec3, 3> x{exactly(t[0]), exactly(t[1]), exactly(t[2])};
  for (int k = 0; k < 3; ++k) {
    if (orientation(s[0], s[1], t[k], t[(k + 1) % 3]) != 0) continue;
    if (segments_cross(p, q, x[k], x[(k + 1) % 3])) return true;
  }
  const ExactVec3 normal = cross(x[1] - x[0], x[2] - x[0]);
  if (is_zero_vector(normal)) return false;
  // a segment that meets no side is within the triangle if one of its ends is
  for (int k = 0; k < 3; ++k)
    if (dot(cross(x[k] - p, x[(k + 1) % 3] - p), normal) < 0) return false;
  return true;
}

struct Extent {
  Vec3 low, high;

  bool overlaps(const Extent& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

template <std::size_t n>
Extent extent_of(const std::array<Vec3, n>& points) {
  Extent extent{points[0], points[0]};
  for (const Vec3& p : points) {
    extent.low = extent.low.cwiseMin(p);
    extent.high = extent.high.cwiseMax(p);
  }
  return extent;
}

template <std::size_t n>
std::array<Vec3, n> places(const std::vector<Vec3>& vertices, const std::array<int, n>& corners) {
  std::array<Vec3, n> result;
  for (std::size_t i = 0; i < n; ++i) result[i] = vertices[corners[i]];
  return result;
}

template <std::size_t n, std::size_t m>
bool share_a_vertex(const std::array<int, n>& a, const std::array<int, m>& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

/// Calls visit(i, j) for triangles j and things i whose extents overlap: a sweep along the axis in
/// which they are most spread.
template <class Visit>
void sweep(const std::vector<Extent>& things, const std::vector<Extent>& triangles,
           const Visit& visit) {
  if (things.empty() || triangles.empty()) return;
  Extent whole = triangles.front();
  for (const Extent& t : triangles) {
    whole.low = whole.low.cwiseMin(t.low);
    whole.high = whole.high.cwiseMax(t.high);
  }
  int axis = 0;
  (whole.high - whole.low).maxCoeff(&axis);
  double longest = 0.0;
  for (const Extent& t : triangles) longest = std::max(longest, t.high[axis] - t.low[axis]);
  std::vector<int> order(triangles.size());
  std::iota(order.begin(), order.end(), 0);
  const auto low = [&](int j) { return triangles[j].low[axis]; };
  std::sort(order.begin(), order.end(), [&](int i, int j) { return low(i) < low(j); });
  for (int i = 0; i < std::ssize(things); ++i) {
    // twice the length, so that rounding leaves nothing out
    const double first = things[i].low[axis] - 2.0 * longest;
    auto j = std::lower_bound(order.begin(), order.end(), first,
                              [&](int k, double value) { return low(k) < value; });
    for (; j != order.end() && low(*j) <= things[i].high[axis]; ++j)
      if (things[i].overlaps(triangles[*j])) visit(i, *j);
  }
}

}  // namespace

bool exactly_intersect(const Segment& s, const Triangle& t) {
  const int p = orientation(t[0], t[1], t[2], s[0]), q = orientation(t[0], t[1], t[2], s[1]);
  if (p * q > 0) return false;
  if (p == 0 && q == 0) return intersect_in_plane(s, t);
  // the ends are on different sides: the line goes past all sides of the triangle the same way
  int least = 1, most = -1;
  for (int k = 0; k < 3; ++k) {
    const int side = orientation(s[0], s[1], t[k], t[(k + 1) % 3]);
    least = std::min(least, side);
    most = std::max(most, side);
  }
  return least >= 0 || most <= 0;
}

bool exactly_intersect(const Triangle& a, const Triangle& b) {
  for (int k = 0; k < 3; ++k) {
    if (exactly_intersect(Segment{a[k], a[(k + 1) % 3]}, b)) return true;
    if (exactly_intersect(Segment{b[k], b[(k + 1) % 3]}, a)) return true;
  }
  return false;
}

Intersections find_intersections(const std::vector<Vec3>& vertices,
                                 const std::vector<std::array<int, 3>>& triangles,
                                 const std::vector<std::array<int, 2>>& edges) {
  std::vector<Extent> of_triangles, of_edges;
  for (const auto& t : triangles) of_triangles.push_back(extent_of(places(vertices, t)));
  for (const auto& e : edges) of_edges.push_back(extent_of(places(vertices, e)));
  Intersections found;
  sweep(of_triangles, of_triangles, [&](int i, int j) {
    if (i < j && !share_a_vertex(triangles[i], triangles[j]) &&
        exactly_intersect(places(vertices, triangles[i]), places(vertices, triangles[j])))
      found.triangles.push_back({i, j});
  });
  sweep(of_edges, of_triangles, [&](int i, int j) {
    if (!share_a_vertex(edges[i], triangles[j]) &&
        exactly_intersect(places(vertices, edges[i]), places(vertices, triangles[j])))
      found.edges.push_back({i, j});
  });
  std::sort(found.triangles.begin(), found.triangles.end());
  std::sort(found.edges.begin(), found.edges.end());
  return found;
}

}  // namespace sinew::test
