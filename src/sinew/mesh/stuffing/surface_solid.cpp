// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include <Eigen/Geometry>

#include <sinew/core/error.hpp>
#include <sinew/geometry/box_tree.hpp>
#include <sinew/geometry/closest.hpp>
#include <sinew/mesh/closed_surface.hpp>
#include <sinew/mesh/stuffing/surface_solid.hpp>

namespace sinew::mesh {
namespace {

using Corners3 = std::array<Vec3, 3>;

/// Solid angle of a triangle over 4 pi, positive seen from behind (van Oosterom and Strackee 1983).
double covered_part(const Corners3& triangle, const Vec3& x) {
  const Vec3 a = triangle[0] - x, b = triangle[1] - x, c = triangle[2] - x;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double over = a.dot(b.cross(c));
  const double under = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return std::atan2(over, under) / (2.0 * std::numbers::pi);
}

/// On which side of an edge the line along x through a point passes, the same for both triangles at
/// the edge up to the sign of its direction, even where rounding decides. A line through the edge
/// itself counts as moved a little towards +y, and even less towards +z.
bool passes_left(const Vec3& from, const Vec3& to, const Vec3& x) {
  const bool is_turned =
      std::lexicographical_compare(to.begin(), to.end(), from.begin(), from.end());
  const Vec3 &a = is_turned ? to : from, &b = is_turned ? from : to;
  const double along_y = b[1] - a[1], along_z = b[2] - a[2];
  double area = along_y * (x[2] - a[2]) - along_z * (x[1] - a[1]);
  if (area == 0.0) area = along_z != 0.0 ? -along_z : along_y;
  return (area > 0.0) != is_turned;
}

/// How the ray from x along the x axis crosses a triangle: 1 from behind, -1 from its front, 0 not.
int crossing(const Corners3& triangle, const Vec3& x) {
  const auto& [a, b, c] = triangle;
  const bool left = passes_left(a, b, x);
  if (passes_left(b, c, x) != left || passes_left(c, a, x) != left) return 0;
  const Vec3 normal = (b - a).cross(c - a);
  if (normal[0] == 0.0 || normal.dot(a - x) / normal[0] <= 0.0) return 0;
  return normal[0] > 0.0 ? 1 : -1;
}

/// Triangles in a binary tree whose nodes know the dipole that they look like from afar.
class WindingTree {
 public:
  explicit WindingTree(std::vector<Corners3> triangles) : triangles_(std::move(triangles)) {
    nodes_.reserve(triangles_.size());
    build(0, static_cast<int>(triangles_.size()));
  }

  double operator()(const Vec3& x) const {
    double sum = 0.0;
    for (std::size_t at = 0; at < nodes_.size();) {
      const Node& node = nodes_[at];
      const Vec3 way = node.centre - x;
      const double distance = way.norm();
      const bool is_far = distance > far * node.radius;
      if (is_far)
        sum += node.dipole.dot(way) / (4.0 * std::numbers::pi * distance * distance * distance);
      else if (node.is_leaf)
        for (int t = node.begin; t < node.end; ++t) sum += covered_part(triangles_[t], x);
      at = is_far || node.is_leaf ? node.next : at + 1;
    }
    return sum;
  }

 private:
  struct Node {
    Vec3 centre = Vec3::Zero();  ///< of the area
    Vec3 dipole = Vec3::Zero();  ///< sum of area times normal [m^2]
    double radius = 0.0;         ///< from the centre to the farthest corner [m]
    int begin = 0, end = 0;      ///< triangles
    bool is_leaf = false;
    std::size_t next = 0;  ///< the first node that is not below this one
  };

  /// At this many radii the dipole is off by some hundredths; one half is far away from 0 and 1.
  static constexpr double far = 2.0;
  static constexpr int leaf_size = 8;

  void build(int begin, int end) {
    const std::size_t number = nodes_.size();
    nodes_.push_back({.begin = begin, .end = end, .is_leaf = end - begin <= leaf_size});
    Node node = nodes_.back();
    double area = 0.0;
    Vec3 low = triangles_[begin][0], high = low;
    for (int t = begin; t < end; ++t) {
      const auto& [a, b, c] = triangles_[t];
      const Vec3 normal = 0.5 * (b - a).cross(c - a);
      area += normal.norm();
      node.dipole += normal;
      node.centre += normal.norm() * (a + b + c) / 3.0;
      low = low.cwiseMin(a + b + c);
      high = high.cwiseMax(a + b + c);
    }
    node.centre = area > 0.0 ? Vec3(node.centre / area) : triangles_[begin][0];
    for (int t = begin; t < end; ++t)
      for (const Vec3& corner : triangles_[t])
        node.radius = std::max(node.radius, (corner - node.centre).norm());
    if (!node.is_leaf) {
      Index axis = 0;
      (high - low).maxCoeff(&axis);
      const int middle = (begin + end) / 2;
      const auto along = [axis](const Corners3& t) { return t[0][axis] + t[1][axis] + t[2][axis]; };
      std::nth_element(triangles_.begin() + begin, triangles_.begin() + middle,
                       triangles_.begin() + end,
                       [&](const Corners3& a, const Corners3& b) { return along(a) < along(b); });
      build(begin, middle);
      build(middle, end);
    }
    node.next = nodes_.size();
    nodes_[number] = node;
  }

  std::vector<Corners3> triangles_;
  std::vector<Node> nodes_;  ///< every node before those below it
};

class SignedDistance {
 public:
  SignedDistance(std::vector<Corners3> triangles, bool is_closed, double sign)
      : triangles_(std::move(triangles)), sign_(sign) {
    if (!is_closed) winding_.emplace(triangles_);
    std::vector<geometry::Box> boxes(triangles_.size());
    for (std::size_t t = 0; t < boxes.size(); ++t)
      for (const Vec3& corner : triangles_[t]) boxes[t].extend(corner);
    tree_ = geometry::BoxTree(boxes);
  }

  double operator()(const Vec3& x) const {
    const auto distance_of = [&](int t) {
      geometry::Corners corners;
      corners << x, triangles_[t][0], triangles_[t][1], triangles_[t][2];
      return geometry::point_triangle(corners).distance;
    };
    const double distance = tree_.nearest(x, INFINITY, distance_of).distance;
    return sign_ * winding(x) > 0.5 ? -distance : distance;
  }

 private:
  /// That of a closed surface is a whole number: how often a ray leaves it.
  double winding(const Vec3& x) const {
    if (winding_) return (*winding_)(x);
    int sum = 0;
    const geometry::Box ray{x, {tree_.bounds().high[0], x[1], x[2]}};
    tree_.query(ray, [&](int t) { sum += crossing(triangles_[t], x); });
    return sum;
  }

  std::vector<Corners3> triangles_;
  std::optional<WindingTree> winding_;  ///< of surfaces that are not closed
  double sign_;
  geometry::BoxTree tree_;
};

}  // namespace

double winding_number(std::span<const Vec3> vertices, std::span<const Triangle> triangles,
                      const Vec3& x) {
  double sum = 0.0;
  for (const auto& [a, b, c] : triangles)
    sum += covered_part({vertices[a], vertices[b], vertices[c]}, x);
  return sum;
}

Solid solid_inside(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  SINEW_ASSERT(!triangles.empty(), "a surface has triangles");
  std::vector<Corners3> corners;
  BoundingBox box{vertices[triangles[0][0]], vertices[triangles[0][0]]};
  for (const auto& [a, b, c] : triangles) {
    corners.push_back({vertices[a], vertices[b], vertices[c]});
    for (const Vec3& x : corners.back()) {
      box.low = box.low.cwiseMin(x);
      box.high = box.high.cwiseMax(x);
    }
  }
  const double sign = enclosed_volume(vertices, triangles) < 0.0 ? -1.0 : 1.0;
  const bool closed = is_closed(triangles);
  const auto distance = std::make_shared<const SignedDistance>(std::move(corners), closed, sign);
  // across a hole the sign changes far from all triangles
  const double slope = closed ? 1.0 : std::numeric_limits<double>::infinity();
  return {[distance](const Vec3& x) { return (*distance)(x); }, box, slope};
}

}  // namespace sinew::mesh
