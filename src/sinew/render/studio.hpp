// SPDX-License-Identifier: Apache-2.0
// The lights and the backdrop: a soft key light from the upper left of the camera, light from all
// around, a weak fill light, a ground that fades into the backdrop, and the film at the end.
#pragma once

#include <cstdint>

#include <sinew/render/camera.hpp>
#include <sinew/render/picture.hpp>

namespace sinew::render {

using Vec3f = Eigen::Vector3f;

/// From what screens show to linear light ...
Vec3f to_linear(const Colour& colour);
/// ... and on to bytes, rounded up where the fraction exceeds `threshold`. Bright light is
/// compressed gently.
void expose(const Vec3f& light, float threshold, std::uint8_t* rgb);

/// How much of the lights reaches a point, each in [0, 1].
struct Visibility {
  float key = 1.0f;
  float sky = 1.0f;
};

class Studio {
 public:
  Studio(const Camera& camera, Backdrop backdrop);

  /// Unit vector from the scene to the key light.
  const Vec3f& key_direction() const { return key_; }

  /// Light of a surface towards the viewer. `normal` and `to_eye` are unit vectors.
  Vec3f shade(const Vec3f& albedo, const Vec3f& normal, const Vec3f& to_eye,
              const Visibility& visibility) const;

  /// Behind everything, by the height in the picture from -1 at the bottom to 1 at the top.
  Vec3f backdrop(float height) const;

  /// The ground at a distance from the middle of the scene, in radii of the camera's view.
  Vec3f ground(float distance, const Visibility& visibility, const Vec3f& backdrop) const;

  /// Share of the light from above that the ground sends back up.
  float ground_reflection() const { return look_.ground_reflection; }

 private:
  /// What differs between light and dark pictures, in linear light.
  struct Look {
    Vec3f key_light, sky_light, bounce_light, fill_light, rim_light;
    Vec3f top, bottom, pool;  ///< the backdrop, and what the key light adds to the ground
    float ground_reflection;
  };
  static Look look_of(Backdrop backdrop);

  Look look_;
  Vec3f key_, fill_, rim_;
};

}  // namespace sinew::render
