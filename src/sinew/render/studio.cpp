// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <sinew/render/sampling.hpp>
#include <sinew/render/studio.hpp>

namespace sinew::render {
namespace {

float screen_to_linear(float value) {
  return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

float linear_to_screen(float value) {
  return value <= 0.0031308f ? 12.92f * value : 1.055f * std::pow(value, 1.0f / 2.4f) - 0.055f;
}

/// Linear up to the knee, then ever slower towards white.
float film(float light) {
  constexpr float knee = 0.7f;
  if (light <= knee) return light;
  return knee + (1.0f - knee) * (1.0f - std::exp(-(light - knee) / (1.0f - knee)));
}

/// What screens show, by the square root of the light, which is almost proportional to it.
class ScreenTable {
 public:
  ScreenTable() {
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const float root = longest * static_cast<float>(k) / last;
      values_[k] = 255.0f * std::clamp(linear_to_screen(film(root * root)), 0.0f, 1.0f);
    }
  }
  float operator()(float light) const {
    // darkness and NaN first
    if (!(light > 0.0f)) return 0.0f;
    return values_[static_cast<std::size_t>(std::min(std::sqrt(light) / longest, 1.0f) * last)];
  }

 private:
  static constexpr float longest = 2.5f, last = 16383.0f;
  std::array<float, 16384> values_;
};

/// Reflection of a satin surface (GGX, dielectric); the shadowing term is the cheap one of Karis.
float satin(const Vec3f& normal, const Vec3f& to_eye, const Vec3f& to_light) {
  constexpr float alpha = 0.27f, base = 0.04f;
  const Vec3f half = (to_eye + to_light).normalized();
  const float nl = normal.dot(to_light), nv = std::max(normal.dot(to_eye), 1e-3f);
  if (nl <= 0.0f) return 0.0f;
  const float nh = std::max(normal.dot(half), 0.0f), vh = std::max(to_eye.dot(half), 0.0f);
  const float spread = nh * nh * (alpha * alpha - 1.0f) + 1.0f;
  const float fresnel = base + (1.0f - base) * std::pow(1.0f - vh, 5.0f);
  constexpr float k = 0.5f * alpha;
  const float shadowing = 4.0f * (nl * (1.0f - k) + k) * (nv * (1.0f - k) + k);
  // without the pi of the lights, which here are irradiance over pi
  return nl * fresnel * alpha * alpha / (spread * spread * shadowing);
}

/// Light that finds its way into a niche over bright walls (fit of Jimenez et al. 2016).
Vec3f brightened(float sky, const Vec3f& albedo) {
  Vec3f result;
  for (int c = 0; c < 3; ++c) {
    const float a = 2.0404f * albedo[c] - 0.3324f, b = -4.7951f * albedo[c] + 0.6417f,
                d = 2.7552f * albedo[c] + 0.6903f;
    result[c] = std::max(sky, ((sky * a + b) * sky + d) * sky);
  }
  return result;
}

}  // namespace

Vec3f to_linear(const Colour& colour) {
  return colour.cwiseMax(0.0f).cwiseMin(1.0f).unaryExpr(&screen_to_linear);
}

void expose(const Vec3f& light, float threshold, std::uint8_t* rgb) {
  static const ScreenTable table;
  for (int c = 0; c < 3; ++c)
    rgb[c] = static_cast<std::uint8_t>(std::min(table(light[c]) + 1.0f - threshold, 255.0f));
}

Studio::Look Studio::look_of(Backdrop backdrop) {
  if (backdrop == Backdrop::dark)
    return {.key_light = {1.12f, 1.08f, 1.02f},
            .sky_light = {0.40f, 0.43f, 0.48f},
            .bounce_light = {0.10f, 0.10f, 0.11f},
            .fill_light = {0.10f, 0.12f, 0.15f},
            .rim_light = {0.55f, 0.60f, 0.68f},
            .top = to_linear({0.070f, 0.078f, 0.095f}),
            .bottom = to_linear({0.105f, 0.115f, 0.135f}),
            .pool = {0.036f, 0.039f, 0.046f},
            .ground_reflection = 0.2f};
  return {.key_light = {0.98f, 0.955f, 0.91f},
          .sky_light = {0.47f, 0.49f, 0.52f},
          .bounce_light = {0.30f, 0.295f, 0.285f},
          .fill_light = {0.10f, 0.11f, 0.12f},
          .rim_light = {0.12f, 0.12f, 0.13f},
          .top = to_linear({0.925f, 0.935f, 0.945f}),
          .bottom = to_linear({0.900f, 0.908f, 0.918f}),
          .pool = {0.10f, 0.10f, 0.098f},
          .ground_reflection = 0.65f};
}

Studio::Studio(const Camera& camera, Backdrop backdrop) : look_(look_of(backdrop)) {
  // level directions, or the lights would turn over when the camera looks down
  Vec3 level(camera.forward.x(), camera.forward.y(), 0.0);
  if (level.norm() < 1e-3) level = Vec3(camera.up.x(), camera.up.y(), 0.0);
  const Vec3f away = level.normalized().cast<float>(), right = camera.right.cast<float>();
  key_ = (-0.62f * right - 0.50f * away + 1.05f * Vec3f::UnitZ()).normalized();
  fill_ = (0.80f * right - 0.60f * away + 0.25f * Vec3f::UnitZ()).normalized();
  rim_ = (0.45f * right + 0.85f * away + 0.60f * Vec3f::UnitZ()).normalized();
}

Vec3f Studio::shade(const Vec3f& albedo, const Vec3f& normal, const Vec3f& to_eye,
                    const Visibility& visibility) const {
  const float up = 0.5f + 0.5f * normal.z();
  const Vec3f around = look_.bounce_light + up * (look_.sky_light - look_.bounce_light);
  const Vec3f open = brightened(visibility.sky, albedo);
  const float key = std::max(normal.dot(key_), 0.0f) * visibility.key;
  const float fill = std::max(normal.dot(fill_), 0.0f), rim = std::max(normal.dot(rim_), 0.0f);
  const Vec3f soft = around + fill * look_.fill_light + 0.35f * rim * look_.rim_light;
  const Vec3f diffuse = open.cwiseProduct(soft) + key * look_.key_light;

  const float grazing = std::pow(1.0f - std::clamp(normal.dot(to_eye), 0.0f, 1.0f), 4.0f);
  const Vec3f sheen = (0.03f + 0.22f * grazing) * visibility.sky * around;
  const Vec3f shine = satin(normal, to_eye, key_) * visibility.key * look_.key_light +
                      0.3f * satin(normal, to_eye, rim_) * visibility.sky * look_.rim_light;
  return albedo.cwiseProduct(diffuse) + sheen + shine;
}

Vec3f Studio::backdrop(float height) const {
  const float share = smooth_step(-1.0f, 1.0f, height);
  return look_.bottom + share * (look_.top - look_.bottom);
}

Vec3f Studio::ground(float distance, const Visibility& visibility, const Vec3f& backdrop) const {
  const float near = 1.0f - smooth_step(0.7f, 3.4f, distance);
  // shares of the light on the ground: mostly from the key light, the rest from around
  const float lit = 0.42f * visibility.key + 0.58f * visibility.sky;
  const float shown = 1.0f - near * (1.0f - lit);
  return shown * (backdrop + near * near * look_.pool);
}

}  // namespace sinew::render
