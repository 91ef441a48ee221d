// SPDX-License-Identifier: Apache-2.0
// Passes over tiles of pixels. The first looks through the middle of every pixel and measures the
// light there with few rays; two more smooth that light among neighbours on the same surface, along
// rows and along columns; the last shades, with more samples where a pixel holds an edge.
#include <algorithm>
#include <cmath>

#include <sinew/core/error.hpp>
#include <sinew/render/renderer.hpp>
#include <sinew/render/sampling.hpp>
#include <sinew/render/stage.hpp>

namespace sinew::render {
namespace {

constexpr int tile = 32;        ///< [pixels]
constexpr int reach = 4;        ///< of the smoothing: 9 x 9 pixels weigh all 8 x 8 blocks equally
constexpr int shadow_rays = 2;  ///< per pixel

/// The middle of a pixel.
struct Texel {
  Vec3f position, normal, albedo;
  float distance;
  int what;
  std::uint32_t ghosts;
};

/// Whether two points see the same light, as far as that can be told.
bool alike(const Texel& texel, const Seen& seen, float tolerance) {
  return texel.what == seen.what && texel.normal.dot(seen.normal) > 0.85f &&
         std::abs(seen.normal.dot(texel.position - seen.position)) < tolerance;
}

/// What of a texel the tests of likeness and shading need.
Seen seen_at(const Texel& texel) {
  Seen seen;
  seen.what = texel.what;
  seen.distance = texel.distance;
  seen.position = texel.position;
  seen.normal = texel.normal;
  seen.albedo = texel.albedo;
  return seen;
}

class Frame {
 public:
  Frame(const Picture& picture, const Camera& camera, const RenderSettings& settings);

  int tiles_across() const { return (settings_.width + tile - 1) / tile; }
  int tiles() const { return tiles_across() * ((settings_.height + tile - 1) / tile); }
  void measure_tile(int index);
  void smooth_rows(int index) { smooth(index, 1, 0, measured_, half_smoothed_); }
  void smooth_columns(int index) { smooth(index, 0, 1, half_smoothed_, measured_); }
  void draw_tile(int index, Image& image) const;

 private:
  template <class Draw>
  void for_pixels(int index, const Draw& draw) const;
  std::size_t at(int x, int y) const {
    return std::size_t(y) * std::size_t(settings_.width) + std::size_t(x);
  }
  bool inside(int x, int y) const {
    return x >= 0 && y >= 0 && x < settings_.width && y < settings_.height;
  }
  Vec3f direction(float x, float y) const;
  Visibility measure(const Seen& seen, std::uint32_t block, int times) const;
  void smooth(int index, int dx, int dy, const std::vector<Visibility>& from,
              std::vector<Visibility>& to) const;
  bool has_edge(int x, int y) const;
  bool borrow(int x, int y, const Seen& seen, Visibility& visibility) const;
  Vec3f light_of(const Seen& seen, const Vec3f& ray, float y, const Visibility& visibility) const;
  Vec3f light_of_sample(int px, int py, float x, float y) const;
  Vec3f light_of_pixel(int x, int y) const;

  RenderSettings settings_;
  Stage stage_;
  Studio studio_;
  Vec3f forward_, right_, up_;  ///< the last two as long as half the picture
  float pixel_size_;            ///< at distance 1
  std::vector<Texel> texels_;
  std::vector<Visibility> measured_, half_smoothed_;
};

Frame::Frame(const Picture& picture, const Camera& camera, const RenderSettings& settings)
    : settings_(settings),
      stage_(picture, camera),
      studio_(camera, picture.backdrop),
      texels_(std::size_t(settings.width) * std::size_t(settings.height)),
      measured_(texels_.size()),
      half_smoothed_(texels_.size()) {
  const double aspect = static_cast<double>(settings.width) / settings.height;
  const double tangent = camera.tan_half_height * std::max(1.0, camera.aspect / aspect);
  forward_ = camera.forward.cast<float>();
  right_ = (camera.right * tangent * aspect).cast<float>();
  up_ = (camera.up * tangent).cast<float>();
  pixel_size_ = static_cast<float>(2.0 * tangent / settings.height);
}

template <class Draw>
void Frame::for_pixels(int index, const Draw& draw) const {
  const int left = index % tiles_across() * tile, top = index / tiles_across() * tile;
  for (int y = top; y < std::min(top + tile, settings_.height); ++y)
    for (int x = left; x < std::min(left + tile, settings_.width); ++x) draw(x, y);
}

/// Through a place in the picture [pixels], as a unit vector.
Vec3f Frame::direction(float x, float y) const {
  const float across = 2.0f * x / static_cast<float>(settings_.width) - 1.0f;
  const float upward = 1.0f - 2.0f * y / static_cast<float>(settings_.height);
  return (forward_ + across * right_ + upward * up_).normalized();
}

/// With the points of that block, and as many times the usual number of them.
Visibility Frame::measure(const Seen& seen, std::uint32_t block, int times) const {
  const int key = (settings_.shadows ? shadow_rays : 0) * times, sky = settings_.ao_samples * times;
  return {stage_.key_light(seen, studio_, block * static_cast<std::uint32_t>(key), key),
          stage_.sky_light(seen, studio_.ground_reflection(),
                           block * static_cast<std::uint32_t>(sky), sky)};
}

void Frame::measure_tile(int index) {
  for_pixels(index, [&](int x, int y) {
    const Vec3f ray = direction(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
    const Seen seen = stage_.look(ray);
    const std::uint32_t ghosts = stage_.look_through(ray, seen, studio_).ghosts;
    texels_[at(x, y)] = {seen.position, seen.normal, seen.albedo, seen.distance, seen.what, ghosts};
    if (seen.what != seen_backdrop) measured_[at(x, y)] = measure(seen, block_of_pixel(x, y), 1);
  });
}

void Frame::smooth(int index, int dx, int dy, const std::vector<Visibility>& from,
                   std::vector<Visibility>& to) const {
  for_pixels(index, [&](int x, int y) {
    const Seen middle = seen_at(texels_[at(x, y)]);
    if (middle.what == seen_backdrop) return;
    const float tolerance = 3.0f * pixel_size_ * middle.distance;
    const auto run = [&](int sign, int most) {
      int length = 0;
      for (int i = x + sign * dx, j = y + sign * dy;
           length < most && inside(i, j) && alike(texels_[at(i, j)], middle, tolerance);
           i += sign * dx, j += sign * dy)
        ++length;
      return length;
    };
    int before = run(-1, reach), after = run(1, reach);
    // at the rim of a surface the other side must make up for what is missing
    if (before < reach)
      after = run(1, 2 * reach - 1 - before);
    else if (after < reach)
      before = run(-1, 2 * reach - 1 - after);
    // nine pixels: the two ends stand for the same block, half each
    const float end = before + after == 2 * reach ? 0.5f : 1.0f;
    float sum = 0.0f;
    Visibility total{0.0f, 0.0f};
    for (int k = -before; k <= after; ++k) {
      const Visibility& visibility = from[at(x + k * dx, y + k * dy)];
      const float weight = k == -before || k == after ? end : 1.0f;
      total.key += weight * visibility.key;
      total.sky += weight * visibility.sky;
      sum += weight;
    }
    to[at(x, y)] = {total.key / sum, total.sky / sum};
  });
}

bool Frame::has_edge(int x, int y) const {
  const Texel& texel = texels_[at(x, y)];
  const Seen middle = seen_at(texel);
  const float tolerance = 2.0f * pixel_size_ * middle.distance;
  for (int j = y - 1; j <= y + 1; ++j)
    for (int i = x - 1; i <= x + 1; ++i) {
      if (!inside(i, j)) continue;
      const Texel& other = texels_[at(i, j)];
      if (other.ghosts != texel.ghosts) return true;
      // the ground has faded where it meets the backdrop
      if (std::max(middle.what, other.what) < 0) continue;
      if (!alike(other, middle, tolerance)) return true;
    }
  return false;
}

/// Takes the light of the pixels around that lie on the same surface, if there are any.
bool Frame::borrow(int x, int y, const Seen& seen, Visibility& visibility) const {
  const float tolerance = 3.0f * pixel_size_ * seen.distance;
  int count = 0;
  Visibility total{0.0f, 0.0f};
  for (int j = y - 1; j <= y + 1; ++j)
    for (int i = x - 1; i <= x + 1; ++i) {
      if (!inside(i, j) || !alike(texels_[at(i, j)], seen, tolerance)) continue;
      total.key += measured_[at(i, j)].key;
      total.sky += measured_[at(i, j)].sky;
      ++count;
    }
  if (count == 0) return false;
  visibility = {total.key / static_cast<float>(count), total.sky / static_cast<float>(count)};
  return true;
}

Vec3f Frame::light_of(const Seen& seen, const Vec3f& ray, float y,
                      const Visibility& visibility) const {
  if (seen.what >= 0) return studio_.shade(seen.albedo, seen.normal, -ray, visibility);
  Vec3f backdrop = studio_.backdrop(1.0f - 2.0f * y / static_cast<float>(settings_.height));
  if (seen.what == seen_backdrop) return backdrop;
  return studio_.ground(seen.position.head<2>().norm(), visibility, backdrop);
}

Vec3f Frame::light_of_sample(int px, int py, float x, float y) const {
  const Vec3f ray = direction(x, y);
  const Seen seen = stage_.look(ray);
  Visibility visibility;
  if (seen.what != seen_backdrop && !borrow(px, py, seen, visibility))
    visibility = measure(seen, block_of_pixel(px, py) / 8, 8);
  const Veil veil = stage_.look_through(ray, seen, studio_);
  return veil.light + veil.transmission * light_of(seen, ray, y, visibility);
}

Vec3f Frame::light_of_pixel(int x, int y) const {
  const float left = static_cast<float>(x), top = static_cast<float>(y);
  const Texel& texel = texels_[at(x, y)];
  if (settings_.samples == 1 || !has_edge(x, y)) {
    if (texel.ghosts != 0) return light_of_sample(x, y, left + 0.5f, top + 0.5f);
    return light_of(seen_at(texel), direction(left + 0.5f, top + 0.5f), top + 0.5f,
                    measured_[at(x, y)]);
  }
  Vec3f sum = Vec3f::Zero();
  const float count = static_cast<float>(settings_.samples), middle = 0.5f / count;
  for (int k = 0; k < settings_.samples; ++k) {
    const Eigen::Vector2f place = sobol_point(static_cast<std::uint32_t>(k), 0);
    const Vec3f light = light_of_sample(x, y, left + place.x() + middle, top + place.y() + middle);
    // glints beyond white would leave jagged edges
    sum += light.cwiseMin(1.2f);
  }
  return sum / count;
}

void Frame::draw_tile(int index, Image& image) const {
  for_pixels(index,
             [&](int x, int y) { expose(light_of_pixel(x, y), grain(x, y), image.pixel(x, y)); });
}

}  // namespace

Image render(const Picture& picture, const Camera& camera, const RenderSettings& settings,
             const core::Executor& executor) {
  SINEW_ASSERT(settings.width > 0 && settings.height > 0, "the picture has no pixels");
  SINEW_ASSERT(settings.samples > 0 && settings.ao_samples >= 0, "too few samples");
  Frame frame(picture, camera, settings);
  Image image = filled_image(settings.width, settings.height, Colour::Zero());
  executor.for_each(frame.tiles(), [&](int index) { frame.measure_tile(index); });
  executor.for_each(frame.tiles(), [&](int index) { frame.smooth_rows(index); });
  executor.for_each(frame.tiles(), [&](int index) { frame.smooth_columns(index); });
  executor.for_each(frame.tiles(), [&](int index) { frame.draw_tile(index, image); });
  return image;
}

}  // namespace sinew::render
