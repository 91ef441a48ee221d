// SPDX-License-Identifier: Apache-2.0
// Frames are read back with the library's own VTU reader, which is tested against files of other
// programs.
#include <regex>

#include <gtest/gtest.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/output/publish/writers.hpp>
#include <sinew/output/record/vtu_writer.hpp>
#include <sinew/scene/compile/body_mesh.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/scene_reader.hpp>

#include "support/breaking_bar.hpp"
#include "support/temp_dir.hpp"

namespace sinew::output {
namespace {

using test::TempDir;

constexpr auto falling_bar_text = R"({ "sinew": 1,
  "bodies": [ { "name": "bar", "mesh": { "size": [1, 0.5, 0.5], "cells": [3, 2, 1] } },
              { "name": "ball", "mesh": { "generator": "ball", "radius": 0.2, "shell_thickness": 0.05, "cells": 2 },
                "transform": { "translate": [5, 0, 0] } } ],
  "fixed": [ { "body": "bar", "select": { "plane": { "normal": [1, 0, 0] } } } ],
  "loads": [ { "value": [0, 0, -9.81] } ],
  "time": { "dt": 0.1, "end": 0.5 }, "output": { "fps": 10 } })";

scene::CompiledScene compiled_bar() {
  return scene::compile(scene::parse_scene(falling_bar_text, "test"));
}

struct Entry {
  std::string t, file;
};
std::vector<Entry> series_of(const std::filesystem::path& pvd) {
  const std::string text = core::read_file(pvd);
  const std::regex pattern("timestep=\"([^\"]*)\"[^>]*file=\"([^\"]*)\"");
  std::vector<Entry> entries;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    entries.push_back({(*it)[1], (*it)[2]});
  return entries;
}

TEST(VtuWriter, AFrameHasTheExactVerticesAndTets) {
  const TempDir dir;
  scene::CompiledScene compiled = compiled_bar();
  compiled.simulation->run();
  const physics::TermSystem& system = compiled.system();
  const dynamics::State& state = compiled.simulation->state();
  const auto workspace = system.make_workspace();

  const mesh::TetMesh mesh =
      mesh::read_mesh(dir.write("frame.vtu", vtu_bytes(system, state, *workspace)));

  ASSERT_EQ(mesh.num_vertices(), system.num_vertices());
  for (int v = 0; v < mesh.num_vertices(); ++v)
    EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(v)], system.vertex_position(v, state)) << v;
  ASSERT_EQ(mesh.num_tets(), system.num_cells());
  const std::vector<int>& connectivity = system.observables().geometry().connectivity;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (std::size_t c = 0; c < 4; ++c)
      EXPECT_EQ(mesh.tets[t][c], connectivity[4 * t + c]) << "tet " << t;
}

TEST(VtuWriter, TheRestFrameIsTheMeshOfTheScene) {
  const TempDir dir;
  const scene::SceneSpec scene = scene::parse_scene(falling_bar_text, "test");
  const scene::CompiledScene compiled = scene::compile(scene);
  const auto workspace = compiled.system().make_workspace();

  const mesh::TetMesh frame = mesh::read_mesh(dir.write(
      "frame.vtu", vtu_bytes(compiled.system(), compiled.simulation->state(), *workspace)));

  std::size_t vertex = 0, tet = 0;
  int offset = 0;
  for (const scene::BodySpec& body : scene.bodies) {
    const mesh::TetMesh mesh = scene::body_mesh(scene, body);
    for (const Vec3& x : mesh.vertices) EXPECT_EQ(frame.vertices.at(vertex++), x);
    for (const mesh::Tet& corners : mesh.tets) {
      for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(frame.tets.at(tet)[c], corners[c] + offset);
      ++tet;
    }
    offset += mesh.num_vertices();
  }
  EXPECT_EQ(vertex, frame.vertices.size());
  EXPECT_EQ(tet, frame.tets.size());
}

TEST(VtuWriter, EveryFieldOfTheSystemIsThere) {
  const scene::CompiledScene compiled = compiled_bar();
  const auto workspace = compiled.system().make_workspace();

  const std::string bytes = vtu_bytes(compiled.system(), compiled.simulation->state(), *workspace);

  for (const dynamics::FieldInfo& field : compiled.system().observables().fields())
    EXPECT_NE(bytes.find("Name=\"" + field.name + "\""), std::string::npos) << field.name;
  EXPECT_NE(bytes.find("Name=\"TimeValue\""), std::string::npos);
  EXPECT_NE(bytes.find("encoding=\"raw\""), std::string::npos);
  EXPECT_NE(bytes.find("vtkZLibDataCompressor"), std::string::npos);
}

TEST(VtuWriter, TheSeriesListsEveryFrameWithItsTime) {
  const TempDir dir;
  const RunDirectory directory = RunDirectory::create(dir.path() / "run");
  scene::CompiledScene compiled = compiled_bar();
  VtuWriter writer(directory, false);
  compiled.simulation->add_observer(writer);

  compiled.simulation->run();

  const std::vector<Entry> series = series_of(directory.file("frames.pvd"));
  ASSERT_EQ(series.size(), 6u);
  double t = 0.0;
  for (const Entry& entry : series) {
    EXPECT_EQ(std::stod(entry.t), t) << "times are written in full";
    EXPECT_TRUE(std::filesystem::is_regular_file(directory.path() / entry.file)) << entry.file;
    t += 0.1;
  }
}

TEST(VtuWriter, TheSurfaceItKeepsIsTheOneOfItsFiles) {
  const TempDir dir;
  std::optional<SurfaceFrames> kept;
  test::run_breaking_bar(dir.path() / "run", &kept);  // cells go, springs break
  ASSERT_TRUE(kept.has_value());
  const SurfaceFrames read = read_surface_frames(RunReader(dir.path() / "run"));
  EXPECT_EQ(kept->times, read.times);
  EXPECT_EQ(kept->positions, read.positions);
  ASSERT_EQ(kept->fields.size(), read.fields.size());
  EXPECT_GE(read.fields.size(), 3u);
  for (std::size_t k = 0; k < read.fields.size(); ++k) {
    EXPECT_EQ(kept->fields[k].name, read.fields[k].name);
    EXPECT_EQ(kept->fields[k].values, read.fields[k].values);
  }
  ASSERT_EQ(kept->chapters.size(), read.chapters.size());
  EXPECT_GE(read.chapters.size(), 2u);
  for (std::size_t k = 0; k < read.chapters.size(); ++k) {
    EXPECT_EQ(kept->chapters[k].first, read.chapters[k].first);
    EXPECT_EQ(kept->chapters[k].triangles, read.chapters[k].triangles);
  }
}

TEST(VtuWriter, SaysThatAFrameCouldNotBeWritten) {
  const TempDir dir;
  const RunDirectory directory = RunDirectory::create(dir.path() / "run");
  dir.write("run/frames", "a file where the folder should be");
  scene::CompiledScene compiled = compiled_bar();
  VtuWriter writer(directory, false);
  compiled.simulation->add_observer(writer);
  EXPECT_THROW(compiled.simulation->run(), std::filesystem::filesystem_error);
}

TEST(VtuWriter, AContinuedSeriesKeepsTheOldFramesAndReplacesLaterOnes) {
  const TempDir dir;
  const RunDirectory directory = RunDirectory::create(dir.path() / "run");
  scene::CompiledScene first = compiled_bar();
  VtuWriter first_writer(directory, false);
  first.simulation->add_observer(first_writer);
  int asked = 0;
  first.simulation->set_stop([&] { return asked++ == 2; });
  first.simulation->run();
  const sim::Checkpoint early = first.simulation->checkpoint();
  // the first run went on after its last checkpoint and was killed
  scene::CompiledScene killed = compiled_bar();
  killed.simulation->resume(early);
  VtuWriter killed_writer(directory, true);
  killed.simulation->add_observer(killed_writer);
  killed.simulation->run();
  const std::string whole = core::read_file(directory.file("frames.pvd"));
  scene::CompiledScene second = compiled_bar();
  second.simulation->resume(early);
  VtuWriter second_writer(directory, true);
  second.simulation->add_observer(second_writer);

  second.simulation->run();

  EXPECT_EQ(core::read_file(directory.file("frames.pvd")), whole);
  EXPECT_EQ(series_of(directory.file("frames.pvd")).size(), 6u);
}

TEST(Writers, EveryFormatHasANameAndASummary) {
  for (const WriterEntry& writer : writers()) {
    EXPECT_FALSE(writer.name.empty());
    EXPECT_FALSE(writer.summary.empty()) << writer.name;
  }
}

}  // namespace
}  // namespace sinew::output
