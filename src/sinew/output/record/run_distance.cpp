// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <sinew/mesh/io/vtu.hpp>
#include <sinew/output/record/run_distance.hpp>

namespace sinew::output {
namespace {

using Points = std::vector<Vec3>;
/// Numbers of points of two runs.
using Pairs = std::vector<std::array<std::size_t, 2>>;

constexpr double same_place = 1e-5;  // of the size of the body; single precision has 1e-7

Points points_of(const FrameFile& frame) {
  return mesh::io::read_vtu_fields(frame.path, false, {}).points;
}

/// Where the points of a frame were at rest, if it says so.
Points rest_of(const FrameFile& frame) {
  mesh::io::VtuFields fields = mesh::io::read_vtu_fields(frame.path, false, {"displacement"});
  const std::vector<double>& u = fields.point_data["displacement"];
  if (u.size() == 3 * fields.points.size())
    for (std::size_t k = 0; k < fields.points.size(); ++k)
      fields.points[k] -= Vec3(u[3 * k], u[3 * k + 1], u[3 * k + 2]);
  return fields.points;
}

double size_of(const Points& points) {
  Vec3 low = points.front(), high = points.front();
  for (const Vec3& x : points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return (high - low).norm();
}

/// The nearest point within a distance, each point once.
class PlaceFinder {
 public:
  PlaceFinder(const Points& points, double reach)
      : points_(points), reach_(reach), taken_(points.size(), false) {
    for (std::size_t k = 0; k < points.size(); ++k) cells_[cell_of(points[k])].push_back(k);
  }

  std::optional<std::size_t> take(const Vec3& x) {
    std::optional<std::size_t> nearest;
    double least = reach_;
    const Cell centre = cell_of(x);
    for (std::int64_t i = -1; i <= 1; ++i)
      for (std::int64_t j = -1; j <= 1; ++j)
        for (std::int64_t k = -1; k <= 1; ++k) {
          const auto cell = cells_.find({centre[0] + i, centre[1] + j, centre[2] + k});
          if (cell == cells_.end()) continue;
          for (const std::size_t candidate : cell->second) {
            const double distance = (points_[candidate] - x).norm();
            if (taken_[candidate] || distance > least) continue;
            least = distance;
            nearest = candidate;
          }
        }
    if (nearest) taken_[*nearest] = true;
    return nearest;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;

  Cell cell_of(const Vec3& x) const {
    const auto along = [&](int axis) {
      return static_cast<std::int64_t>(std::floor(x[axis] / reach_));
    };
    return {along(0), along(1), along(2)};
  }

  const Points& points_;
  double reach_;
  std::vector<bool> taken_;
  std::map<Cell, std::vector<std::size_t>> cells_;
};

/// Pairs of all points of the run that has fewer, or none.
Pairs paired(const Points& a, const Points& b) {
  const double reach = same_place * size_of(a);
  Pairs pairs;
  const auto pair_in_order = [&] {
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
      if (!((a[k] - b[k]).norm() <= reach)) return false;
    for (std::size_t k = 0; k < a.size(); ++k) pairs.push_back({k, k});
    return true;
  };
  if (pair_in_order() || !(reach > 0.0)) return pairs;
  PlaceFinder finder(b, reach);
  for (std::size_t k = 0; k < a.size(); ++k)
    if (const auto partner = finder.take(a[k])) pairs.push_back({k, *partner});
  if (pairs.size() < std::min(a.size(), b.size())) pairs.clear();
  return pairs;
}

}  // namespace

RunDistance distance_between(const RunReader& run, const RunReader& reference) {
  if (run.frames().empty() || reference.frames().empty())
    return {.value = {}, .why_not = "there are no frames"};
  const Points rest = rest_of(run.frames().front()),
               reference_rest = rest_of(reference.frames().front());
  const bool has_points = !rest.empty() && !reference_rest.empty();
  const Pairs pairs = has_points ? paired(rest, reference_rest) : Pairs{};
  if (pairs.empty())
    return {.value = {},
            .why_not = fmt::format("its {} points at rest are not where the {} of the other are",
                                   rest.size(), reference_rest.size())};
  constexpr double relative_slack = 1e-6;
  const double slack = relative_slack * run.frames().back().t /
                       static_cast<double>(std::max<std::size_t>(1, run.frames().size() - 1));
  double sum = 0.0;
  std::size_t times = 0, at = 0;
  double until = 0.0;
  for (const FrameFile& frame : run.frames()) {
    while (at < reference.frames().size() && reference.frames()[at].t < frame.t - slack) ++at;
    if (at == reference.frames().size()) break;
    if (reference.frames()[at].t > frame.t + slack || frame.t <= 0.0) continue;
    const Points a = points_of(frame), b = points_of(reference.frames()[at]);
    if (a.size() != rest.size() || b.size() != reference_rest.size())
      return {.value = {}, .why_not = "a body was cut or broke, and has other points since"};
    for (const auto& [own, other] : pairs) sum += (a[own] - b[other]).squaredNorm();
    ++times;
    until = frame.t;
  }
  if (times == 0)
    return {.value = {}, .why_not = "no frame after the start is at a time that both have"};
  const double value = std::sqrt(sum / static_cast<double>(times * pairs.size()));
  if (!std::isfinite(value)) return {.value = {}, .why_not = "there are positions without a value"};
  return {.value = value,
          .points = pairs.size(),
          .times = times,
          .until = until,
          .end = std::max(run.frames().back().t, reference.frames().back().t)};
}

}  // namespace sinew::output
