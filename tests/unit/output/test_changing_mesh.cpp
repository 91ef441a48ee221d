// SPDX-License-Identifier: Apache-2.0
// A run whose mesh changes on the way: every frame is shown with the cells it has.
#include <cmath>
#include <map>
#include <sstream>

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/mesh/io/vtu.hpp>
#include <sinew/output/exports/exports.hpp>
#include <sinew/output/publish/pictures.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/output/publish/writers.hpp>
#include <sinew/output/record/surface_frames.hpp>

#include "support/breaking_bar.hpp"
#include "support/temp_dir.hpp"

namespace sinew::output {
namespace {

using Json = nlohmann::json;

// boxes of 12, of 6 and 6, and of 6 and 4 layers of cells; two tubes, then one
constexpr std::array<std::size_t, 3> first_frames{0, 6, 16};
constexpr std::array<std::size_t, 3> vertices{106 + 16, 116 + 8, 100 + 8};
constexpr std::array<std::size_t, 3> triangles{208 + 16, 224 + 8, 192 + 8};

class ChangingMesh : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir = new test::TempDir;
    summary = test::run_breaking_bar(dir->path() / "run");
  }
  static void TearDownTestSuite() {
    delete dir;
    dir = nullptr;
  }

  static std::filesystem::path path() { return dir->path() / "run"; }

  static inline test::TempDir* dir = nullptr;
  static inline sim::RunSummary summary;
};

/// Of what the triangles enclose.
double volume(const std::vector<float>& x, const std::vector<std::array<int, 3>>& faces,
              std::size_t count) {
  const auto point = [&](int v) {
    const float* p = &x[3 * static_cast<std::size_t>(v)];
    return Vec3(p[0], p[1], p[2]);
  };
  double sum = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto& [a, b, c] = faces[k];
    sum += point(a).dot(point(b).cross(point(c))) / 6.0;
  }
  return sum;
}

TEST_F(ChangingMesh, ChaptersBeginWhereTheCellsChange) {
  ASSERT_EQ(summary.reason, sim::StopReason::reached_end);
  const RunReader run(path());

  const SurfaceFrames surface = read_surface_frames(run);

  ASSERT_EQ(surface.times.size(), 26u);
  ASSERT_EQ(surface.chapters.size(), 3u);
  ASSERT_EQ(surface.fields.size(), 6u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(surface.chapters[k].first, first_frames[k]);
    EXPECT_EQ(surface.chapters[k].num_vertices, vertices[k]);
    EXPECT_EQ(surface.chapters[k].triangles.size(), triangles[k]);
    EXPECT_EQ(surface.end_of(k), k < 2 ? first_frames[k + 1] : 26u);
  }
  for (std::size_t f = 0; f < 26; ++f) {
    const SurfaceChapter& chapter = surface.chapter_of(f);
    ASSERT_EQ(surface.positions[f].size(), 3 * chapter.num_vertices) << f;
    for (const SurfaceField& field : surface.fields)
      ASSERT_EQ(field.values[f].size(), chapter.num_vertices) << f << field.name;
    const mesh::io::VtuFields frame = mesh::io::read_vtu_fields(run.frames()[f].path, true, {});
    double inside = 0.0;
    for (const auto& [a, b, c, d] : frame.tets) {
      const auto at = [&](int v) { return frame.points[static_cast<std::size_t>(v)]; };
      inside += mesh::signed_volume({at(a), at(b), at(c), at(d)});
    }
    const std::size_t faces = chapter.triangles.size() - 8 * frame.lines.size();
    EXPECT_NEAR(volume(surface.positions[f], chapter.triangles, faces), inside, 1e-5 * inside) << f;
  }
}

TEST_F(ChangingMesh, TubesThatStayAreNeitherTurnedNorWidened) {
  const SurfaceFrames surface = read_surface_frames(RunReader(path()), {.with_fields = false});
  // the ring around the held end of the chain: after the box, at both sides of the break
  const auto ring = [&](std::size_t frame, std::size_t side) {
    const std::size_t box = frame < 6 ? 106 : 116;
    return Vec3(Eigen::Map<const Eigen::Vector3f>(&surface.positions[frame][3 * (box + side)])
                    .cast<double>());
  };
  for (std::size_t side = 0; side < 4; ++side) {
    EXPECT_NEAR((ring(6, side) - Vec3(0.0, -0.3, 0.0)).norm(), 0.04 * 0.3, 1e-6);
    EXPECT_LT((ring(6, side) - ring(5, side)).norm(), 0.3 * 0.04 * 0.3) << side;
  }
}

TEST_F(ChangingMesh, SomeOfTheFramesAreReadAsWellAsAll) {
  const SurfaceFrames some = read_surface_frames(
      RunReader(path()),
      {.with_fields = false, .wants = [](std::size_t f) { return f == 3 || f == 20; }});
  ASSERT_EQ(some.times.size(), 2u);
  ASSERT_EQ(some.chapters.size(), 2u);
  EXPECT_EQ(some.chapters[1].first, 1u);
  EXPECT_EQ(some.chapter_of(1).triangles.size(), triangles[2]);
}

TEST_F(ChangingMesh, TheReportHasTheTrianglesOfEveryChapter) {
  if (!has_report_page()) GTEST_SKIP() << "built without the page";
  const RunReader run(path());
  const SurfaceFrames surface = read_surface_frames(run);
  const std::string page = report_html("breaking", {{"be", &run, &surface}});
  const std::string mark = "id=\"sinew-data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  const Json data = Json::parse(page.substr(begin, page.find("</script>", begin) - begin));

  const Json& list = data["runs"][0]["surface"];
  ASSERT_EQ(list.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(list[k]["first"], first_frames[k]);
    EXPECT_EQ(list[k]["vertices"], vertices[k]);
    EXPECT_EQ(list[k]["triangles"], triangles[k]);
  }
  EXPECT_EQ(data["runs"][0]["frames"]["times"].size(), 26u);
}

TEST_F(ChangingMesh, PicturesOfEveryFormatAreMade) {
  publish(path(), writers(), core::serial_executor());
  for (const char* name : {"animation.glb", "animation.usda", "frames.npz", "obj/frame_000025.obj",
                           "ply/frame_000025.ply"})
    EXPECT_TRUE(std::filesystem::exists(path() / name)) << name;
  if (!can_draw()) GTEST_SKIP() << "built without pictures";
  EXPECT_TRUE(std::filesystem::exists(path() / "preview.png"));
  const RunReader run(path());
  std::map<std::string, std::string> pictures;
  for (const char* field : {"none", "speed", "von_mises"})
    for (const double t : {0.1, 0.12, 0.3, 0.32}) {
      const std::filesystem::path file = dir->path() / "picture.png";
      write_pictures(run, file, {.colour_by = field, .width = 160, .height = 90, .time = t},
                     core::serial_executor());
      EXPECT_TRUE(pictures.emplace(core::read_file(file), field).second) << field << t;
    }
}

TEST_F(ChangingMesh, OtherTrianglesOfAsManyVerticesAndNoneAtAll) {
  const RunReader run(path());
  SurfaceFrames surface;
  surface.chapters = {{0, 3, {{0, 1, 2}}}, {1, 3, {{2, 1, 0}}}, {2, 0, {}}};
  surface.times = {0.0, 1.0, 2.0};
  surface.positions = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 0, 1, 0, 0, 0, 0, 0}, {}};

  write_usda(run, surface);
  write_gltf(run, surface);

  // between samples of equal length USD would interpolate
  const std::string text = core::read_file(path() / "animation.usda");
  EXPECT_NE(text.find("        0: [(0, 0, 0), (1, 0, 0), (0, 1, 0)],\n"
                      "        0.999: [(0, 0, 0), (1, 0, 0), (0, 1, 0)],\n"
                      "        1: [(0, 1, 0), (1, 0, 0), (0, 0, 0)],\n"
                      "        2: [],\n"),
            std::string::npos)
      << text;
  const std::string bytes = core::read_file(path() / "animation.glb");
  const Json gltf = Json::parse(bytes.substr(20, bytes.find("BIN") - 4 - 20));
  EXPECT_EQ(gltf["nodes"].size(), 2u) << "glTF has no empty meshes";
  EXPECT_EQ(gltf["animations"][0]["channels"].size(), 2u);
  const std::array<std::array<float, 3>, 2> box{{{0, 0, 0}, {1, 1, 0}}};
  EXPECT_EQ(surface.bounds(), box);
  std::swap(surface.positions[0], surface.positions[2]);
  EXPECT_EQ(surface.bounds(), box) << "the first frame may be empty";
}

TEST_F(ChangingMesh, AProbeWhoseVertexIsGoneSaysSo) {
  const std::string table = core::read_file(path() / "probes.csv");
  std::istringstream rows(table);
  std::string row;
  std::getline(rows, row);
  EXPECT_EQ(row,
            "t,chain_x,chain_y,chain_z,chain_vx,chain_vy,chain_vz,tip_x,tip_y,tip_z,tip_vx,tip_"
            "vy,tip_vz");
  int count = 0;
  for (; std::getline(rows, row); ++count) {
    const bool is_gone = std::stod(row) > test::end_goes_at + 1e-9;
    EXPECT_EQ(row.find("nan") != std::string::npos, is_gone) << row;
    EXPECT_EQ(row.find("nan,nan,nan,nan,nan,nan") != std::string::npos, is_gone) << row;
  }
  EXPECT_EQ(count, 51);
}

}  // namespace
}  // namespace sinew::output
