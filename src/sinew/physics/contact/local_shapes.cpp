// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <sinew/geometry/box.hpp>
#include <sinew/geometry/closest.hpp>
#include <sinew/la/four_lanes.hpp>
#include <sinew/physics/contact/local_shapes.hpp>

namespace sinew::physics {
namespace {

using geometry::Box;
using geometry::Feature;

// Surroundings whose least extent is below this share of the largest count as flat: what they tell
// about the map across them is mostly noise.
constexpr double flat = 0.1;
constexpr Index fits_per_piece = 64;

using Lanes = la::FourLanes<double>;

Lanes broadcast(double value) {
  return Lanes{value, value, value, value};
}

/// A lower bound of the least singular value.
double least_stretch(const Mat3& map) {
  // the least eigenvalue of a symmetric matrix is at least m - 2 p, m its mean, p the deviation
  const Mat3 metric = map.transpose() * map;
  const double m = metric.trace() / 3.0;
  const double p = std::sqrt((metric - m * Mat3::Identity()).squaredNorm() / 6.0);
  return std::sqrt(std::max(0.0, m - 2.0 * p));
}

/// The least gap at rest between features of clusters, of those that are apart at all.
class LeastGap {
 public:
  LeastGap(const ContactSurface& surface, const ClusteredPart& clusters, double thickness)
      : surface_(surface), clusters_(clusters), thickness_(thickness) {}

  void look(int a, int b) {
    using enum Feature;
    if (!box_of_cluster(a).grown(least_ + thickness_).overlaps(box_of_cluster(b))) return;
    look(point_point, clusters_.lone().of(a), clusters_.lone().of(b));
    look(edge_edge, clusters_.edges().of(a), clusters_.edges().of(b));
    for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
      look(point_edge, clusters_.points().of(first), clusters_.bars().of(second));
      look(point_triangle, clusters_.points().of(first), clusters_.triangles().of(second));
    }
  }
  double gap() const { return least_; }

 private:
  template <std::size_t N>
  Box box_of(const std::array<int, N>& feature) const {
    Box box;
    for (const int own : feature) box.extend(rest(own));
    return box;
  }
  Box box_of_cluster(int cluster) const {
    Box box;
    for (const auto& [own] : clusters_.members().of(cluster)) box.extend(rest(own));
    return box;
  }
  const Vec3& rest(int own) const { return surface_.numbering().rest(clusters_.vertex(own)); }

  template <std::size_t N, std::size_t M>
  void look(Feature kind, std::span<const std::array<int, N>> a,
            std::span<const std::array<int, M>> b) {
    for (const auto& first : a) {
      const Box around = box_of(first);
      for (const auto& second : b) {
        if (share_vertex(first, second) ||
            !around.grown(least_ + thickness_).overlaps(box_of(second)))
          continue;
        geometry::Corners corners;
        for (Index k = 0; k < 4; ++k) {
          const auto at = static_cast<std::size_t>(k);
          corners.col(k) = rest(at < N ? first[at] : second[std::min(at - N, M - 1)]);
        }
        const double gap = geometry::closest(kind, corners).distance - thickness_;
        if (gap > 0.0) least_ = std::min(least_, gap);  // others never meet
      }
    }
  }

  const ContactSurface& surface_;
  const ClusteredPart& clusters_;
  double thickness_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

LocalShapes::LocalShapes(const ContactSurface& surface, int part, const ClusteredPart& clusters)
    : surroundings_(static_cast<std::size_t>(clusters.num_clusters())),
      rest_(static_cast<int>(clusters.vertices().size())),
      thickness_(2.0 * surface.radius(part)) {
  for (int own = 0; own < rest_.num_vertices(); ++own)
    rest_.vector(own) = surface.numbering().rest(clusters.vertex(own));
  std::vector<std::vector<int>> clusters_of(clusters.vertices().size());
  for (int c = 0; c < clusters.num_clusters(); ++c)
    for (const auto& [own] : clusters.members().of(c))
      clusters_of[static_cast<std::size_t>(own)].push_back(c);
  const auto make_unique = [](std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  for (int c = 0; c < clusters.num_clusters(); ++c) {
    Surroundings& around = surroundings_[static_cast<std::size_t>(c)];
    for (const auto& [own] : clusters.members().of(c)) {
      const std::vector<int>& here = clusters_of[static_cast<std::size_t>(own)];
      around.touched.insert(around.touched.end(), here.begin(), here.end());
    }
    make_unique(around.touched);
    LeastGap least(surface, clusters, thickness_);
    for (std::size_t a = 0; a < around.touched.size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b) least.look(around.touched[a], around.touched[b]);
      for (const auto& [own] : clusters.members().of(around.touched[a]))
        around.vertices.push_back(own);
    }
    make_unique(around.vertices);
    around.least_gap = least.gap();

    for (const int own : around.vertices) around.middle += rest_.vector(own);
    around.middle /= static_cast<double>(around.vertices.size());
    Mat3 sum = Mat3::Zero();
    for (const int own : around.vertices) {
      const Vec3 r = rest_.vector(own) - around.middle;
      sum += r * r.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(sum);
    const Vec3& squares = axes.eigenvalues();
    for (int k = 0; k < 3; ++k)
      if (squares[k] > flat * flat * squares[2])
        around.inverse +=
            axes.eigenvectors().col(k) * axes.eigenvectors().col(k).transpose() / squares[k];
      else if (k == 0)
        around.normal = axes.eigenvectors().col(0);
  }
}

LocalShapes::Fit LocalShapes::fit(const Surroundings& around, const PaddedField& x) const {
  const Lanes origin = la::load_four(x.at(around.vertices[0])),
              middle = {around.middle[0], around.middle[1], around.middle[2], 0.0};
  const std::size_t count = around.vertices.size();
  Lanes sum{}, columns[3]{};
  for (const int own : around.vertices) {
    const Lanes at = la::load_four(x.at(own)) - origin, r = la::load_four(rest_.at(own)) - middle;
    sum += at;
    for (int j = 0; j < 3; ++j) columns[j] = la::multiply_add(at, broadcast(r[j]), columns[j]);
  }
  Fit fit;
  Mat3 product;
  for (int j = 0; j < 3; ++j) product.col(j) << columns[j][0], columns[j][1], columns[j][2];
  fit.map.noalias() = product * around.inverse;
  if (around.normal.squaredNorm() > 0.0) {
    // across a flat one: as a shell does it that keeps its thickness
    const Vec3 s = around.normal.unitOrthogonal(), t = around.normal.cross(s);
    const Vec3 across = (fit.map * s).cross(fit.map * t);
    const double size = across.norm();
    if (size > 0.0) fit.map += across / size * around.normal.transpose();
  }
  const Lanes mean = origin + sum / broadcast(static_cast<double>(count));
  for (int j = 0; j < 3; ++j) columns[j] = Lanes{fit.map(0, j), fit.map(1, j), fit.map(2, j), 0.0};
  const auto square_of = [&](std::size_t k) {
    const int own = around.vertices[k];
    Lanes away = la::load_four(x.at(own)) - mean;
    const Lanes r = middle - la::load_four(rest_.at(own));
    for (int j = 0; j < 3; ++j) away = la::multiply_add(columns[j], broadcast(r[j]), away);
    return away * away;
  };
  Lanes squares{};
  const std::size_t last = count - 1;
  for (std::size_t k = 0; k < count; k += 3) {
    const Lanes three = la::add_lanes(square_of(k), square_of(std::min(k + 1, last)),
                                      square_of(std::min(k + 2, last)));
    squares = squares > three ? squares : three;
  }
  fit.error = std::sqrt(std::max({squares[0], squares[1], squares[2]}));
  fit.least_stretch = least_stretch(fit.map);
  return fit;
}

void LocalShapes::fit(const PaddedField& x, const core::Executor& executor,
                      std::vector<Fit>& fits) const {
  fits.resize(surroundings_.size());
  executor.for_ranges(std::ssize(surroundings_), fits_per_piece, [&](Index begin, Index end) {
    for (auto c = static_cast<std::size_t>(begin); c < static_cast<std::size_t>(end); ++c)
      fits[c] = fit(surroundings_[c], x);
  });
}

bool LocalShapes::stays_open(int cluster, const Fit& from, const Fit& to, double reach,
                             double room) const {
  const double gap = surroundings_[static_cast<std::size_t>(cluster)].least_gap;
  if (gap == std::numeric_limits<double>::infinity()) return true;
  constexpr double rounding = 1e-9;
  // positions on the way are as near the map on the way; its stretch follows from those at both
  // ends and in the middle, of which none is further away than a quarter of the change
  const double middle = least_stretch(0.5 * (from.map + to.map));
  const double stretch = 0.5 * (std::min(from.least_stretch, to.least_stretch) + middle -
                                0.5 * (to.map - from.map).norm()) -
                         rounding;
  const double error = std::max(from.error, to.error) + room;
  // larger gaps are left with more, if the stretch is above 1/2
  const double left = stretch * (gap + thickness_) - thickness_ - 2.0 * error;
  return stretch > 0.5 && left > std::min(reach, 0.5 * gap) + rounding * (gap + thickness_);
}

bool LocalShapes::is_open_between(int a, int b, const std::vector<char>& is_open) const {
  const std::vector<int>&of_a = surroundings_[static_cast<std::size_t>(a)].touched,
        &of_b = surroundings_[static_cast<std::size_t>(b)].touched;
  for (auto i = of_a.begin(), j = of_b.begin(); i != of_a.end() && j != of_b.end();) {
    if (*i == *j && is_open[static_cast<std::size_t>(*i)]) return true;
    const bool is_behind = *i <= *j;
    if (*j <= *i) ++j;
    if (is_behind) ++i;
  }
  return false;
}

}  // namespace sinew::physics
