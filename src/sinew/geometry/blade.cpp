// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include <Eigen/Geometry>

#include <sinew/core/error.hpp>
#include <sinew/geometry/blade.hpp>
#include <sinew/geometry/box_tree.hpp>

namespace sinew::geometry {
namespace {

class PlaneBlade final : public Blade {
 public:
  PlaneBlade(const Vec3& point, const Vec3& normal, const Vec3& way)
      : point_(point), normal_(normal.normalized()), way_(way) {}

  double side(const Vec3& place) const override { return normal_.dot(place - point_); }
  double progress(const Vec3& place) const override { return way_.dot(place); }

 private:
  Vec3 point_, normal_, way_;
};

/// In the plane across the sweep it is a line.
class PathBlade final : public Blade {
  using Vec2 = Eigen::Vector2d;

 public:
  PathBlade(std::span<const Vec3> points, const Vec3& sweep) {
    const Vec3 d = sweep.normalized(), u = d.unitOrthogonal(), v = d.cross(u);
    across_.row(0) = u;
    across_.row(1) = v;
    for (const Vec3& point : points) {
      const Vec2 p = across_ * point;
      // what the sweep covers anyway is no part of the way
      if (points_.empty() || (p - points_.back()).norm() > 0.0) points_.emplace_back(p);
    }
    SINEW_ASSERT(points_.size() >= 2, "a path needs two points that the sweep keeps apart");
    lengths_.push_back(0.0);
    for (std::size_t k = 0; k + 1 < points_.size(); ++k)
      lengths_.push_back(lengths_.back() + (points_[k + 1] - points_[k]).norm());
  }

  double side(const Vec3& place) const override {
    const Nearest nearest = find(place);
    return nearest.side < 0.0 ? -nearest.distance : nearest.distance;
  }
  bool covers(const Vec3& place) const override {
    const double s = find(place).progress;
    return s >= 0.0 && s <= lengths_.back();
  }
  double progress(const Vec3& place) const override { return find(place).progress; }
  std::optional<double> length() const override { return lengths_.back(); }

 private:
  struct Nearest {
    double distance = std::numeric_limits<double>::infinity();
    double side = 0.0;  ///< by its sign
    double progress = 0.0;
  };

  static Vec2 left_of(const Vec2& direction) { return {-direction.y(), direction.x()}; }

  Nearest find(const Vec3& place) const {
    const Vec2 x = across_ * place;
    Nearest nearest;
    const std::size_t last = points_.size() - 2;
    for (std::size_t k = 0; k <= last; ++k) {
      const Vec2 way = points_[k + 1] - points_[k];
      const double length = way.norm();
      const Vec2 direction = way / length;
      double s = direction.dot(x - points_[k]);
      // the first and the last piece have one end only
      if (k > 0) s = std::max(s, 0.0);
      if (k < last) s = std::min(s, length);
      const Vec2 gap = x - (points_[k] + s * direction);
      if (!(gap.norm() < nearest.distance)) continue;
      // at a corner both pieces decide
      Vec2 normal = left_of(direction);
      if (k > 0 && s == 0.0) normal += left_of(points_[k] - points_[k - 1]).normalized();
      if (k < last && s == length) normal += left_of(points_[k + 2] - points_[k + 1]).normalized();
      nearest = {gap.norm(), normal.dot(gap), lengths_[k] + s};
    }
    return nearest;
  }

  Eigen::Matrix<double, 2, 3> across_;
  std::vector<Vec2> points_;
  std::vector<double> lengths_;  // along the line, up to each point
};

/// Signs by pseudo-normals: of a corner the normals around it weighted by their angles, of an edge
/// the sum of both.
class MeshBlade final : public Blade {
  using Triangle = std::array<int, 3>;
  using Edge = std::array<int, 2>;

 public:
  MeshBlade(std::span<const Vec3> vertices, std::span<const Triangle> triangles, const Vec3& way)
      : vertices_(vertices.begin(), vertices.end()),
        triangles_(triangles.begin(), triangles.end()),
        way_(way) {
    SINEW_ASSERT(!triangles_.empty(), "a surface to cut along needs triangles");
    corner_normals_.assign(vertices_.size(), Vec3::Zero());
    std::vector<Box> boxes;
    for (const Triangle& triangle : triangles_) {
      Box box;
      for (std::size_t k = 0; k < 3; ++k) {
        box.extend(x(triangle[k]));
        const Vec3 a = x(triangle[(k + 1) % 3]) - x(triangle[k]);
        const Vec3 b = x(triangle[(k + 2) % 3]) - x(triangle[k]);
        const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
        corner_normals_[static_cast<std::size_t>(triangle[k])] += angle * normal(triangle);
        EdgeData& edge = edges_[edge_of(triangle, k)];
        edge.normal += normal(triangle);
        ++edge.count;
      }
      boxes.push_back(box);
    }
    is_rim_.assign(vertices_.size(), 0);
    for (const auto& [edge, data] : edges_)
      if (data.count == 1)
        for (const int vertex : edge) is_rim_[static_cast<std::size_t>(vertex)] = 1;
    tree_ = BoxTree(boxes);
  }

  double side(const Vec3& place) const override {
    const Nearest nearest = find(place);
    const double distance = nearest.gap.norm();
    return nearest.normal.dot(nearest.gap) < 0.0 ? -distance : distance;
  }
  bool covers(const Vec3& place) const override { return !find(place).is_rim; }
  double progress(const Vec3& place) const override { return way_.dot(place); }

 private:
  struct EdgeData {
    Vec3 normal = Vec3::Zero();
    int count = 0;
  };
  struct Nearest {
    Vec3 gap = Vec3::Zero();     ///< from the nearest point to the place
    Vec3 normal = Vec3::Zero();  ///< there
    bool is_rim = false;
  };

  const Vec3& x(int vertex) const { return vertices_[static_cast<std::size_t>(vertex)]; }
  Vec3 normal(const Triangle& t) const {
    return (x(t[1]) - x(t[0])).cross(x(t[2]) - x(t[0])).normalized();
  }
  /// The edge from corner k to the next one.
  static Edge edge_of(const Triangle& t, std::size_t k) {
    const auto [a, b] = std::minmax({t[k], t[(k + 1) % 3]});
    return {a, b};
  }

  /// Weights of the corners in the nearest point; zero where it is on an edge or a corner.
  Vec3 nearest_weights(const Triangle& t, const Vec3& p) const {
    const Vec3 a = x(t[0]), e = x(t[1]) - a, f = x(t[2]) - a, g = p - a;
    const double ee = e.dot(e), ef = e.dot(f), ff = f.dot(f), eg = e.dot(g), fg = f.dot(g);
    const double det = ee * ff - ef * ef;
    const double u = (ff * eg - ef * fg) / det, v = (ee * fg - ef * eg) / det;
    if (u >= 0.0 && v >= 0.0 && u + v <= 1.0) return {1.0 - u - v, u, v};
    Vec3 best = Vec3::UnitX();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 from = x(t[k]), way = x(t[(k + 1) % 3]) - from;
      const double s = std::clamp(way.dot(p - from) / way.squaredNorm(), 0.0, 1.0);
      const double distance = (p - from - s * way).squaredNorm();
      if (!(distance < least)) continue;
      least = distance;
      best.setZero();
      best[static_cast<Index>(k)] = 1.0 - s;
      best[static_cast<Index>((k + 1) % 3)] = s;
    }
    return best;
  }
  Vec3 point(const Triangle& t, const Vec3& weights) const {
    return weights[0] * x(t[0]) + weights[1] * x(t[1]) + weights[2] * x(t[2]);
  }

  Nearest find(const Vec3& place) const {
    const int found = tree_
                          .nearest(place, std::numeric_limits<double>::infinity(),
                                   [&](int k) {
                                     const Triangle& t = triangles_[static_cast<std::size_t>(k)];
                                     return (place - point(t, nearest_weights(t, place))).norm();
                                   })
                          .primitive;
    const Triangle& t = triangles_[static_cast<std::size_t>(found)];
    const Vec3 weights = nearest_weights(t, place);
    Nearest nearest{.gap = place - point(t, weights), .normal = normal(t)};
    for (std::size_t k = 0; k < 3; ++k) {
      const double here = weights[static_cast<Index>(k)];
      const double next = weights[static_cast<Index>((k + 1) % 3)];
      const double third = weights[static_cast<Index>((k + 2) % 3)];
      const auto corner = static_cast<std::size_t>(t[k]);
      if (next == 0.0 && third == 0.0) {
        nearest.normal = corner_normals_[corner];
        nearest.is_rim = is_rim_[corner] != 0;
      } else if (third == 0.0 && here > 0.0 && next > 0.0) {
        const EdgeData& edge = edges_.at(edge_of(t, k));
        nearest.normal = edge.normal;
        nearest.is_rim = edge.count == 1;
      }
    }
    return nearest;
  }

  std::vector<Vec3> vertices_;
  std::vector<Triangle> triangles_;
  Vec3 way_;
  std::vector<Vec3> corner_normals_;
  std::map<Edge, EdgeData> edges_;
  std::vector<char> is_rim_;
  BoxTree tree_;
};

}  // namespace

std::unique_ptr<Blade> make_plane_blade(const Vec3& point, const Vec3& normal, const Vec3& way) {
  return std::make_unique<PlaneBlade>(point, normal, way);
}

std::unique_ptr<Blade> make_path_blade(std::span<const Vec3> points, const Vec3& sweep) {
  return std::make_unique<PathBlade>(points, sweep);
}

std::unique_ptr<Blade> make_mesh_blade(std::span<const Vec3> vertices,
                                       std::span<const std::array<int, 3>> triangles,
                                       const Vec3& way) {
  return std::make_unique<MeshBlade>(vertices, triangles, way);
}

}  // namespace sinew::geometry
