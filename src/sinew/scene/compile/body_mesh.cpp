// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <numbers>

#include <Eigen/Geometry>

#include <sinew/core/path_check.hpp>
#include <sinew/mesh/io/csv.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/validate.hpp>
#include <sinew/scene/compile/body_mesh.hpp>

namespace sinew::scene {
namespace {

std::filesystem::path beside_scene(const std::string& directory, const std::string& file) {
  core::require_usable_path(file);
  return std::filesystem::path(directory) / file;
}

mesh::TetMesh load_mesh_file(const SceneSpec& scene, const BodySpec& body) {
  const std::filesystem::path path = beside_scene(scene.directory, body.mesh.file);
  if (body.springs.springs_file.empty()) return mesh::load_mesh(path, {.repair = body.mesh.repair});
  // what joins the particles is in another file
  mesh::TetMesh mesh = mesh::read_mesh(path);
  mesh.bars = with_springs_file(body, scene.directory).springs.pairs;
  mesh.bar_regions.clear();
  mesh::require_valid(mesh, path.string());
  return mesh;
}

}  // namespace

BodySpec with_springs_file(const BodySpec& body, const std::string& directory) {
  BodySpec filled = body;
  if (body.springs.springs_file.empty()) return filled;
  mesh::io::BarTable table =
      mesh::io::read_bars_csv(beside_scene(directory, body.springs.springs_file));
  filled.springs.pairs = std::move(table.bars);
  if (!table.stiffnesses.empty()) filled.springs.stiffnesses = std::move(table.stiffnesses);
  if (!table.rest_lengths.empty()) filled.springs.rest_lengths = std::move(table.rest_lengths);
  return filled;
}

mesh::TetMesh body_mesh(const SceneSpec& scene, const BodySpec& body, const Catalog& catalog) {
  mesh::TetMesh mesh;
  if (body.type == "springs" && !body.springs.particles.empty()) {
    mesh.vertices = body.springs.particles;
    mesh.bars = body.springs.pairs;
  } else if (!body.mesh.file.empty()) {
    mesh = load_mesh_file(scene, body);
  } else {
    for (const mesh::GeneratorEntry& generator : catalog.generators()) {
      if (generator.name != body.mesh.generator) continue;
      mesh::GeneratorValues values = generator.default_values();
      for (const auto& [name, value] : body.mesh.parameters) values[name] = value;
      mesh = generator.make(values);
    }
  }
  const TransformSpec& transform = body.transform;
  const double radians = transform.degrees * std::numbers::pi / 180.0;
  const Mat3 rotation = Eigen::AngleAxisd(radians, transform.axis.normalized()).toRotationMatrix();
  for (Vec3& x : mesh.vertices) x = (rotation * (transform.scale * x) + transform.translate).eval();
  return mesh;
}

}  // namespace sinew::scene
