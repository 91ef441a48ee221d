// SPDX-License-Identifier: Apache-2.0
// The picture ready for the camera: what a ray sees and how much light gets there. All lengths are
// in radii of the camera's view and all places relative to its centre, so that single precision and
// fixed tolerances serve every scale.
#pragma once

#include <cstdint>
#include <vector>

#include <sinew/render/camera.hpp>
#include <sinew/render/ray_scene.hpp>
#include <sinew/render/studio.hpp>

namespace sinew::render {

/// What is seen: a shape by its number, or one of these.
inline constexpr int seen_backdrop = -1, seen_ground = -2;

struct Seen {
  int what = seen_backdrop;
  float distance = 0.0f;           ///< from the eye
  Vec3f position = Vec3f::Zero();  ///<
  Vec3f lifted = Vec3f::Zero();    ///< on the smooth surface, off the triangle
  Vec3f normal = Vec3f::Zero();    ///< smooth, towards the eye
  Vec3f flat = Vec3f::Zero();      ///< of the triangle, towards the eye
  Vec3f albedo = Vec3f::Zero();
};

/// The ghosts in front of what is seen: its light is multiplied and theirs added.
struct Veil {
  Vec3f light = Vec3f::Zero();
  float transmission = 1.0f;
  std::uint32_t ghosts = 0;  ///< names the combination of ghosts; 0: none
};

class Stage {
 public:
  Stage(const Picture& picture, const Camera& camera);

  const Vec3f& eye() const { return eye_; }
  /// Along a unit vector from the eye.
  Seen look(const Vec3f& direction) const;
  Veil look_through(const Vec3f& direction, const Seen& behind, const Studio& studio) const;

  /// Points [first, first + rays) of the sequence are used for each kind of light; no rays means
  /// that all the light arrives.
  float key_light(const Seen& seen, const Studio& studio, std::uint32_t first, int rays) const;
  float sky_light(const Seen& seen, float reflection, std::uint32_t first, int rays) const;

 private:
  Seen at(const Ray& ray, const RayHit& hit) const;
  Vec3f albedo_of(const Shape& shape, const RayHit& hit) const;

  std::vector<Shape> shapes_;
  RayScene solids_, ghosts_;
  std::vector<Vec3f> colours_;  ///< the colour map in linear light
  bool ground_;
  float ground_height_;
  Vec3f eye_;
};

}  // namespace sinew::render
