// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <Eigen/Geometry>

#include <sinew/geometry/box_tree.hpp>
#include <sinew/physics/contact/pair_energy.hpp>
#include <sinew/physics/contact/smooth_surface.hpp>

namespace sinew::physics {
namespace {

// r_t over the longest edge among the neighbours of a triangle: surfaces of spheres are smooth to
// about a degree from here on, and sharp edges lose a tenth of an edge.
constexpr double radius_share = 1.5;
// d_t over r_t where nothing is behind a triangle, and the least.
constexpr double depth_share = 0.6, least_depth_share = 0.02;
// w_0 over the mean area, F_0 over the reach.
constexpr double far_weight_share = 1e-3, far_value_share = 2.0;

double longest_edge(const std::array<int, 3>& triangle, const Numbering& numbering) {
  double longest = 0.0;
  for (std::size_t k = 0; k < 3; ++k)
    longest = std::max(
        longest, (numbering.rest(triangle[k]) - numbering.rest(triangle[(k + 1) % 3])).norm());
  return longest;
}

}  // namespace

/// What one triangle does at a point: height and weight as functions of the point and the corners.
struct SmoothSurface::Influence {
  geometry::Closest closest;  ///< to its plane
  Vec3 way;                   ///< p - c_t
  double square;              ///< u = |p - c_t|^2/r_t^2
  double per_square;          ///< 1/r_t^2
  double depth;
  double area;

  static geometry::Weights from_middle() { return {1.0, -1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0}; }

  double height() const { return closest.distance; }
  PairGradient height_gradient() const { return pair_gradient(closest, 1.0); }
  double weight() const { return area * near()[0] * above()[0]; }

  PairGradient weight_gradient() const {
    return area * (near()[1] * above()[0] * square_gradient() +
                   near()[0] * above()[1] * height_gradient());
  }

  /// Second derivatives of w (h - F) where F is held.
  PairHessian hessian(double F) const {
    const auto [k, dk, ddk] = near();
    const auto [s, ds, dds] = above();
    const PairGradient of_square = square_gradient(), of_height = height_gradient();
    PairHessian height_hessian, square_hessian;
    pair_hessian(closest, 1.0, 0.0, dynamics::Definiteness::exact, height_hessian);
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        square_hessian.block<3, 3>(3 * a, 3 * b) =
            2.0 * per_square * from_middle()[a] * from_middle()[b] * Mat3::Identity();
    const PairHessian mixed = of_square * of_height.transpose(),
                      of_weight = ddk * s * of_square * of_square.transpose() +
                                  dk * s * square_hessian + dk * ds * (mixed + mixed.transpose()) +
                                  k * dds * of_height * of_height.transpose() +
                                  k * ds * height_hessian;
    const PairHessian crossed = weight_gradient() * of_height.transpose();
    return area * (height() - F) * of_weight + crossed + crossed.transpose() +
           weight() * height_hessian;
  }

 private:
  /// k and its derivatives by u.
  std::array<double, 3> near() const {
    const double rest = 1.0 - square;
    if (!(rest > 0.0)) return {};
    const double cube = rest * rest * rest;
    return {cube * rest * rest, -5.0 * cube * rest, 20.0 * cube};
  }
  /// s and its derivatives by the height.
  std::array<double, 3> above() const {
    const double a = -height() / depth;
    if (!(a > 0.0)) return {1.0, 0.0, 0.0};
    if (a >= 1.0) return {};
    const double rest = 1.0 - a * a * a;
    return {rest * rest * rest, 9.0 * a * a * rest * rest / depth,
            (54.0 * a * a * a * a - 18.0 * a * rest) * rest / (depth * depth)};
  }
  PairGradient square_gradient() const {
    PairGradient g;
    for (int k = 0; k < 4; ++k) g.segment<3>(3 * k) = 2.0 * per_square * from_middle()[k] * way;
    return g;
  }
};

SmoothSurface::SmoothSurface(const ContactSurface& surface, int part, double reach)
    : far_value_(far_value_share * reach) {
  const Numbering& numbering = surface.numbering();
  const ContactFeatures& features = surface.features_of(part);
  const auto [begin, end] = range_of(features.triangles, part);
  std::vector<double> longest(static_cast<std::size_t>(numbering.num_vertices()), 0.0);
  for (std::size_t k = begin; k < end; ++k) {
    const std::array<int, 3>& corners = features.triangles.vertices[k];
    const Vec3& a = numbering.rest(corners[0]);
    const double area =
        0.5 * (numbering.rest(corners[1]) - a).cross(numbering.rest(corners[2]) - a).norm();
    triangles_.push_back({.vertices = corners, .area = area});
    far_weight_ += far_weight_share * area / static_cast<double>(end - begin);
    const double edge = longest_edge(corners, numbering);
    for (const int vertex : corners) {
      double& known = longest[static_cast<std::size_t>(vertex)];
      known = std::max(known, edge);
    }
  }
  for (Triangle& triangle : triangles_)
    for (const int vertex : triangle.vertices)
      triangle.radius =
          std::max(triangle.radius, radius_share * longest[static_cast<std::size_t>(vertex)]);
  limit_depths(numbering);
}

void SmoothSurface::limit_depths(const Numbering& numbering) {
  const auto corners = [&](const Triangle& own, const Vec3& point) {
    geometry::Corners result;
    result.col(0) = point;
    for (int k = 0; k < 3; ++k)
      result.col(1 + k) = numbering.rest(own.vertices[static_cast<std::size_t>(k)]);
    return result;
  };
  const auto normal = [](const geometry::Corners& at) -> Vec3 {
    return (at.col(2) - at.col(1)).cross(at.col(3) - at.col(1)).normalized();
  };
  std::vector<geometry::Box> boxes(triangles_.size());
  for (std::size_t k = 0; k < triangles_.size(); ++k)
    for (const int vertex : triangles_[k].vertices) boxes[k].extend(numbering.rest(vertex));
  const geometry::BoxTree tree(boxes);
  for (Triangle& limited : triangles_) {
    limited.depth = depth_share * limited.radius;
    geometry::Corners at = corners(limited, Vec3::Zero());
    const Vec3 middle = at.rightCols<3>().rowwise().mean(), outwards = normal(at);
    tree.query(geometry::Box{middle, middle}.grown(2.0 * limited.depth), [&](int number) {
      const geometry::Corners other = corners(triangle(number), middle);
      constexpr double opposite = -0.5;  // cosine
      if (normal(other).dot(outwards) > opposite) return;
      const double thickness = geometry::point_triangle(other).distance;
      limited.depth =
          std::clamp(0.5 * thickness, least_depth_share * limited.radius, limited.depth);
    });
  }
}

SmoothSurface::Influence SmoothSurface::influence(int vertex, int number,
                                                  const PaddedField& x) const {
  const Triangle& own = triangle(number);
  geometry::Corners corners;
  corners.col(0) = x.vector(vertex);
  for (int k = 0; k < 3; ++k)
    corners.col(1 + k) = x.vector(own.vertices[static_cast<std::size_t>(k)]);
  const Vec3 way = corners * Influence::from_middle();
  const double per_square = 1.0 / (own.radius * own.radius);
  const geometry::Closest closest = geometry::point_plane(corners);
  const bool has_plane = closest.num_free == 2;  // others have no say
  return {.closest = closest,
          .way = way,
          .square = per_square * way.squaredNorm(),
          .per_square = per_square,
          .depth = own.depth,
          .area = has_plane ? own.area : 0.0};
}

std::vector<geometry::Box> SmoothSurface::boxes(const PaddedField& x) const {
  std::vector<geometry::Box> boxes;
  boxes.reserve(triangles_.size());
  for (const Triangle& triangle : triangles_) {
    Vec3 middle = Vec3::Zero();
    for (const int vertex : triangle.vertices) middle += x.vector(vertex) / 3.0;
    boxes.push_back(geometry::Box{middle, middle}.grown(triangle.radius));
  }
  return boxes;
}

double SmoothSurface::value(int vertex, std::span<const int> near, const PaddedField& x) const {
  double heights = far_weight_ * far_value_, weights = far_weight_;
  for (const int number : near) {
    const Influence influence = this->influence(vertex, number, x);
    const double weight = influence.weight();
    heights += weight * influence.height();
    weights += weight;
  }
  return heights / weights;
}

SmoothPoint SmoothSurface::at(int vertex, std::span<const int> near, const PaddedField& x) const {
  SmoothPoint point;
  point.vertices = {vertex};
  point.value = value(vertex, near, x);
  std::vector<Influence> influences;
  double sum = far_weight_, near_sum = 0.0;
  for (const int number : near) {
    const Influence influence = this->influence(vertex, number, x);
    const double weight = influence.weight();
    if (!(weight > 0.0)) continue;
    influences.push_back(influence);
    near_sum += weight;
    SmoothPoint::Near entry{.triangle = number};
    for (std::size_t k = 0; k < 3; ++k) {
      const int corner = triangle(number).vertices[k];
      const auto found = std::find(point.vertices.begin(), point.vertices.end(), corner);
      entry.places[k + 1] = static_cast<int>(found - point.vertices.begin());
      if (found == point.vertices.end()) point.vertices.push_back(corner);
    }
    point.near.push_back(entry);
  }
  sum += near_sum;
  point.gradient = Vec::Zero(3 * std::ssize(point.vertices));
  point.weights.assign(point.vertices.size(), 0.0);
  for (std::size_t t = 0; t < influences.size(); ++t) {
    const double weight = influences[t].weight();
    const PairGradient part =
        (weight * influences[t].height_gradient() +
         (influences[t].height() - point.value) * influences[t].weight_gradient()) /
        sum;
    for (std::size_t k = 0; k < 4; ++k) {
      const int place = point.near[t].places[k];
      point.gradient.segment<3>(3 * place) += part.segment<3>(3 * Index(k));
      point.weights[static_cast<std::size_t>(place)] +=
          weight / near_sum * Influence::from_middle()[Index(k)];
    }
  }
  return point;
}

// From F S = N, with S the sum of all weights and N that of weights times heights,
//   S Hess F = Hess N - F Hess S - grad S (x) grad F - grad F (x) grad S.
Mat SmoothSurface::hessian(const SmoothPoint& point, const PaddedField& x) const {
  Mat H = Mat::Zero(point.gradient.size(), point.gradient.size());
  Vec sum_gradient = Vec::Zero(point.gradient.size());
  double sum = far_weight_;
  for (const SmoothPoint::Near& near : point.near) {
    const Influence influence = this->influence(point.vertices[0], near.triangle, x);
    const PairHessian part = influence.hessian(point.value);
    const PairGradient of_weight = influence.weight_gradient();
    sum += influence.weight();
    for (int a = 0; a < 4; ++a) {
      const int row = 3 * near.places[static_cast<std::size_t>(a)];
      sum_gradient.segment<3>(row) += of_weight.segment<3>(3 * a);
      for (int b = 0; b < 4; ++b)
        H.block<3, 3>(row, 3 * near.places[static_cast<std::size_t>(b)]) +=
            part.block<3, 3>(3 * a, 3 * b);
    }
  }
  H -= sum_gradient * point.gradient.transpose() + point.gradient * sum_gradient.transpose();
  return H / sum;
}

}  // namespace sinew::physics
