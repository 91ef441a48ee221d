// SPDX-License-Identifier: Apache-2.0
// Pictures: files that read back, cameras that show the whole scene, light where it belongs, and
// the same bytes for any number of threads.
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <png.h>

#include <sinew/core/error.hpp>
#include <sinew/render/colour_map.hpp>
#include <sinew/render/renderer.hpp>
#include <sinew/render/shape.hpp>
#include <sinew/render/tessellate.hpp>

#include "support/temp_dir.hpp"

namespace sinew::render {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Image read_png(const fs::path& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_file(&png, path.c_str())) << png.message;
  png.format = PNG_FORMAT_RGB;
  Image image{static_cast<int>(png.width), static_cast<int>(png.height), {}};
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  EXPECT_TRUE(png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr)) << png.message;
  return image;
}

/// Relative luminance of screen colours (Rec. 709) in linear light.
double luminance(const Colour& colour) {
  const auto linear = [](double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

int brightness(const Image& image, int x, int y) {
  const std::uint8_t* rgb = image.pixel(x, y);
  return (rgb[0] + rgb[1] + rgb[2]) / 3;
}

/// The brightness where a point of the scene appears.
int brightness_at(const Image& image, const Camera& camera, const Vec3& point) {
  const Eigen::Vector2d place = camera.project(point);
  return brightness(image, static_cast<int>((0.5 + 0.5 * place.x()) * image.width),
                    static_cast<int>((0.5 - 0.5 * place.y()) * image.height));
}

Surface sphere(const Vec3& centre, double radius) {
  return tessellate({.form = Sphere{centre, radius}}, 1.0);
}

Picture ball_on_ground() {
  Picture picture{.surfaces = {sphere({0.0, 0.0, 0.5}, 0.5)}, .ground = true};
  for (const Vec3& position : picture.surfaces[0].positions)
    picture.surfaces[0].values.push_back(position.z());
  picture.obstacles.push_back({.form = Box{{0.9, 0.3, 0.2}, {0.2, 0.2, 0.2}}});
  picture.obstacles.push_back({.form = Sphere{{-0.8, -0.3, 0.2}, 0.2}, .opacity = 0.4f});
  return picture;
}

constexpr RenderSettings small{.width = 160, .height = 90};

// ---- images ----------------------------------------------------------------------------------

TEST(Png, ReadsBackByteForByte) {
  const TempDir dir;
  Image image = filled_image(37, 23, Colour::Zero());
  for (std::size_t k = 0; k < image.rgb.size(); ++k)
    image.rgb[k] = static_cast<std::uint8_t>(k * k % 251);

  write_png(dir.path() / "picture.png", image);
  const Image back = read_png(dir.path() / "picture.png");

  EXPECT_EQ(back.width, 37);
  EXPECT_EQ(back.height, 23);
  EXPECT_EQ(back.rgb, image.rgb);
  EXPECT_FALSE(fs::exists(dir.path() / "picture.png.part"));
}

TEST(Png, RefusesAnImageWithoutPixels) {
  EXPECT_THROW(encode_png(Image{}), InternalError);
  EXPECT_THROW(encode_png(Image{2, 2, {1, 2, 3}}), InternalError);
}

TEST(SideBySide, PutsImagesInARowWithGaps) {
  const std::vector<Image> images{filled_image(4, 6, Colour::UnitX()),
                                  filled_image(3, 2, Colour::UnitY())};

  const Image row = side_by_side(images, 2, Colour::UnitZ());

  EXPECT_EQ(row.width, 9);
  EXPECT_EQ(row.height, 6);
  EXPECT_EQ(row.pixel(3, 0)[0], 255);
  EXPECT_EQ(row.pixel(4, 0)[2], 255) << "the gap";
  EXPECT_EQ(row.pixel(6, 1)[2], 255) << "above the lower image";
  EXPECT_EQ(row.pixel(6, 2)[1], 255);
  EXPECT_EQ(row.pixel(8, 3)[1], 255);
}

TEST(ColourMap, GetsBrighterWithTheNumber) {
  double before = -1.0;
  for (int k = 0; k <= 1000; ++k) {
    const double now = luminance(map_colour(k / 1000.0));
    EXPECT_GT(now, before) << k;
    before = now;
  }
  EXPECT_EQ(map_colour(-3.0), map_colour(0.0));
  EXPECT_EQ(map_colour(7.0), map_colour(1.0));
  const Colour unknown = map_colour(nan);  // a grey, which no number has
  EXPECT_EQ(unknown[0], unknown[1]);
  EXPECT_EQ(unknown[1], unknown[2]);
  EXPECT_GT(unknown[0], 0.0f);
  EXPECT_LT(unknown[0], 1.0f);
}

// ---- camera ----------------------------------------------------------------------------------

TEST(Camera, ShowsAllCornersOfTheBoxAndNoMoreThanTheMargin) {
  const mesh::BoundingBox box{{-3.0, 1.0, 100.0}, {-1.0, 1.3, 107.0}};
  for (const double aspect : {0.4, 1.0, 16.0 / 9.0, 5.0})
    for (const Vec3& view : {Framing{}.view_direction, Vec3(0, 0, -1), Vec3(0, 0, 2), Vec3(1, 0, 0),
                             Vec3(-1, -2, 0.5)}) {
      const Camera camera = frame_box(box, aspect, {.view_direction = view, .margin = 0.1});
      double farthest = 0.0;
      for (int k = 0; k < 8; ++k) {
        const Vec3 corner(k & 1 ? box.low.x() : box.high.x(), k & 2 ? box.low.y() : box.high.y(),
                          k & 4 ? box.low.z() : box.high.z());
        EXPECT_GT((corner - camera.eye).dot(camera.forward), 0.0);
        farthest = std::max(farthest, camera.project(corner).cwiseAbs().maxCoeff());
      }
      EXPECT_NEAR(farthest, 0.8, 1e-9) << aspect << " along " << view.transpose();
      EXPECT_NEAR(camera.right.cross(camera.up).dot(-camera.forward), 1.0, 1e-12);
    }
}

TEST(Camera, CopesWithABoxWithoutASize) {
  const Camera camera = frame_box({});

  EXPECT_TRUE(camera.eye.allFinite());
  EXPECT_GT(camera.radius, 0.0);
  EXPECT_LT(camera.project(Vec3::Zero()).norm(), 0.5);
}

TEST(Picture, BoxHoldsEverythingThatHasAnEnd) {
  Picture picture{.surfaces = {{.positions = {{0, 0, 0}, {1, 0, 0}, {nan, 0, 0}}}}};
  EXPECT_EQ(bounding_box(picture).high, Vec3(1, 0, 0));

  picture.obstacles = {{.form = Sphere{{0, 0, 5}, 1.0}},
                       {.form = Plane{{0, 0, -70}}},
                       {.form = Box{{-4, 0, 0}, {1, 1, 1}}}};
  EXPECT_EQ(bounding_box(picture).high, Vec3(1, 1, 6));
  EXPECT_EQ(bounding_box(picture).low, Vec3(-5, -1, -1));
  EXPECT_EQ(bounding_box(Picture{}).diagonal(), 0.0);
}

// ---- shapes ----------------------------------------------------------------------------------

TEST(Tessellate, FacesOutwards) {
  const auto volume = [](const Surface& surface) {
    double sum = 0.0;
    for (const auto& [a, b, c] : surface.triangles)
      sum += surface.positions[a].dot(surface.positions[b].cross(surface.positions[c])) / 6.0;
    return sum;
  };
  const Mat3 turned = Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()).toRotationMatrix();

  EXPECT_NEAR(volume(tessellate({.form = Box{{5, 0, 0}, {1, 2, 3}, turned}}, 1.0)), 48.0, 1e-9);
  // 64 rings of 128 flat facets lose a few parts in a thousand
  EXPECT_NEAR(volume(sphere({1, 1, 1}, 2.0)) / (32.0 / 3.0 * std::numbers::pi), 1.0, 3e-3);
}

TEST(Shape, IsSmoothOnABallAndSharpOnABox) {
  const Shape ball = make_shape(sphere({1, 2, 3}, 0.5), {1, 2, 3}, 0.5);
  for (std::size_t t = 0; t < ball.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      // facets are 3 degrees apart; the mean of those around a vertex is much nearer
      EXPECT_GT(ball.normals[t][k].dot(ball.positions[ball.triangles[t][k]]), 0.9999f);

  const Shape box = make_shape(tessellate({.form = Box{}}, 1.0), Vec3::Zero(), 1.0);
  for (const auto& normals : box.normals)
    for (const Vec3f& normal : normals) EXPECT_NEAR(normal.cwiseAbs().maxCoeff(), 1.0f, 1e-6f);
}

TEST(Shape, LeavesOutTrianglesThatCannotBeDrawn) {
  const Surface surface{
      .positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {nan, 0, 0}, {1e300, 0, 0}},
      .triangles = {{0, 1, 2}, {0, 1, 3}, {0, 0, 0}, {0, 1, 4}, {0, 1, 5}}};

  EXPECT_EQ(make_shape(surface, Vec3::Zero(), 1.0).triangles.size(), 1u);
  EXPECT_THROW(make_shape({.positions = {Vec3::Zero()}, .triangles = {{0, 0, 1}}}, Vec3::Zero(), 1),
               InternalError);
  EXPECT_THROW(make_shape({.positions = {Vec3::Zero()}, .values = {1.0, 2.0}}, Vec3::Zero(), 1.0),
               InternalError);
}

// ---- pictures --------------------------------------------------------------------------------

TEST(Render, OfNothingIsTheBackdrop) {
  const Camera camera = frame_box({});
  for (const Backdrop backdrop : {Backdrop::light, Backdrop::dark}) {
    const Image image = render({.backdrop = backdrop}, camera, small);
    ASSERT_EQ(image.rgb.size(), 3u * 160u * 90u);
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        // the same all along a row, but for the grain of one level
        EXPECT_NEAR(brightness(image, x, y), brightness(image, 0, y), 1);
        EXPECT_GT(brightness(image, x, y), backdrop == Backdrop::light ? 200 : 5);
        EXPECT_LT(brightness(image, x, y), backdrop == Backdrop::light ? 250 : 50);
      }
  }
}

TEST(Render, GroundWithoutBodiesHasNoShadows) {
  const Camera camera = frame_box({{-1, -1, 0}, {1, 1, 1}});
  const Image image = render({.ground = true}, camera, small);

  for (int y = 1; y < image.height; ++y)
    for (int x = 1; x < image.width; ++x) {
      EXPECT_NEAR(brightness(image, x, y), brightness(image, x - 1, y), 3);
      EXPECT_NEAR(brightness(image, x, y), brightness(image, x, y - 1), 3);
    }
}

TEST(Render, WhiteSphereCoversItsDiscAndHasSoftEdges) {
  Picture picture{.surfaces = {sphere({3, 4, 5}, 2.0)}, .backdrop = Backdrop::dark};
  picture.surfaces[0].colour = Colour::Ones();
  const Camera camera = frame_box(bounding_box(picture), 4.0 / 3.0);
  const RenderSettings settings{.width = 320, .height = 240};

  const Image image = render(picture, camera, settings);

  int covered = 0, between = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      covered += brightness(image, x, y) > 60;
      between += brightness(image, x, y) > 60 && brightness(image, x, y) < 100;
    }
  // the cone that touches the sphere; its ellipse is a circle as long as the sphere is in the
  // middle
  const double sine = 2.0 / (Vec3(3, 4, 5) - camera.eye).norm();
  const double radius = 120.0 * std::tan(std::asin(sine)) / camera.tan_half_height;
  const double expected = std::numbers::pi * radius * radius;
  EXPECT_NEAR(covered / expected, 1.0, 0.03);
  EXPECT_GT(between, 50) << "a sharp edge has no pixels in between";
}

TEST(Render, FloatingBoxDarkensTheGroundBelowByShadowAndBySkyAlone) {
  Picture picture{.surfaces = {tessellate({.form = Box{{0, 0, 0.8}, {0.5, 0.5, 0.2}}}, 1.0)},
                  .ground = true};
  const Camera camera = frame_box({{-1.5, -1.5, 0}, {1.5, 1.5, 1}});
  const Vec3 below(0, -0.3, 0), beside(-1.2, -1.2, 0);
  const auto drop = [&](const RenderSettings& settings) {
    const Image image = render(picture, camera, settings);
    return brightness_at(image, camera, beside) - brightness_at(image, camera, below);
  };

  const int all = drop({.width = 320, .height = 180});
  const int sky = drop({.width = 320, .height = 180, .shadows = false});
  const int none = drop({.width = 320, .height = 180, .ao_samples = 0, .shadows = false});
  // the middle of the shadow, which falls away from the light
  const Vec3 shadowed = below + Vec3(0.35, 0.35, 0);
  const Image hard = render(picture, camera, {.width = 320, .height = 180, .ao_samples = 0});

  EXPECT_LT(std::abs(none), 10);
  EXPECT_GT(sky, 10);
  EXPECT_GE(all, sky);
  EXPECT_GT(brightness_at(hard, camera, beside) - brightness_at(hard, camera, shadowed), 25);
}

TEST(Render, GivesTheSameBytesForAnyNumberOfThreads) {
  const Picture picture = ball_on_ground();
  const Camera camera = frame_box(bounding_box(picture));
  const RenderSettings settings{.width = 333, .height = 187};
  const Image one = render(picture, camera, settings, core::Executor(1));
  for (const int threads : {2, 8})
    EXPECT_EQ(render(picture, camera, settings, core::Executor(threads)).rgb, one.rgb) << threads;
}

TEST(Render, DoesNotDependOnTheUnitOfLength) {
  const auto draw = [](double scale, const Vec3& shift) {
    Picture picture{.surfaces = {sphere(shift + scale * Vec3(0, 0, 0.5), 0.5 * scale)},
                    .ground = true,
                    .ground_height = shift.z()};
    return render(picture, frame_box(bounding_box(picture)), small);
  };
  const Image metre = draw(1.0, Vec3::Zero());
  for (const Image& other : {draw(1e-6, Vec3::Zero()), draw(1e6, {1e7, -3e6, 2e6})}) {
    int different = 0;
    for (std::size_t k = 0; k < metre.rgb.size(); ++k)
      different += std::abs(metre.rgb[k] - other.rgb[k]) > 4;
    // single rays along an edge may fall on either side
    EXPECT_LT(different, static_cast<int>(metre.rgb.size() / 200));
  }
}

TEST(Render, GhostLetsWhatIsBehindShineThrough) {
  Picture picture{.surfaces = {sphere({0, 0, 0}, 1.0)}};
  picture.surfaces[0].colour = Colour::Zero();
  const Camera camera = frame_box(bounding_box(picture));
  const auto middle = [&](float opacity) {
    picture.surfaces[0].opacity = opacity;
    return brightness_at(render(picture, camera, small), camera, Vec3::Zero());
  };

  const int nothing = middle(0.0f), ghost = middle(0.3f), solid = middle(1.0f);

  EXPECT_GT(nothing, ghost + 20);
  EXPECT_GT(ghost, solid + 20);
}

TEST(Render, SurvivesBrokenMeshesAndValues) {
  Picture picture = ball_on_ground();
  const Camera camera = frame_box(bounding_box(picture));
  Surface& ball = picture.surfaces[0];
  for (std::size_t v = 0; v < ball.positions.size(); v += 3) ball.positions[v].x() = nan;
  for (std::size_t v = 0; v < ball.values.size(); v += 5) ball.values[v] = nan;
  ball.positions[1] *= 1e200;
  ball.positions[2].setConstant(std::numeric_limits<double>::infinity());
  ball.triangles.push_back({4, 4, 4});
  ball.triangles.push_back({4, 5, 5});
  picture.surfaces.push_back({.positions = {Vec3::Constant(nan)}, .triangles = {{0, 0, 0}}});
  picture.surfaces.push_back({});
  picture.ground_height = nan;

  const Image image = render(picture, camera, small);

  EXPECT_EQ(image.rgb.size(), 3u * 160u * 90u);
}

TEST(Render, FitsTheBoxAlsoIntoAnotherAspectRatio) {
  Picture picture{.surfaces = {sphere({0, 0, 0}, 1.0)}, .backdrop = Backdrop::dark};
  picture.surfaces[0].colour = Colour::Ones();
  const Camera camera = frame_box(bounding_box(picture), 2.0);

  const Image image = render(picture, camera, {.width = 60, .height = 120});

  for (int y = 0; y < image.height; ++y) {
    EXPECT_LT(brightness(image, 0, y), 60);
    EXPECT_LT(brightness(image, image.width - 1, y), 60);
  }
  EXPECT_GT(brightness(image, 30, 60), 60);
}

}  // namespace
}  // namespace sinew::render
