// SPDX-License-Identifier: Apache-2.0
// Well-spread points without random numbers: a pixel's points depend on its place alone, never on
// the thread that draws it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include <Eigen/Geometry>

namespace sinew::render {

inline float smooth_step(float low, float high, float x) {
  const float share = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return share * share * (3.0f - 2.0f * share);
}

/// The first two dimensions of Sobol's sequence, scrambled by flipping the same bits of all points:
/// every aligned block of 2^k points is as well spread over the square as 2^k points can be.
inline Eigen::Vector2f sobol_point(std::uint32_t index, std::uint32_t scramble) {
  std::uint32_t x = 0, y = 0, bit = 1u << 31, column = 1u << 31;
  for (std::uint32_t k = index; k != 0; k >>= 1) {
    if (k & 1u) {
      x |= bit;
      y ^= column;
    }
    bit >>= 1;
    column ^= column >> 1;
  }
  constexpr float unit = 1.0f / 16777216.0f;
  return {static_cast<float>((x ^ scramble) >> 8) * unit,
          static_cast<float>((y ^ (scramble * 0x9e3779b1u)) >> 8) * unit};
}

/// Pixels are dealt 64 different blocks of points, the same in every square of 8 x 8 pixels. A
/// filter that weighs these 64 equally sees all the points and no noise. Neighbours get distant
/// blocks: the bits of x ^ y and y from the lowest on, as in ordered dithering.
inline std::uint32_t block_of_pixel(int x, int y) {
  std::uint32_t block = 0;
  for (int bit = 0; bit < 3; ++bit) {
    const auto low = static_cast<std::uint32_t>((y >> bit) & 1);
    const auto high = static_cast<std::uint32_t>(((x ^ y) >> bit) & 1);
    block = 4 * block + 2 * high + low;
  }
  return block;
}

/// Between 0 and 1, spread so evenly over the pixels that the eye does not see a pattern (Jimenez).
inline float grain(int x, int y) {
  const float ramp = 0.06711056f * static_cast<float>(x) + 0.00583715f * static_cast<float>(y);
  const float noise = 52.9829189f * (ramp - std::floor(ramp));
  return noise - std::floor(noise);
}

/// Two unit vectors that complete a unit vector to a right-handed frame (Duff et al. 2017).
inline std::pair<Eigen::Vector3f, Eigen::Vector3f> frame_around(const Eigen::Vector3f& n) {
  const float sign = std::copysign(1.0f, n.z()), a = -1.0f / (sign + n.z()), b = n.x() * n.y() * a;
  return {{1.0f + sign * n.x() * n.x() * a, sign * b, -sign * n.x()},
          {b, sign + n.y() * n.y() * a, -n.y()}};
}

/// From the square to the unit disc, keeping areas.
inline Eigen::Vector2f disc_point(const Eigen::Vector2f& square) {
  const float r = std::sqrt(square.x()), turn = 2.0f * std::numbers::pi_v<float> * square.y();
  return {r * std::cos(turn), r * std::sin(turn)};
}

}  // namespace sinew::render
