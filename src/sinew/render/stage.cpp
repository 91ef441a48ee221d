// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <sinew/core/error.hpp>
#include <sinew/render/colour_map.hpp>
#include <sinew/render/sampling.hpp>
#include <sinew/render/stage.hpp>
#include <sinew/render/tessellate.hpp>

namespace sinew::render {
namespace {

constexpr float offset = 2e-4f;        ///< of rays that start on a surface
constexpr float light_radius = 0.11f;  ///< of the key light, as a slope: penumbras of 12 degrees
constexpr float sky_reach = 0.9f;      ///< farther away, nothing dims the light from around
constexpr float clearance = 0.04f;     ///< between a ghost and a solid, to see all of the ghost
constexpr float horizon = 1e5f;        ///< the ground has long faded there
constexpr int most_ghosts = 8;         ///< layers that are looked through

std::vector<Shape> shapes_of(const Picture& picture, const Camera& camera) {
  SINEW_ASSERT(camera.radius > 0.0 && camera.centre.allFinite() && camera.eye.allFinite(),
               "the camera looks at nothing");
  std::vector<Shape> shapes;
  for (const Surface& surface : picture.surfaces)
    shapes.push_back(make_shape(surface, camera.centre, camera.radius));
  for (const Obstacle& obstacle : picture.obstacles)
    shapes.push_back(
        make_shape(tessellate(obstacle, 3.0 * camera.radius), camera.centre, camera.radius));
  return shapes;
}

bool is_solid(const Shape& shape) {
  return shape.opacity >= 1.0f;
}

bool is_ghost(const Shape& shape) {
  return shape.opacity < 1.0f && shape.opacity > 0.0f;
}

std::vector<Vec3f> linear_colours() {
  std::vector<Vec3f> colours(512);
  for (std::size_t k = 0; k < colours.size(); ++k)
    colours[k] = to_linear(map_colour(static_cast<double>(k) / 511.0));
  return colours;
}

}  // namespace

Stage::Stage(const Picture& picture, const Camera& camera)
    : shapes_(shapes_of(picture, camera)),
      solids_(shapes_, is_solid),
      ghosts_(shapes_, is_ghost),
      colours_(linear_colours()),
      ground_(picture.ground && std::isfinite(picture.ground_height)),
      ground_height_(
          static_cast<float>((picture.ground_height - camera.centre.z()) / camera.radius)),
      eye_(((camera.eye - camera.centre) / camera.radius).cast<float>()) {}

Vec3f Stage::albedo_of(const Shape& shape, const RayHit& hit) const {
  if (shape.values.empty()) return shape.albedo;
  const auto& triangle = shape.triangles[static_cast<std::size_t>(hit.triangle)];
  const auto value = [&](std::size_t k) {
    return shape.values[static_cast<std::size_t>(triangle[k])];
  };
  const float mean = (1.0f - hit.u - hit.v) * value(0) + hit.u * value(1) + hit.v * value(2);
  if (!std::isfinite(mean)) return shape.albedo;
  return colours_[static_cast<std::size_t>(std::lround(511.0f * std::clamp(mean, 0.0f, 1.0f)))];
}

Seen Stage::at(const Ray& ray, const RayHit& hit) const {
  const Shape& shape = shapes_[static_cast<std::size_t>(hit.shape)];
  const auto& triangle = shape.triangles[static_cast<std::size_t>(hit.triangle)];
  const auto& normals = shape.normals[static_cast<std::size_t>(hit.triangle)];
  std::array<Vec3f, 3> p;
  for (std::size_t k = 0; k < 3; ++k) p[k] = shape.positions[static_cast<std::size_t>(triangle[k])];
  const std::array<float, 3> weights{1.0f - hit.u - hit.v, hit.u, hit.v};

  Seen seen;
  seen.what = hit.shape;
  seen.distance = hit.distance;
  seen.position = ray.origin + hit.distance * ray.direction;
  seen.flat = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
  const float side = seen.flat.dot(ray.direction) > 0.0f ? -1.0f : 1.0f;
  seen.flat *= side;
  seen.lifted = seen.position;
  for (std::size_t k = 0; k < 3; ++k) {
    seen.normal += weights[k] * normals[k];
    // the triangle hides behind the smooth surface, whose shadow it must not cast on itself: the
    // start of rays moves to the corners' tangent planes (Hanika 2021)
    const float below = std::min(0.0f, side * (seen.position - p[k]).dot(normals[k]));
    seen.lifted -= weights[k] * below * side * normals[k];
  }
  seen.normal = (side * seen.normal).normalized();
  // a smooth normal that looks away from the eye would give black rims
  const float away = seen.normal.dot(ray.direction);
  if (away > 0.0f) seen.normal = (seen.normal - away * ray.direction).normalized();
  seen.albedo = albedo_of(shape, hit);
  return seen;
}

Seen Stage::look(const Vec3f& direction) const {
  const Ray ray{eye_, direction};
  RayHit hit;
  const bool found = solids_.closest(ray, hit);
  // drawn from above only, and behind a surface that lies on it
  if (ground_ && direction.z() < 0.0f && eye_.z() > ground_height_) {
    const float distance = (ground_height_ - eye_.z()) / direction.z();
    const float limit = found ? hit.distance * (1.0f - 1e-5f) : horizon;
    if (distance < limit) {
      Seen seen;
      seen.what = seen_ground;
      seen.distance = distance;
      seen.position = eye_ + distance * direction;
      seen.position.z() = ground_height_;
      seen.lifted = seen.position;
      seen.normal = seen.flat = Vec3f::UnitZ();
      return seen;
    }
  }
  return found ? at(ray, hit) : Seen{};
}

Veil Stage::look_through(const Vec3f& direction, const Seen& behind, const Studio& studio) const {
  Veil veil;
  Ray ray{eye_, direction};
  if (behind.what != seen_backdrop) ray.to = behind.distance;
  RayHit hit;
  for (int layer = 0; layer < most_ghosts && ghosts_.closest(ray, hit); ++layer) {
    const Seen seen = at(ray, hit);
    // a ghost that lies on a solid surface does not show
    const float opacity = shapes_[static_cast<std::size_t>(hit.shape)].opacity *
                          smooth_step(0.1f * clearance, clearance, ray.to - hit.distance);
    // a thin skin is longer in the eye's way where it is seen from the side
    const float slant = std::max(0.2f, -direction.dot(seen.normal));
    const float through = std::pow(1.0f - opacity, 1.0f / slant);
    veil.light += veil.transmission * (1.0f - through) *
                  studio.shade(seen.albedo, seen.normal, -direction, Visibility{});
    veil.transmission *= through;
    veil.ghosts = veil.ghosts * 31 + static_cast<std::uint32_t>(hit.shape) + 1;
    ray.from = hit.distance + offset;
  }
  return veil;
}

float Stage::key_light(const Seen& seen, const Studio& studio, std::uint32_t first,
                       int rays) const {
  const Vec3f& key = studio.key_direction();
  if (rays == 0) return 1.0f;
  // turned away from the light: black already
  if (seen.normal.dot(key) <= 0.0f) return 0.0f;
  const auto [across, along] = frame_around(key);
  Ray ray{seen.lifted + offset * seen.flat, key};
  int reached = 0;
  for (int k = 0; k < rays; ++k) {
    const Eigen::Vector2f disc =
        disc_point(sobol_point(first + static_cast<std::uint32_t>(k), 0x5bd1e995u));
    ray.direction = key + light_radius * (disc.x() * across + disc.y() * along);
    reached += !solids_.blocked(ray);
  }
  return static_cast<float>(reached) / static_cast<float>(rays);
}

float Stage::sky_light(const Seen& seen, float reflection, std::uint32_t first, int rays) const {
  if (rays == 0) return 1.0f;
  const bool alone = !solids_.near(seen.position, sky_reach);
  if (alone && (!ground_ || seen.what == seen_ground)) return 1.0f;
  const auto [across, along] = frame_around(seen.normal);
  Ray ray{seen.lifted + offset * seen.flat, seen.normal};
  ray.to = sky_reach;
  float sum = 0.0f;
  for (int k = 0; k < rays; ++k) {
    const Eigen::Vector2f disc =
        disc_point(sobol_point(first + static_cast<std::uint32_t>(k), 0x1b56c4e9u));
    const float height = std::sqrt(std::max(0.0f, 1.0f - disc.squaredNorm()));
    ray.direction = disc.x() * across + disc.y() * along + height * seen.normal;
    // the smooth normal's hemisphere reaches below the triangle
    const float below = ray.direction.dot(seen.flat);
    if (below < 0.0f) ray.direction -= 2.0f * below * seen.flat;
    if (solids_.blocked(ray)) continue;
    const bool down = ground_ && seen.what != seen_ground && ray.direction.z() < 0.0f;
    const float way = down ? (ground_height_ - ray.origin.z()) / ray.direction.z() : sky_reach;
    // near the ground its shade counts, far above it does not
    const float shade = std::clamp(1.0f - way / sky_reach, 0.0f, 1.0f);
    sum += 1.0f - shade * (1.0f - reflection);
  }
  return sum / static_cast<float>(rays);
}

}  // namespace sinew::render
