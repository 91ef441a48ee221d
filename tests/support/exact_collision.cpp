// SPDX-License-Identifier: Apache-2.0
// A point and a triangle, or two edges, can touch only when their four corners are in one plane:
// at the roots of a cubic, and there signs of further polynomials say whether they do. If the
// cubic vanishes altogether the motion is within a plane, and features that do not touch at the
// start touch first where a corner meets an edge. A corner meets an edge at common roots of three
// quadratics.
#include "support/exact_collision.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "support/exact_polynomial.hpp"

namespace sinew::test {
namespace {

using geometry::Corners;
using geometry::Feature;

/// A vector whose components are polynomials of time.
using Path = std::array<Polynomial, 3>;

Path operator-(const Path& a, const Path& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Polynomial dot(const Path& a, const Path& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Path cross(const Path& a, const Path& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

bool is_zero(const Path& a) {
  return a[0].is_zero() && a[1].is_zero() && a[2].is_zero();
}

bool vanishes_at(const Path& a, Root& s) {
  return std::all_of(a.begin(), a.end(), [&](const Polynomial& p) { return s.sign_of(p) == 0; });
}

std::vector<Root> common_roots(const Path& a) {
  return Root::all_of(greatest_common_divisor(greatest_common_divisor(a[0], a[1]), a[2]));
}

/// x = mantissa * 2^exponent.
struct Parts {
  explicit Parts(double x) : mantissa(std::ldexp(std::frexp(x, &exponent), 53)) { exponent -= 53; }
  int exponent = 0;
  Integer mantissa;
};

/// from + s a (to - from) for the first `count` corners, times a power of two that makes them
/// whole.
std::vector<Path> paths(const Corners& from, const Corners& to, int count, double a) {
  int unit = 2000;
  for (const Corners* corners : {&from, &to})
    for (int k = 0; k < 3 * count; ++k)
      if (const double x = corners->data()[k]; x != 0.0) unit = std::min(unit, Parts(x).exponent);
  const auto whole = [&](double x) {
    const Parts parts(x);
    return x == 0.0 ? Integer(0) : Integer(parts.mantissa << (parts.exponent - unit));
  };
  const Parts part(a);
  const unsigned shift = part.exponent < 0 ? unsigned(-part.exponent) : 0;
  std::vector<Path> result(count);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) {
      const Integer start = whole(from(k, i)), way = whole(to(k, i)) - start;
      result[i][k] = Polynomial({start << shift, way * part.mantissa});
    }
  return result;
}

bool is_on_edge_at(const Path& p, const Path& a, const Path& b, Root& s) {
  return vanishes_at(cross(p - a, b - a), s) && s.sign_of(dot(p - a, p - b)) <= 0;
}

bool points_meet(const Path& p, const Path& q) {
  const Path way = p - q;
  return is_zero(way) || !common_roots(way).empty();
}

bool point_meets_edge(const Path& p, const Path& a, const Path& b) {
  const Path across = cross(p - a, b - a);
  const Polynomial along = dot(p - a, p - b);  // not positive between the ends
  if (is_zero(across)) {
    const bool at_ends = sign_at(along, {0, 0}) <= 0 || sign_at(along, {1, 0}) <= 0;
    return at_ends || !Root::all_of(along).empty();
  }
  std::vector<Root> roots = common_roots(across);
  return std::any_of(roots.begin(), roots.end(), [&](Root& s) { return s.sign_of(along) <= 0; });
}

/// For points of the plane of the triangle.
bool is_in_triangle_at(const Path& p, const Path& a, const Path& b, const Path& c, Root& s) {
  const Path normal = cross(b - a, c - a);
  if (vanishes_at(normal, s))
    return is_on_edge_at(p, a, b, s) || is_on_edge_at(p, b, c, s) || is_on_edge_at(p, c, a, s);
  const auto is_beside = [&](const Path& u, const Path& v) {
    return s.sign_of(dot(cross(u - p, v - p), normal)) >= 0;
  };
  return is_beside(a, b) && is_beside(b, c) && is_beside(c, a);
}

/// For edges in one plane.
bool edges_cross_at(const std::vector<Path>& x, Root& s) {
  const Path e = x[1] - x[0], f = x[3] - x[2], r = x[2] - x[0], normal = cross(e, f);
  if (vanishes_at(normal, s))
    return is_on_edge_at(x[0], x[2], x[3], s) || is_on_edge_at(x[1], x[2], x[3], s) ||
           is_on_edge_at(x[2], x[0], x[1], s) || is_on_edge_at(x[3], x[0], x[1], s);
  const Polynomial square = dot(normal, normal);
  const auto is_between = [&](const Polynomial& place) {
    return s.sign_of(place) >= 0 && s.sign_of(square - place) >= 0;
  };
  return is_between(dot(cross(r, f), normal)) && is_between(dot(cross(r, e), normal));
}

/// Bernstein coefficients of one sign say so cheaply.
bool has_clearly_no_root(const Polynomial& cubic) {
  std::vector<Integer> c = cubic.coefficients();
  c.resize(4);
  const std::array<int, 4> signs{sgn(c[0]), sgn(Integer(3 * c[0] + c[1])),
                                 sgn(Integer(3 * c[0] + 2 * c[1] + c[2])),
                                 sgn(Integer(c[0] + c[1] + c[2] + c[3]))};
  return std::abs(signs[0] + signs[1] + signs[2] + signs[3]) == 4;
}

/// At a root of the cubic, or at the start if there is none because all times are.
template <class TouchesAt>
bool touches_at_root(const Polynomial& cubic, const TouchesAt& touches_at) {
  if (cubic.is_zero()) {
    Root start(Dyadic{0, 0});
    return touches_at(start);
  }
  if (has_clearly_no_root(cubic)) return false;
  std::vector<Root> roots = Root::all_of(cubic);
  return std::any_of(roots.begin(), roots.end(), touches_at);
}

bool point_meets_triangle(const std::vector<Path>& x) {
  const Polynomial cubic = dot(x[0] - x[1], cross(x[2] - x[1], x[3] - x[1]));
  const auto touches = [&](Root& s) { return is_in_triangle_at(x[0], x[1], x[2], x[3], s); };
  if (touches_at_root(cubic, touches)) return true;
  return cubic.is_zero() &&
         (point_meets_edge(x[0], x[1], x[2]) || point_meets_edge(x[0], x[2], x[3]) ||
          point_meets_edge(x[0], x[3], x[1]));
}

bool edge_meets_edge(const std::vector<Path>& x) {
  const Polynomial cubic = dot(x[2] - x[0], cross(x[1] - x[0], x[3] - x[2]));
  if (touches_at_root(cubic, [&](Root& s) { return edges_cross_at(x, s); })) return true;
  return cubic.is_zero() &&
         (point_meets_edge(x[0], x[2], x[3]) || point_meets_edge(x[1], x[2], x[3]) ||
          point_meets_edge(x[2], x[0], x[1]) || point_meets_edge(x[3], x[0], x[1]));
}

}  // namespace

bool exactly_touch(Feature kind, const Corners& from, const Corners& to, double a) {
  switch (kind) {
    case Feature::point_point: {
      const std::vector<Path> x = paths(from, to, 2, a);
      return points_meet(x[0], x[1]);
    }
    case Feature::point_edge: {
      const std::vector<Path> x = paths(from, to, 3, a);
      return point_meets_edge(x[0], x[1], x[2]);
    }
    case Feature::point_triangle:
      return point_meets_triangle(paths(from, to, 4, a));
    case Feature::edge_edge:
      return edge_meets_edge(paths(from, to, 4, a));
    default:
      throw std::invalid_argument("planes are not decided exactly");
  }
}

}  // namespace sinew::test
