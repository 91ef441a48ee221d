// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <Eigen/Geometry>

#include <sinew/output/publish/run_picture.hpp>
#include <sinew/output/publish/upright.hpp>
#include <sinew/render/renderer.hpp>

namespace sinew::output {
namespace {

struct View {
  const char* name;
  Vec3 direction;  ///< from the camera into the scene, upright
};

const std::array<View, 7>& views() {
  static const std::array<View, 7> table{{{"iso", render::Framing{}.view_direction},
                                          {"front", Vec3::UnitY()},
                                          {"back", -Vec3::UnitY()},
                                          {"side", -Vec3::UnitX()},
                                          {"left", Vec3::UnitX()},
                                          {"top", -Vec3::UnitZ()},
                                          {"bottom", Vec3::UnitZ()}}};
  return table;
}

Vec3 direction_of(const std::string& name) {
  const auto found = std::find_if(views().begin(), views().end(),
                                  [&](const View& view) { return view.name == name; });
  return found == views().end() ? views().front().direction : found->direction;
}

mesh::BoundingBox upright_box(std::span<const SurfaceFrames* const> runs, const Mat3& upright) {
  Eigen::AlignedBox3d box;
  for (const SurfaceFrames* run : runs) {
    if (run->times.empty()) continue;
    const auto [low, high] = run->focus();
    for (std::size_t corner = 0; corner < 8; ++corner) {
      Vec3 point;
      for (std::size_t axis = 0; axis < 3; ++axis)
        point[static_cast<Index>(axis)] = (corner >> axis & 1U) != 0 ? high[axis] : low[axis];
      box.extend(upright * point);
    }
  }
  return {box.min(), box.max()};
}

/// Obstacles are seen from outside only: a wall must not hide what runs into it.
render::Surface obstacles_of(const render::Surface& body, const SurfaceChapter& chapter,
                             const Vec3& eye) {
  render::Surface obstacles{.positions = body.positions, .triangles = {}};
  obstacles.colour = render::Obstacle{}.colour;
  const auto corner = [&](const std::array<int, 3>& triangle, std::size_t k) -> const Vec3& {
    return obstacles.positions[static_cast<std::size_t>(triangle[k])];
  };
  std::copy_if(chapter.triangles.begin() + static_cast<Index>(chapter.num_body_triangles),
               chapter.triangles.end(), std::back_inserter(obstacles.triangles),
               [&](const std::array<int, 3>& triangle) {
                 const Vec3& a = corner(triangle, 0);
                 const Vec3 normal = (corner(triangle, 1) - a).cross(corner(triangle, 2) - a);
                 return normal.dot(eye - a) > 0.0;
               });
  return obstacles;
}

}  // namespace

std::vector<std::string> view_names() {
  std::vector<std::string> names;
  names.reserve(views().size());
  for (const View& view : views()) names.emplace_back(view.name);
  return names;
}

Look look_at(std::span<const SurfaceFrames* const> runs, const Vec3& up, const std::string& field) {
  Look look{.upright = upright(up), .box = {}, .field = field};
  look.box = upright_box(runs, look.upright);
  std::vector<const SurfaceField*> fields;
  for (const SurfaceFrames* run : runs)
    if (const SurfaceField* found = find_field(*run, field)) fields.push_back(found);
  if (fields.empty()) {
    look.field.clear();
    return look;
  }
  look.unit = fields.front()->unit;
  look.range = robust_range(fields);
  return look;
}

render::Camera camera_of(const Look& look, double aspect) {
  render::Camera camera =
      render::frame_box(look.box, aspect, {.view_direction = direction_of(look.view)});
  if (look.eye || look.target) {
    const Vec3 target = look.target.value_or(camera.centre);
    // a named view keeps its distance
    const double distance = (camera.centre - camera.eye).norm();
    const Vec3 eye = look.eye.value_or(target - distance * camera.forward);
    camera = render::aim(camera, eye, target);
  }
  return camera;
}

render::Image draw_frame(const SurfaceFrames& surface, std::size_t frame, const Look& look,
                         int width, int height, const core::Executor& executor) {
  render::Picture picture;
  render::Surface body;
  const std::vector<float>& x = surface.positions[frame];
  body.positions.reserve(x.size() / 3);
  for (std::size_t k = 0; k + 2 < x.size(); k += 3)
    body.positions.emplace_back(look.upright * Vec3(x[k], x[k + 1], x[k + 2]));
  const render::Camera camera = camera_of(look, static_cast<double>(width) / height);
  const SurfaceChapter& chapter = surface.chapter_of(frame);
  render::Surface obstacles = obstacles_of(body, chapter, camera.eye);
  body.triangles.assign(chapter.triangles.begin(),
                        chapter.triangles.begin() + static_cast<Index>(chapter.num_body_triangles));
  if (const SurfaceField* field = find_field(surface, look.field)) {
    body.values.reserve(field->values[frame].size());
    for (const float value : field->values[frame]) body.values.push_back(look.range.place(value));
  }
  picture.surfaces.push_back(std::move(body));
  if (!obstacles.triangles.empty()) picture.surfaces.push_back(std::move(obstacles));
  picture.ground = look.has_ground;
  picture.ground_height = look.box.low[2] - 0.02 * look.box.diagonal();
  picture.backdrop = look.is_dark ? render::Backdrop::dark : render::Backdrop::light;
  render::RenderSettings settings{.width = width, .height = height};
  if (look.is_draft) {
    settings.samples = 2;
    settings.ao_samples = 0;
    settings.shadows = false;
  }
  return render::render(picture, camera, settings, executor);
}

}  // namespace sinew::output
