// SPDX-License-Identifier: Apache-2.0
// Where rays meet triangles; Embree does the work and stays behind this header.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>

#include <sinew/render/shape.hpp>

namespace sinew::render {

struct Ray {
  Vec3f origin, direction;
  float from = 0.0f;  ///< in lengths of the direction, as `to`
  float to = std::numeric_limits<float>::infinity();
};

struct RayHit {
  float distance;
  int shape, triangle;
  float u, v;  ///< weights of the triangle's second and third corner
};

class RayScene {
 public:
  /// Takes those shapes of the list that are `wanted`. The list must outlive the scene.
  RayScene(std::span<const Shape> shapes, const std::function<bool(const Shape&)>& wanted);
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  bool empty() const { return empty_; }
  /// The first triangle along the ray, if there is one.
  bool closest(const Ray& ray, RayHit& hit) const;
  bool blocked(const Ray& ray) const;
  /// Whether a ball of that radius can touch anything.
  bool near(const Vec3f& point, float radius) const;

 private:
  struct Embree;
  std::unique_ptr<Embree> embree_;
  bool empty_ = true;
  Vec3f low_ = Vec3f::Zero(), high_ = Vec3f::Zero();
};

}  // namespace sinew::render
