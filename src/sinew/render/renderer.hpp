// SPDX-License-Identifier: Apache-2.0
// Draws a picture without a screen or a graphics card.
#pragma once

#include <sinew/core/executor.hpp>
#include <sinew/render/camera.hpp>
#include <sinew/render/image.hpp>
#include <sinew/render/picture.hpp>

namespace sinew::render {

struct RenderSettings {
  int width = 1280;     ///< [pixels]
  int height = 720;     ///< [pixels]
  int samples = 8;      ///< per pixel with an edge in it; best a power of two
  int ao_samples = 4;   ///< rays per pixel for the light from around; 0: everything gets it
  bool shadows = true;  ///< of the key light, soft
};

/// The same bytes for any number of threads. If the settings' aspect ratio is not the camera's,
/// more is shown at the sides or above and below, never less.
Image render(const Picture& picture, const Camera& camera, const RenderSettings& settings = {},
             const core::Executor& executor = core::serial_executor());

}  // namespace sinew::render
