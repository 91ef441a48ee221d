// SPDX-License-Identifier: Apache-2.0
// Smooth surfaces around triangles: near them, smooth, and with the derivatives they say.
#include <cmath>
#include <numbers>
#include <random>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/physics/contact/smooth_search.hpp>

namespace sinew::physics {
namespace {

constexpr double reach = 1e-3;

/// A closed body and a point that looks at it.
class Watched {
 public:
  explicit Watched(const mesh::TetMesh& body) : positions_(body.vertices) {
    ContactPart part{.name = "body", .is_closed = true};
    for (const auto& triangle : mesh::extract_surface(body).triangles) {
      part.triangles.push_back(triangle);
      const auto& [a, b, c] = triangle;
      edges_.insert(edges_.end(), {a, b, b, c, c, a});
    }
    point_ = static_cast<int>(positions_.size());
    positions_.emplace_back(Vec3::Zero());
    numbering_.emplace(positions_, edges_, std::span<const int>());
    parts_.emplace(std::vector<ContactPart>{part}, ContactRules{}, *numbering_);
    surface_.emplace(*parts_, 0, reach);
    x_ = PaddedField(numbering_->num_vertices());
    for (std::size_t k = 0; k < positions_.size(); ++k)
      x_.vector(numbering_->internal(static_cast<int>(k))) = positions_[k];
  }

  const Numbering& numbering() const { return *numbering_; }
  const SmoothSurface& surface() const { return *surface_; }
  PaddedField& x() { return x_; }
  int vertex() const { return numbering_->internal(point_); }

  std::vector<int> near() const {
    std::vector<int> near;
    const std::vector<geometry::Box> boxes = surface_->boxes(x_);
    for (std::size_t k = 0; k < boxes.size(); ++k)
      if (boxes[k].squared_distance(x_.vector(vertex())) == 0.0)
        near.push_back(static_cast<int>(k));
    return near;
  }
  double value(const Vec3& place) {
    x_.vector(vertex()) = place;
    return surface_->value(vertex(), near(), x_);
  }
  SmoothPoint at(const Vec3& place) {
    x_.vector(vertex()) = place;
    return surface_->at(vertex(), near(), x_);
  }

 private:
  std::vector<Vec3> positions_;
  std::vector<int> edges_;
  int point_ = 0;
  std::optional<Numbering> numbering_;
  std::optional<ContactSurface> parts_;
  std::optional<SmoothSurface> surface_;
  PaddedField x_;
};

double degrees_between(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b)) * 180.0 / std::numbers::pi;
}

mesh::TetMesh coarse_ball() {
  return mesh::make_ball({.radius = 1.0, .shell_thickness = 0.0, .cells = 4, .core_layers = 1});
}

TEST(SmoothSurface, OfABallIsRound) {
  const mesh::TetMesh ball = coarse_ball();
  double steepest_facet = 0.0, deepest_facet = 0.0;
  for (const auto& [a, b, c] : mesh::extract_surface(ball).triangles) {
    const auto at = [&](int v) { return ball.vertices[static_cast<std::size_t>(v)]; };
    steepest_facet =
        std::max(steepest_facet, degrees_between((at(b) - at(a)).cross(at(c) - at(a)), at(a)));
    deepest_facet = std::max(deepest_facet, 1.0 - ((at(a) + at(b) + at(c)) / 3.0).norm());
  }
  Watched watched(ball);
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  double steepest = 0.0, furthest = 0.0;
  for (int k = 0; k < 400; ++k) {
    const Vec3 outwards = Vec3(normal(random), normal(random), normal(random)).normalized();
    const SmoothPoint point = watched.at(outwards);
    steepest = std::max(steepest, degrees_between(point.normal(), outwards));
    furthest = std::max(furthest, std::abs(point.value));
    const Vec3 slope = point.gradient.head<3>();
    EXPECT_NEAR(slope.norm(), 1.0, 0.05);
    // higher by what it is higher
    EXPECT_NEAR(watched.value(1.02 * outwards) - point.value, 0.02, 0.002);
  }
  // facets are that far from round; the surface around them is much closer
  EXPECT_GT(steepest_facet, 10.0);
  EXPECT_LT(steepest, 0.15 * steepest_facet);
  EXPECT_LT(furthest, deepest_facet);
}

TEST(SmoothSurface, OfAThinPlateIsThePlate) {
  // one cell through the thickness: triangles reach the other side, and must not mind
  constexpr double thickness = 0.1;
  Watched watched(mesh::make_bar({.size = {1.0, 1.0, thickness}, .cells = {8, 8, 1}}));
  // what is far away adds w_0 F_0 at most, w_0 a thousandth of an area
  constexpr double tolerance = 4e-3 * reach;
  for (const double x : {0.43, 0.5, 0.61})
    for (const double height : {0.02, 1e-3, 0.0, -1e-3, -0.01}) {
      EXPECT_NEAR(watched.value({x, 0.47, thickness + height}), height, tolerance);
      EXPECT_NEAR(watched.value({x, 0.47, -height}), height, tolerance);
      EXPECT_LT(degrees_between(watched.at({x, 0.47, thickness + height}).normal(), Vec3::UnitZ()),
                0.1);
    }
}

TEST(SmoothSurface, RoundsSharpEdgesByPartOfAnEdge) {
  constexpr int cells = 6;
  const double longest = std::sqrt(2.0) / cells;
  Watched watched(mesh::make_bar({.size = {1.0, 1.0, 1.0}, .cells = {cells, cells, cells}}));
  double most = 0.0;
  for (double s = 0.0; s < 0.5; s += 0.01)
    most = std::max(most, -watched.value({0.43, 1.0 - s, 1.0}));
  EXPECT_LT(most, 0.12 * longest);
  // beyond the edge, beside the plane of a face: outside
  for (const double s : {0.1, 0.25, 0.5, 0.8})
    EXPECT_GT(watched.value({0.43, 1.0 + s * longest, 1.0}),
              std::min(2.0 * reach, 0.5 * s * longest) * 0.9);
}

TEST(SmoothSurface, EndsWithoutAJump) {
  Watched watched(coarse_ball());
  constexpr double step = 1e-3;
  const Vec3 direction = Vec3(0.3, -0.5, 0.8).normalized();
  double before = watched.value(3.0 * direction);
  EXPECT_EQ(before, 2.0 * reach);
  double steepest = 0.0;
  for (double r = 3.0; r > 0.0; r -= step) {
    const double now = watched.value(r * direction);
    steepest = std::max(steepest, std::abs(now - before) / step);
    before = now;
  }
  // it falls from about the depth of the triangles to nothing within a part of it
  EXPECT_LT(steepest, 30.0);
  EXPECT_EQ(before, 2.0 * reach);
}

/// F by all coordinates of what it depends on, central.
template <class Function>
auto difference_by(Watched& watched, int vertex, int axis, double h, const Function& f) {
  double& coordinate = watched.x().at(vertex)[axis];
  const double saved = coordinate;
  coordinate = saved + h;
  const auto above = f();
  coordinate = saved - h;
  const auto below = f();
  coordinate = saved;
  return std::pair(above, below);
}

TEST(SmoothSurface, HasTheDerivativesItSays) {
  constexpr double h = 1e-6;
  Watched watched(mesh::make_bar({.size = {1.0, 0.5, 0.25}, .cells = {4, 2, 1}}));
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int v = 0; v < watched.numbering().num_vertices(); ++v)
    for (int axis = 0; axis < 3; ++axis) watched.x().at(v)[axis] += 0.03 * uniform(random);
  int inside = 0, looked_at = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Vec3 place = Vec3(0.5, 0.25, 0.125) +
                       Vec3(0.6 * uniform(random), 0.4 * uniform(random), 0.25 * uniform(random));
    const SmoothPoint point = watched.at(place);
    if (point.near.empty()) continue;
    // near means a box: neighbours that touch must be those of the point at all places around it
    const std::vector<int> near = watched.near();
    const auto at = [&] { return watched.surface().at(watched.vertex(), near, watched.x()); };
    const Mat H = watched.surface().hessian(point, watched.x());
    ASSERT_EQ(H.rows(), 3 * std::ssize(point.vertices));
    Vec slopes(H.rows());
    Mat curvatures(H.rows(), H.cols());
    bool is_same = true;
    for (Index k = 0; k < H.rows() && is_same; ++k) {
      const auto [above, below] = difference_by(
          watched, point.vertices[static_cast<std::size_t>(k / 3)], static_cast<int>(k % 3), h, at);
      is_same = above.vertices == point.vertices && below.vertices == point.vertices;
      if (!is_same) break;
      slopes[k] = (above.value - below.value) / (2.0 * h);
      curvatures.col(k) = (above.gradient - below.gradient) / (2.0 * h);
    }
    if (!is_same) continue;
    ++looked_at;
    inside += point.value < 0.0 ? 1 : 0;
    EXPECT_LE((point.gradient - slopes).norm(), 1e-6 * point.gradient.norm()) << place.transpose();
    EXPECT_LE((H - curvatures).norm(), 1e-5 * H.norm()) << place.transpose();
    EXPECT_LE((H - H.transpose()).norm(), 1e-12 * H.norm());
    // it turns and shifts with the body
    Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
    double weights = 0.0;
    for (std::size_t k = 0; k < point.vertices.size(); ++k) {
      const Vec3 g = point.gradient.segment<3>(3 * Index(k));
      sum += g;
      torque += Vec3(watched.x().vector(point.vertices[k])).cross(g);
      weights += point.weights[k];
    }
    EXPECT_LE(sum.norm(), 1e-12 * point.gradient.norm());
    EXPECT_LE(torque.norm(), 1e-12 * point.gradient.norm());
    EXPECT_NEAR(weights, 0.0, 1e-12);
  }
  EXPECT_GT(looked_at, 40);
  EXPECT_GT(inside, 10);
}

TEST(SmoothSurface, OutlivesTrianglesWithoutArea) {
  Watched watched(coarse_ball());
  const int moved = watched.numbering().internal(0);
  for (int v = 0; v < watched.numbering().num_vertices(); ++v)
    if (v != watched.vertex() && v % 3 == 0) watched.x().vector(v) = watched.x().vector(moved);
  const SmoothPoint point = watched.at(1.01 * Vec3(watched.x().vector(moved)));
  EXPECT_TRUE(std::isfinite(point.value));
  EXPECT_TRUE(point.gradient.allFinite());
  EXPECT_TRUE(watched.surface().hessian(point, watched.x()).allFinite());
}

}  // namespace
}  // namespace sinew::physics
