// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <sinew/mesh/closest_point.hpp>
#include <sinew/mesh/quadratic.hpp>
#include <sinew/mesh/surface.hpp>

namespace sinew::mesh {
namespace {

/// How far along the segment, from 0 to 1.
double along_segment(const Vec3& a, const Vec3& b, const Vec3& x) {
  const Vec3 e = b - a;
  const double square = e.squaredNorm();
  return square > 0.0 ? std::clamp(e.dot(x - a) / square, 0.0, 1.0) : 0.0;
}

/// Barycentric coordinates of the point of a triangle that is nearest to x: the foot of x on its
/// plane if that lies inside, else the nearest point of its sides.
std::array<double, 3> on_triangle(const std::array<Vec3, 3>& corner, const Vec3& x) {
  const Vec3 u = corner[1] - corner[0], v = corner[2] - corner[0], w = x - corner[0];
  const Vec3 normal = u.cross(v);
  const double square = normal.squaredNorm();
  if (square > 0.0) {
    const double b = normal.dot(w.cross(v)) / square, c = normal.dot(u.cross(w)) / square;
    if (b >= 0.0 && c >= 0.0 && b + c <= 1.0) return {1.0 - b - c, b, c};
  }
  std::array<double, 3> best{1.0, 0.0, 0.0};
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    const double s = along_segment(corner[k], corner[next], x);
    const double distance = ((1.0 - s) * corner[k] + s * corner[next] - x).squaredNorm();
    if (distance >= least) continue;
    least = distance;
    best = {0.0, 0.0, 0.0};
    best[k] = 1.0 - s;
    best[next] = s;
  }
  return best;
}

/// Barycentric coordinates of x in a tet.
std::array<double, 4> in_tet(const std::array<Vec3, 4>& corner, const Vec3& x) {
  Mat3 edges;
  edges << corner[1] - corner[0], corner[2] - corner[0], corner[3] - corner[0];
  const Vec3 b = edges.inverse() * (x - corner[0]);
  return {1.0 - b.sum(), b[0], b[1], b[2]};
}

class Search {
 public:
  Search(const TetMesh& mesh, std::span<const Edge> bars)
      : mesh_(mesh),
        triangles_(mesh.tets.empty() ? mesh.triangles : extract_surface(mesh).triangles),
        bars_(bars) {}

  MeshPoint closest_to(const Vec3& x) const {
    for (int t = 0; t < mesh_.num_tets(); ++t) {
      const std::array<Vec3, 4> corner = corners(mesh_, t);
      if (!box_contains(corner, x)) continue;
      const auto weights = in_tet(corner, x);
      if (*std::min_element(weights.begin(), weights.end()) < 0.0) continue;
      if (mesh_.is_quadratic()) return in_quadratic_tet(t, weights, x);
      return {{mesh_.tets[t].begin(), mesh_.tets[t].end()}, {weights.begin(), weights.end()}};
    }
    MeshPoint best;
    best.distance = std::numeric_limits<double>::infinity();
    const auto consider = [&](const auto& vertices, const auto& weights) {
      Vec3 point = Vec3::Zero();
      for (std::size_t k = 0; k < vertices.size(); ++k)
        point += weights[k] * mesh_.vertices[static_cast<std::size_t>(vertices[k])];
      const double distance = (point - x).norm();
      if (distance < best.distance)
        best = {{vertices.begin(), vertices.end()}, {weights.begin(), weights.end()}, distance};
    };
    for (const Triangle& face : triangles_)
      consider(face, on_triangle({at(face[0]), at(face[1]), at(face[2])}, x));
    if (!mesh_.tets.empty()) return best;
    for (const Edge& bar : bars_) {
      const double s = along_segment(at(bar[0]), at(bar[1]), x);
      consider(bar, std::array<double, 2>{1.0 - s, s});
    }
    if (!triangles_.empty() || !bars_.empty()) return best;
    for (int v = 0; v < mesh_.num_vertices(); ++v)
      consider(std::array<int, 1>{v}, std::array<double, 1>{1.0});
    return best;
  }

 private:
  const Vec3& at(int vertex) const { return mesh_.vertices[static_cast<std::size_t>(vertex)]; }

  /// `guess`: the coordinates if the tet were straight.
  MeshPoint in_quadratic_tet(int tet, const Barycentric& guess, const Vec3& x) const {
    const QuadraticTet nodes = quadratic_tet(mesh_, tet);
    std::array<Vec3, num_quadratic_nodes> positions;
    for (std::size_t k = 0; k < nodes.size(); ++k) positions[k] = at(nodes[k]);
    const auto offset = [&](const Barycentric& l) {
      const auto N = quadratic_shape(l);
      Vec3 point = -x;
      for (std::size_t k = 0; k < nodes.size(); ++k) point += N[k] * positions[k];
      return point;
    };
    Barycentric l = guess;
    for (int iteration = 0; iteration < 20 && offset(l).norm() > 0.0; ++iteration) {
      const Vec3 step = quadratic_jacobian(positions, l).inverse() * offset(l);
      Barycentric next{0.0, l[1] - step[0], l[2] - step[1], l[3] - step[2]};
      next[0] = 1.0 - next[1] - next[2] - next[3];
      if (offset(next).norm() >= offset(l).norm()) break;
      l = next;
    }
    const auto N = quadratic_shape(l);
    return {{nodes.begin(), nodes.end()}, {N.begin(), N.end()}, offset(l).norm()};
  }

  static bool box_contains(const std::array<Vec3, 4>& corner, const Vec3& x) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto [low, high] =
          std::minmax({corner[0][axis], corner[1][axis], corner[2][axis], corner[3][axis]});
      if (x[axis] < low || x[axis] > high) return false;
    }
    return true;
  }

  const TetMesh& mesh_;
  std::vector<Triangle> triangles_;
  std::span<const Edge> bars_;
};

}  // namespace

std::vector<MeshPoint> closest_points(const TetMesh& mesh, std::span<const Edge> bars,
                                      std::span<const Vec3> places) {
  const Search search(mesh, bars);
  std::vector<MeshPoint> points;
  points.reserve(places.size());
  for (const Vec3& x : places) points.push_back(search.closest_to(x));
  return points;
}

}  // namespace sinew::mesh
