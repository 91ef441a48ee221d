// SPDX-License-Identifier: Apache-2.0
// Runs as pictures: upright whichever way is up, seen from where one asks, with colours explained.
#include <gtest/gtest.h>

#include <sinew/output/publish/colour_bar.hpp>
#include <sinew/output/publish/run_picture.hpp>
#include <sinew/render/colour_map.hpp>

namespace sinew::output {
namespace {

/// A tall wedge that leans to +x, in coordinates with z up; `turn` brings it elsewhere.
SurfaceFrames wedge(const Mat3& turn = Mat3::Identity()) {
  SurfaceFrames surface;
  surface.times = {0.0};
  surface.chapters.push_back({.first = 0,
                              .num_vertices = 4,
                              .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
                              .num_body_vertices = 4,
                              .num_body_triangles = 4});
  std::vector<float> positions;
  for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1.5, 0.5, 3)}) {
    const Vec3 place = turn * corner;
    for (const double x : place) positions.push_back(static_cast<float>(x));
  }
  surface.positions.push_back(positions);
  surface.fields = {{.name = "speed", .unit = "m/s", .values = {{0.0F, 1.0F, 2.0F, 3.0F}}}};
  return surface;
}

TEST(RunPicture, IsTheSameWhicheverWayIsUp) {
  const SurfaceFrames standing = wedge();
  const Look look = look_at(std::array{&standing}, Vec3::UnitZ(), "speed");
  const auto expected = draw_frame(standing, 0, look, 120, 90, core::serial_executor());
  Mat3 to_y, to_x;
  to_y << 1, 0, 0, 0, 0, 1, 0, -1, 0;  // (x, y, z) as (x, z, -y)
  to_x << 0, 0, 1, 0, 1, 0, -1, 0, 0;  // as (z, y, -x)
  for (const auto& [turn, up] : {std::pair{to_y, Vec3(0, 1, 0)}, std::pair{to_x, Vec3(1, 0, 0)}}) {
    const SurfaceFrames turned = wedge(turn);
    const Look other = look_at(std::array{&turned}, up, "speed");
    EXPECT_EQ(draw_frame(turned, 0, other, 120, 90, core::serial_executor()).rgb, expected.rgb);
  }
  const SurfaceFrames lying = wedge(to_y);
  const Look wrong = look_at(std::array{&lying}, Vec3::UnitZ(), "speed");
  EXPECT_NE(draw_frame(lying, 0, wrong, 120, 90, core::serial_executor()).rgb, expected.rgb);
}

TEST(RunPicture, NamedViewsLookWhereTheySay) {
  const SurfaceFrames surface = wedge();
  Look look = look_at(std::array{&surface}, Vec3::UnitZ(), "");
  const auto forward = [&](const char* view) {
    look.view = view;
    return camera_of(look, 1.5).forward;
  };
  EXPECT_EQ(forward("front"), Vec3(0, 1, 0));
  EXPECT_EQ(forward("side"), Vec3(-1, 0, 0));
  EXPECT_EQ(forward("top"), Vec3(0, 0, -1));
  look.view = "front";
  EXPECT_EQ(camera_of(look, 1.5).right, Vec3(1, 0, 0)) << "x is to the right";
  for (const std::string& view : view_names()) {
    look.view = view;
    const render::Camera camera = camera_of(look, 1.5);
    for (const Vec3& corner : {look.box.low, look.box.high})
      EXPECT_LE(camera.project(corner).cwiseAbs().maxCoeff(), 1.0) << view;
  }
}

TEST(RunPicture, TheCameraGoesWhereItIsTold) {
  const SurfaceFrames surface = wedge();
  Look look = look_at(std::array{&surface}, Vec3::UnitZ(), "");
  look.target = Vec3(1.5, 0.5, 3.0);
  EXPECT_LT(camera_of(look, 1.5).project(*look.target).norm(), 1e-12);
  look.eye = Vec3(4, -3, 2);
  EXPECT_EQ(camera_of(look, 1.5).eye, *look.eye);
  EXPECT_LT(camera_of(look, 1.5).project(*look.target).norm(), 1e-12);
}

TEST(RunPicture, AFieldThatIsNotThereGivesOneColour) {
  const SurfaceFrames surface = wedge();
  EXPECT_TRUE(look_at(std::array{&surface}, Vec3::UnitZ(), "von_mises").field.empty());
  EXPECT_EQ(look_at(std::array{&surface}, Vec3::UnitZ(), "speed").unit, "m/s");
}

TEST(ColourBar, ShowsBothEndsOfTheColoursAndPointsBeyond) {
  const auto count = [](const render::Image& image, double place) {
    const render::Colour colour = 255.0F * render::map_colour(place);
    int found = 0;
    for (std::size_t k = 0; k + 2 < image.rgb.size(); k += 3) {
      bool is_same = true;
      for (std::size_t c = 0; c < 3; ++c)
        is_same = is_same && std::abs(static_cast<float>(image.rgb[k + c]) -
                                      colour[static_cast<Index>(c)]) < 1.0F;
      found += is_same ? 1 : 0;
    }
    return found;
  };
  ColourRange range{.low = 0.0, .high = 2.5e6};
  const render::Image plain = colour_bar(range, "von_mises", "Pa", 800, 12.0, false);
  EXPECT_EQ(plain.width, 800);
  EXPECT_GT(count(plain, 0.0), 10);
  EXPECT_GT(count(plain, 1.0), 10);
  range.exceeds_high = true;
  const render::Image pointed = colour_bar(range, "von_mises", "Pa", 800, 12.0, false);
  EXPECT_GT(count(pointed, 1.0), count(plain, 1.0) + 30);
  EXPECT_EQ(count(pointed, 0.0), count(plain, 0.0));
  // beside its title there would be a stub of a bar: it goes below
  const render::Image narrow = colour_bar(range, "von_mises", "Pa", 320, 12.0, false);
  EXPECT_GT(narrow.height, plain.height);
  const auto is_of = [&](int x, double place) {
    const render::Colour colour = 255.0F * render::map_colour(place);
    for (int y = 0; y < narrow.height; ++y) {
      const std::uint8_t* pixel = narrow.pixel(x, y);
      const render::Colour here(pixel[0], pixel[1], pixel[2]);
      if ((here - colour).cwiseAbs().maxCoeff() < 1.0F) return true;
    }
    return false;
  };
  int left = 0, right = narrow.width - 1;
  while (left < right && !is_of(left, 0.0)) ++left;
  while (right > left && !is_of(right, 1.0)) --right;
  EXPECT_GT(right - left, narrow.width / 2);
  EXPECT_GT(count(narrow, 1.0), 10);
  // too narrow for anything: nothing to see, nothing that breaks
  EXPECT_EQ(colour_bar(range, "von_mises", "Pa", 20, 12.0, true).width, 20);
}

}  // namespace
}  // namespace sinew::output
