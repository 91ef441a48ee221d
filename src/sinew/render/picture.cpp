// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <sinew/render/picture.hpp>

namespace sinew::render {
namespace {

class Growing {
 public:
  void add(const Vec3& point) {
    if (!point.allFinite()) return;
    low_ = low_.cwiseMin(point);
    high_ = high_.cwiseMax(point);
  }
  void add(const Sphere& sphere) {
    add(sphere.centre - Vec3::Constant(sphere.radius));
    add(sphere.centre + Vec3::Constant(sphere.radius));
  }
  void add(const Box& box) {
    const Vec3 reach = box.rotation.cwiseAbs() * box.half_size;
    add(box.centre - reach);
    add(box.centre + reach);
  }
  void add(const Plane&) {}

  mesh::BoundingBox box() const {
    if (low_.x() > high_.x()) return {};
    return {low_, high_};
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec3 low_ = Vec3::Constant(infinity), high_ = Vec3::Constant(-infinity);
};

}  // namespace

mesh::BoundingBox bounding_box(const Picture& picture) {
  Growing growing;
  for (const Surface& surface : picture.surfaces)
    for (const Vec3& position : surface.positions) growing.add(position);
  for (const Obstacle& obstacle : picture.obstacles)
    std::visit([&](const auto& form) { growing.add(form); }, obstacle.form);
  return growing.box();
}

}  // namespace sinew::render
