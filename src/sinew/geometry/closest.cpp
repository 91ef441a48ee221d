// SPDX-License-Identifier: Apache-2.0
// A convex function over a triangle or a square has its minimum inside, or it is that over one of
// the sides: the foot of the perpendicular is tried first, then every side. Degenerate triangles
// and parallel edges have no foot and need no other treatment.
#include <algorithm>
#include <cmath>

#include <sinew/geometry/closest.hpp>
#include <sinew/geometry/cross.hpp>

namespace sinew::geometry {
namespace {

// sin^2 of the angle between two directions below which they are one
constexpr double parallel = 1e-20;

void finish(Closest& c) {
  c.distance = c.way.norm();
  if (c.distance > 0.0) c.normal = c.way / c.distance;
}

/// Between corner `point` and the edge from corner `a` to corner `b`, with this sign: +1 if the
/// point belongs to the first feature.
Closest to_edge(const Corners& x, int point, int a, int b, double sign) {
  Closest c;
  const Vec3 edge = x.col(b) - x.col(a), from = x.col(point) - x.col(a);
  const double square = edge.squaredNorm(), along = from.dot(edge);
  c.weights[point] = sign;
  if (!(along > 0.0) || !(square > 0.0)) {
    c.way = sign * from;
    c.weights[a] = -sign;
  } else if (along >= square) {
    c.way = sign * (x.col(point) - x.col(b));
    c.weights[b] = -sign;
  } else {
    const double s = along / square;
    c.way = sign * (from - s * edge);
    c.weights[a] = -sign * (1.0 - s);
    c.weights[b] = -sign * s;
    c.num_free = 1;
    c.slopes[0] = Weights::Zero();
    c.slopes[0][a] = sign;
    c.slopes[0][b] = -sign;
    c.directions[0] = -sign * edge;
  }
  finish(c);
  return c;
}

void take_nearer(const Closest& other, Closest& best) {
  if (other.distance < best.distance) best = other;
}

/// Two directions that span a plane, if they do.
struct Span {
  Span(const Vec3& first, const Vec3& second)
      : e(first),
        f(second),
        across(cross(first, second)),
        ee(e.squaredNorm()),
        ff(f.squaredNorm()),
        square(across.squaredNorm()) {}

  bool is_plane() const { return square > parallel * ee * ff; }

  /// The component of v along e in the basis e, f, across. Its error grows with 1 / sin of the
  /// angle; that of normal equations would with 1 / sin^2.
  double along_e(const Vec3& v) const { return cross(v, f).dot(across) / square; }

  /// What is perpendicular of a difference of long ways. Rounding turns the difference by eps times
  /// length / distance, and `across` by eps / sin of the angle.
  Vec3 perpendicular(const Vec3& difference) const {
    if (difference.squaredNorm() * std::min(ee, ff) > square) return difference;
    return across.dot(difference) / square * across;
  }

  Vec3 e, f, across;
  double ee, ff, square;
};

/// Foot of the perpendicular on the plane of corners 1, 2, 3. False: they span none.
bool foot_on_plane(const Corners& x, Closest& c) {
  const Vec3 from = x.col(0) - x.col(1);
  const Span span(x.col(2) - x.col(1), x.col(3) - x.col(1));
  if (!span.is_plane()) return false;
  c.normal = span.across / std::sqrt(span.square);
  const double s = span.along_e(from);
  // where the triangle is thin s is uncertain, and little depends on it once t belongs to it
  const double t = (from - s * span.e).dot(span.f) / span.ff;
  c.weights = {1.0, -(1.0 - s - t), -s, -t};
  c.way = span.perpendicular(from - s * span.e - t * span.f);
  c.num_free = 2;
  c.slopes = {Weights{0, 1, -1, 0}, Weights{0, 1, 0, -1}};
  c.directions = {-span.e, -span.f};
  finish(c);
  return true;
}

}  // namespace

Closest point_point(const Corners& x) {
  Closest c;
  c.way = x.col(0) - x.col(1);
  c.weights = {1, -1, 0, 0};
  finish(c);
  return c;
}

Closest point_edge(const Corners& x) {
  return to_edge(x, 0, 1, 2, 1.0);
}

Closest point_plane(const Corners& x) {
  Closest c;
  if (!foot_on_plane(x, c)) return c;
  // behind it the way leads against its normal
  const Vec3 e = x.col(2) - x.col(1), f = x.col(3) - x.col(1);
  if (cross(e, f).dot(c.normal) < 0.0) {
    c.normal = -c.normal;
    c.distance = -c.distance;
  }
  return c;
}

Closest point_triangle(const Corners& x) {
  Closest inside;
  if (foot_on_plane(x, inside) && inside.weights.tail<3>().maxCoeff() < 0.0) return inside;
  Closest best = to_edge(x, 0, 1, 2, 1.0);
  take_nearer(to_edge(x, 0, 2, 3, 1.0), best);
  take_nearer(to_edge(x, 0, 3, 1, 1.0), best);
  return best;
}

Closest edge_edge(const Corners& x) {
  Closest best = to_edge(x, 0, 2, 3, 1.0);
  take_nearer(to_edge(x, 1, 2, 3, 1.0), best);
  take_nearer(to_edge(x, 2, 0, 1, -1.0), best);
  take_nearer(to_edge(x, 3, 0, 1, -1.0), best);
  const Vec3 from = x.col(0) - x.col(2);
  const Span span(x.col(1) - x.col(0), x.col(3) - x.col(2));
  if (!span.is_plane()) return best;
  const double s = -span.along_e(from);
  const double t = (from + s * span.e).dot(span.f) / span.ff;
  if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) return best;
  Closest inside;
  inside.weights = {1.0 - s, s, -(1.0 - t), -t};
  inside.way = span.perpendicular(from + s * span.e - t * span.f);
  inside.num_free = 2;
  inside.slopes = {Weights{-1, 1, 0, 0}, Weights{0, 0, 1, -1}};
  inside.directions = {span.e, -span.f};
  finish(inside);
  take_nearer(inside, best);
  return best;
}

Closest closest(Feature kind, const Corners& x) {
  switch (kind) {
    case Feature::point_point:
      return point_point(x);
    case Feature::point_edge:
      return point_edge(x);
    case Feature::point_triangle:
      return point_triangle(x);
    case Feature::edge_edge:
      return edge_edge(x);
    case Feature::point_plane:
      return point_plane(x);
  }
  return {};
}

}  // namespace sinew::geometry
