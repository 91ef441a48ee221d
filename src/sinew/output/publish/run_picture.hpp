// SPDX-License-Identifier: Apache-2.0
// One frame of a run as a picture. What several pictures have in common is a Look.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <sinew/core/executor.hpp>
#include <sinew/mesh/tet_mesh.hpp>
#include <sinew/output/publish/colour_range.hpp>
#include <sinew/output/record/surface_frames.hpp>
#include <sinew/render/camera.hpp>
#include <sinew/render/image.hpp>

namespace sinew::output {

struct Look {
  Mat3 upright = Mat3::Identity();  ///< from the scene to the picture
  mesh::BoundingBox box;            ///< what is to be seen, upright [m]
  std::string field{};              ///< that gives the colours; empty: one colour
  std::string unit{};
  ColourRange range{};
  bool is_dark = false, has_ground = true, is_draft = false;
  std::string view = "iso";             ///< from where; a name, unless the eye is given
  std::optional<Vec3> eye{}, target{};  ///< upright [m]
};

/// Names of directions to look from.
std::vector<std::string> view_names();

/// A look that shows all of these runs.
Look look_at(std::span<const SurfaceFrames* const> runs, const Vec3& up, const std::string& field);

render::Camera camera_of(const Look& look, double aspect);

render::Image draw_frame(const SurfaceFrames& surface, std::size_t frame, const Look& look,
                         int width, int height, const core::Executor& executor);

}  // namespace sinew::output
