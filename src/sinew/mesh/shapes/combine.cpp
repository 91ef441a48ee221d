// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include <Eigen/Geometry>

#include <sinew/mesh/shapes/combine.hpp>
#include <sinew/mesh/shapes/distances.hpp>

namespace sinew::mesh {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

BoundingBox united(const BoundingBox& a, const BoundingBox& b) {
  return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)};
}

BoundingBox widened(const BoundingBox& box, double by) {
  return {box.low - Vec3::Constant(by), box.high + Vec3::Constant(by)};
}

/// The box of what a map makes of the corners.
template <class Map>
BoundingBox mapped(const BoundingBox& box, const Map& map) {
  if (is_endless(box)) return endless_box();
  BoundingBox result{Vec3::Constant(infinity), Vec3::Constant(-infinity)};
  for (int bits = 0; bits < 8; ++bits) {
    const Vec3 corner(bits & 1 ? box.high[0] : box.low[0], bits & 2 ? box.high[1] : box.low[1],
                      bits & 4 ? box.high[2] : box.low[2]);
    const Vec3 image = map(corner);
    result = united(result, {image, image});
  }
  return result;
}

double distance_to(const BoundingBox& box, const Vec3& x) {
  return (box.low - x).cwiseMax(x - box.high).cwiseMax(0.0).norm();
}

/// x -> scale * rotation * x + shift
struct Similarity {
  double scale = 1.0;
  Mat3 rotation = Mat3::Identity();
  Vec3 shift = Vec3::Zero();

  Vec3 operator()(const Vec3& x) const { return scale * (rotation * x) + shift; }
  Similarity operator*(const Similarity& first) const {
    return {scale * first.scale, rotation * first.rotation, (*this)(first.shift)};
  }
};

Similarity similarity_of(const Placement& placement) {
  const double radians = placement.degrees * std::numbers::pi / 180.0;
  return {placement.scale,
          Eigen::AngleAxisd(radians, placement.axis.normalized()).toRotationMatrix(),
          placement.translate};
}

Solid moved(const Solid& solid, const Similarity& map) {
  return {[inner = solid.phi, back = Mat3(map.rotation.transpose() / map.scale),
           map](const Vec3& x) { return map.scale * inner(back * (x - map.shift)); },
          mapped(solid.box, map), solid.slope};
}

/// What a member makes of the value so far. Those whose box is too far away to matter are passed
/// over: outside of it their values are at least the distance to it.
double apply(const Member& member, double value, const Vec3& x) {
  const double blend = member.blend;
  switch (member.operation) {
    case Operation::unite:
      if (distance_to(member.solid.box, x) >= value + blend) return value;
      return blended_min(value, member.solid.phi(x), blend);
    case Operation::subtract:
      if (distance_to(member.solid.box, x) >= blend - value) return value;
      return -blended_min(-value, member.solid.phi(x), blend);
    case Operation::intersect:
      return -blended_min(-value, -member.solid.phi(x), blend);
  }
  return value;
}

}  // namespace

BoundingBox endless_box() {
  return {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
}

bool is_endless(const BoundingBox& box) {
  return !box.low.allFinite() || !box.high.allFinite();
}

Solid placed(const Solid& solid, const Placement& placement) {
  return moved(solid, similarity_of(placement));
}

Solid grown(Solid solid, double distance) {
  if (distance == 0.0) return solid;
  return {[inner = std::move(solid.phi), distance](const Vec3& x) { return inner(x) - distance; },
          widened(solid.box, distance), solid.slope};
}

Solid mirrored(const Solid& solid, const Vec3& normal) {
  const Vec3 n = normal.normalized();
  const auto image = [n](const Vec3& x) { return Vec3(x - 2.0 * n.dot(x) * n); };
  const Solid other{[inner = solid.phi, image](const Vec3& x) { return inner(image(x)); },
                    mapped(solid.box, image), solid.slope};
  return combined({{solid}, {other}});
}

Solid repeated(const Solid& solid, const Repetition& repetition) {
  const Similarity each = similarity_of(repetition.each);
  Similarity all;
  std::vector<Member> copies{{solid}};
  for (int k = 1; k < repetition.count; ++k) {
    all = each * all;
    copies.push_back({moved(solid, all)});
  }
  return combined(std::move(copies));
}

Solid combined(std::vector<Member> members) {
  if (members.size() == 1) return std::move(members.front().solid);
  BoundingBox box = members.front().solid.box;
  double slope = 0.0;
  for (const Member& member : members) {
    const BoundingBox& other = member.solid.box;
    slope = std::max(slope, member.solid.slope);
    if (&member == &members.front() || member.operation == Operation::subtract) continue;
    if (member.operation == Operation::unite)
      box = widened(united(box, other), 0.25 * member.blend);
    else
      box = {box.low.cwiseMax(other.low), box.high.cwiseMin(other.high)};
  }
  // shared, so that copies of a group cost nothing
  const auto all = std::make_shared<const std::vector<Member>>(std::move(members));
  return {[all](const Vec3& x) {
            double value = all->front().solid.phi(x);
            for (std::size_t k = 1; k < all->size(); ++k) value = apply((*all)[k], value, x);
            return value;
          },
          box, slope};
}

}  // namespace sinew::mesh
