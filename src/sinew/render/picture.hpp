// SPDX-License-Identifier: Apache-2.0
// What is to be drawn, as plain data in the coordinates of the scene [m], z up.
#pragma once

#include <array>
#include <variant>
#include <vector>

#include <sinew/core/types.hpp>
#include <sinew/mesh/tet_mesh.hpp>
#include <sinew/render/image.hpp>

namespace sinew::render {

struct Surface {
  std::vector<Vec3> positions;                ///< [m]
  std::vector<std::array<int, 3>> triangles;  ///< seen from both sides
  std::vector<double> values{};               ///< per vertex in [0, 1], shown as colours; or none
  Colour colour{0.36f, 0.56f, 0.74f};         ///< where there are no values
  float opacity = 1.0f;                       ///< below 1: a ghost that casts no shadow
};

struct Sphere {
  Vec3 centre = Vec3::Zero();  ///< [m]
  double radius = 1.0;         ///< [m]
};

/// For slopes and walls; a level floor is better drawn as the picture's ground.
struct Plane {
  Vec3 point = Vec3::Zero();  ///< [m]
  Vec3 normal = Vec3::UnitZ();
  double half_size = 0.0;  ///< a square of twice that side is drawn [m]; 0: large, by the camera
};

struct Box {
  Vec3 centre = Vec3::Zero();        ///< [m]
  Vec3 half_size = Vec3::Ones();     ///< [m]
  Mat3 rotation = Mat3::Identity();  ///< from the box's own axes to those of the scene
};

struct Obstacle {
  std::variant<Sphere, Plane, Box> form;
  Colour colour{0.66f, 0.66f, 0.67f};
  float opacity = 1.0f;
};

enum class Backdrop { light, dark };

struct Picture {
  std::vector<Surface> surfaces;
  std::vector<Obstacle> obstacles{};
  bool ground = false;
  double ground_height = 0.0;  ///< [m]
  Backdrop backdrop = Backdrop::light;
};

/// The box of all finite vertices, spheres and boxes; planes and the ground do not count.
mesh::BoundingBox bounding_box(const Picture& picture);

}  // namespace sinew::render
