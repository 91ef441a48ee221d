// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/geometry/continuous_collision.hpp>
#include <sinew/geometry/cross.hpp>
#include <sinew/geometry/moving_planes.hpp>
#include <sinew/geometry/rounded_way.hpp>

namespace sinew::geometry {
namespace {

constexpr int most_steps = 100;
// After so many steps along a fixed direction one that turns is tried as well: it costs more.
constexpr int patient_steps = 2;
// The last step begins less than this share of the kept gap above it, and takes less than a tenth
// of this share of the time so far.
constexpr double last_share = 0.2;

/// How far every corner of the first feature is ahead of every corner of the second, along some
/// direction: less than they really are, by more than rounding errors.
struct Lead {
  int count = 0;
  std::array<double, 4> start{}, end{};

  double at(double t) const {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < count; ++k) least = std::min(least, (1.0 - t) * start[k] + t * end[k]);
    return least;
  }

  /// Up to when all of them are at least `level`, from t on; t where one is not.
  double reach(double level, double t) const {
    double last = 1.0;
    for (int k = 0; k < count; ++k) {
      const double p = start[k], q = end[k];
      if (p >= level && q >= level) continue;
      if (!(p >= level || q >= level)) return t;
      const double crossing = (level - p) / (q - p);
      if (p >= level)
        last = std::min(last, crossing * (1.0 - 8.0 * epsilon));
      else if (!(t >= crossing * (1.0 + 8.0 * epsilon)))
        return t;
    }
    return std::max(t, last);
  }
};

MovingVector between_corners(const Corners& from, const Corners& to, int a, int b) {
  return {from.col(b) - from.col(a), to.col(b) - to.col(a)};
}

/// Two hulls of corners on their ways.
class MovingPair {
 public:
  MovingPair(Feature kind, const Corners& from, const Corners& to)
      : kind_(kind), from_(from), to_(to), num_first_(kind == Feature::edge_edge ? 2 : 1) {
    switch (kind) {
      case Feature::point_point:
        num_second_ = 1;
        break;
      case Feature::point_triangle:
        num_second_ = 3;
        break;
      default:
        num_second_ = 2;
    }
    for (int k = 0; k < num_pairs(); ++k) {
      start_[k] = from.col(first(k)) - from.col(second(k));
      end_[k] = to.col(first(k)) - to.col(second(k));
    }
  }

  /// Of the rounding of both on the distance between them.
  double rounding() const {
    double first = 0.0, second = 0.0;
    for (int i = 0; i < num_first_; ++i) first = std::max(first, rounding_of_corner(from_, to_, i));
    for (int j = num_first_; j < num_first_ + num_second_; ++j)
      second = std::max(second, rounding_of_corner(from_, to_, j));
    return first + second;
  }

  /// Between points of both, at the start: at least their distance.
  Vec3 between_centres() const {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < num_pairs(); ++k) sum += start_[k];
    return sum / num_pairs();
  }

  /// Along a vector of any length but zero.
  Lead lead_along(const Vec3& direction) const;
  /// Along the best direction found for time t: it need not be one that separates.
  Lead best_lead(double t) const;

  bool have_planes() const {
    return kind_ == Feature::point_triangle || kind_ == Feature::edge_edge;
  }
  /// Through the two features, where they have planes.
  MovingPlanes planes() const;

 private:
  int num_pairs() const { return num_first_ * num_second_; }
  int first(int pair) const { return pair / num_second_; }
  int second(int pair) const { return num_first_ + pair % num_second_; }
  Vec3 between(int pair, double t) const { return (1.0 - t) * start_[pair] + t * end_[pair]; }

  /// Corners from which and to which two directions of the features lead: the sides of the
  /// triangle, or the edges.
  std::array<int, 4> sides() const {
    return kind_ == Feature::point_triangle ? std::array{1, 2, 1, 3} : std::array{0, 1, 2, 3};
  }
  Corners shape_at(double t) const;

  const Feature kind_;
  const Corners& from_;
  const Corners& to_;
  const int num_first_;
  int num_second_;
  std::array<Vec3, 4> start_, end_;  // from the second to the first, per pair of corners
};

/// A lower bound of n.r from r with relative errors of half an epsilon; useless where r is huge.
double certain_product(const Vec3& n, const Vec3& r) {
  const double x = n[0] * r[0], y = n[1] * r[1], z = n[2] * r[2];
  const double size = std::abs(x) + std::abs(y) + std::abs(z);
  if (!(size < 1e300)) return -1e300;
  return x + y + z - 4.0 * epsilon * size - 1e-300;
}

Lead MovingPair::lead_along(const Vec3& direction) const {
  const Vec3 scaled = direction / direction.cwiseAbs().maxCoeff();  // its square is not too small
  // made a little too short, for then n.r is no more than a distance
  const Vec3 n = (1.0 - 8.0 * epsilon) / scaled.norm() * scaled;
  Lead lead;
  lead.count = num_pairs();
  for (int k = 0; k < lead.count; ++k) {
    lead.start[k] = certain_product(n, start_[k]);
    lead.end[k] = certain_product(n, end_[k]);
  }
  return lead;
}

/// The part of v that is perpendicular to one or two directions. Twice, since what a first pass
/// leaves may be all that there is.
Vec3 perpendicular(Vec3 v, const std::array<Vec3, 2>& directions, int count) {
  const auto remove = [](const Vec3& d, Vec3& u) {
    const double square = d.squaredNorm();
    if (square > 0.0) u -= u.dot(d) / square * d;
  };
  for (int pass = 0; pass < 2; ++pass) {
    if (count > 0) remove(directions[0], v);
    if (count < 2) continue;
    Vec3 second = directions[1];
    remove(directions[0], second);
    remove(second, v);
  }
  return v;
}

/// Corners relative to one of the nearest two, in a unit of about their size.
Corners MovingPair::shape_at(double t) const {
  int nearest = 0;
  for (int k = 1; k < num_pairs(); ++k)
    if (between(k, t).squaredNorm() < between(nearest, t).squaredNorm()) nearest = k;
  const int origin = second(nearest);
  Corners x = Corners::Zero();
  for (int i = 0; i < num_first_ + num_second_; ++i)
    x.col(i) = (1.0 - t) * (from_.col(i) - from_.col(origin)) + t * (to_.col(i) - to_.col(origin));
  const double size = x.cwiseAbs().maxCoeff();
  return size > 0.0 ? Corners(x / size) : x;
}

Lead MovingPair::best_lead(double t) const {
  const Corners x = shape_at(t);
  const Closest c = closest(kind_, x);
  // corners that a small gap must not see ahead of each other are level with great accuracy
  Lead best = lead_along(perpendicular(c.way, c.directions, c.num_free));
  if (!have_planes()) return best;
  // where the shortest way leads to a side, but hardly so, the normal is the better one
  const std::array<int, 4> s = sides();
  const Vec3 e = x.col(s[1]) - x.col(s[0]), f = x.col(s[3]) - x.col(s[2]);
  Vec3 normal = perpendicular(cross(e, f), {e, f}, 2);
  Vec3 ahead = Vec3::Zero();
  for (int k = 0; k < num_pairs(); ++k) ahead += between(k, t);
  if (normal.dot(ahead) < 0.0) normal = -normal;
  const Lead other = lead_along(normal);
  if (!(best.at(t) >= other.at(t))) best = other;
  return best;
}

MovingPlanes MovingPair::planes() const {
  const std::array<int, 4> s = sides();
  return {between_corners(from_, to_, s[0], s[1]),
          between_corners(from_, to_, s[2], s[3]),
          {start_[0], end_[0]}};
}

/// A plane has no corners to end at.
double free_part_to_plane(const Corners& from, const Corners& to, double thickness, double kept,
                          double most) {
  const MovingPlanes planes(between_corners(from, to, 1, 2), between_corners(from, to, 1, 3),
                            between_corners(from, to, 1, 0));
  const double gap = planes.distance_at_start();
  if (!(gap > thickness)) return 0.0;
  const Weights weights = point_plane(from).weights;
  double rounding = 0.0;
  for (int i = 0; i < 4; ++i) rounding += std::abs(weights[i]) * rounding_of_corner(from, to, i);
  return planes.reach(kept_distance(gap, thickness + rounding, kept, most), 0.0);
}

}  // namespace

double free_part(Feature kind, const Corners& from, const Corners& to, double thickness,
                 double kept, double most) {
  if (kind == Feature::point_plane) return free_part_to_plane(from, to, thickness, kept, most);
  const MovingPair pair(kind, from, to);
  const double least = thickness + pair.rounding();
  const Vec3 apart = pair.between_centres();
  // most candidates are so far apart that any direction between them says so
  if (pair.lead_along(apart).reach(least + std::min(kept * apart.norm(), most), 0.0) >= 1.0)
    return 1.0;

  double t = 0.0, level = 0.0;
  for (int step = 0; step < most_steps; ++step) {
    const Lead lead = pair.best_lead(t);
    const double now = lead.at(t);
    if (step == 0) {
      if (!(now > thickness)) return 0.0;
      level = kept_distance(now, least, kept, most);
    }
    double next = lead.reach(level, t);
    if (step >= patient_steps && next < 1.0 && pair.have_planes())
      next = pair.planes().reach(level, next);
    if (!(next > t) || next >= 1.0) return next;
    const bool is_last =
        now - level < last_share * (level - thickness) && next - t < 0.1 * last_share * next;
    t = next;
    if (is_last) break;
  }
  return t;
}

}  // namespace sinew::geometry
