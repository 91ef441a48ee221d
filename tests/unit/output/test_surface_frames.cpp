// SPDX-License-Identifier: Apache-2.0
// Bars are seen as tubes: around their axes, outward, and without jumps from frame to frame.
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/mesh/io/vtu.hpp>
#include <sinew/output/record/surface_frames.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/study/run.hpp>

#include "support/temp_dir.hpp"

namespace sinew::output {
namespace {

using test::TempDir;

// a pendulum of two bars, which goes through every direction, and a solid before it
constexpr auto pendulum = R"json({ "sinew": 1, "bodies": [
    { "name": "box", "mesh": { "size": [1, 1, 1], "cells": [1, 1, 1] } },
    { "name": "chain", "type": "springs", "particles": [[3, 0, 0], [4, 0, 0], [5, 0, 0]], "springs": [[0, 1], [1, 2]],
      "stiffness": 1e4, "velocity": ["0", "0", "12*(x - 3)"] } ],
  "fixed": [ { "body": "chain", "select": { "vertices": [0] } },
             { "body": "box", "select": { "plane": { "normal": [1, 0, 0] } } } ],
  "integrator": { "name": "be" }, "time": { "dt": 0.01, "end": 1 }, "output": { "fps": 100 } })json";

Vec3 point(const std::vector<float>& positions, std::size_t vertex) {
  return {positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]};
}

TEST(SurfaceFrames, BarsAreTubesThatFollowTheirAxes) {
  const TempDir dir;
  study::RunOptions options;
  options.directory = dir.path() / "run";
  options.publish = false;
  static_cast<void>(study::run_scene(scene::parse_scene(pendulum, "test"), options));
  const RunReader run(options.directory);

  const SurfaceFrames surface = read_surface_frames(run);

  // eight corners of the box, and four sides at the two ends of two bars
  ASSERT_EQ(surface.chapters[0].num_vertices, 8u + 16u);
  ASSERT_EQ(surface.chapters[0].triangles.size(), 12u + 16u);
  ASSERT_EQ(surface.times.size(), 101u);
  std::vector<Vec3> before(surface.chapters[0].num_vertices, Vec3::Zero());
  for (std::size_t f = 0; f < surface.times.size(); ++f) {
    const auto frame = mesh::io::read_vtu_fields(run.frames()[f].path, true, {"velocity"});
    ASSERT_EQ(frame.lines.size(), 2u);
    EXPECT_EQ(frame.line_cells, (std::vector<int>{5, 6}));
    for (std::size_t bar = 0; bar < 2; ++bar) {
      const Vec3 a = frame.points[static_cast<std::size_t>(frame.lines[bar][0])];
      const Vec3 b = frame.points[static_cast<std::size_t>(frame.lines[bar][1])];
      for (std::size_t v = 0; v < 8; ++v) {
        const std::size_t vertex = 8 + 8 * bar + v;
        const Vec3 offset = point(surface.positions[f], vertex) - (v < 4 ? a : b);
        // a twenty-fifth of the mean length away from the axis, across it
        EXPECT_NEAR(offset.norm(), 0.04, 1e-5);
        EXPECT_NEAR(offset.dot((b - a).normalized()), 0.0, 1e-5);
        // in a hundredth of a second the chain turns by about an eighth of a radian
        if (f > 0) {
          EXPECT_LT((offset - before[vertex]).norm(), 0.04 / 3.0);
        }
        before[vertex] = offset;
      }
      for (std::size_t t = 12 + 8 * bar; t < 12 + 8 * (bar + 1); ++t) {
        Vec3 corner[3];
        for (std::size_t k = 0; k < 3; ++k)
          corner[k] = point(surface.positions[f],
                            static_cast<std::size_t>(surface.chapters[0].triangles[t][k]));
        const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
        const Vec3 centre = (corner[0] + corner[1] + corner[2]) / 3.0;
        const Vec3 axis = (b - a).normalized();
        const Vec3 outward = (centre - a) - axis * axis.dot(centre - a);
        EXPECT_GT(normal.dot(outward), 0.0);
      }
    }
    // fields of an end are those of its particle
    const std::vector<double>& v = frame.point_data.at("velocity");
    const auto end = static_cast<std::size_t>(frame.lines[1][1]);
    const double speed = Vec3(v[3 * end], v[3 * end + 1], v[3 * end + 2]).norm();
    EXPECT_NEAR(surface.fields[0].values[f].back(), speed, 1e-5 * speed);
  }
}

}  // namespace
}  // namespace sinew::output
