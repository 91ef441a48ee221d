// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/mesh/io/csv.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/validate.hpp>
#include <sinew/scene/compile/body_mesh.hpp>

namespace sinew::scene {
namespace {

/// Numbers that springs can have; which row is wrong.
void require_sound(const mesh::io::BarTable& table, const std::string& file) {
  const auto check = [&](const std::vector<double>& values, const char* column) {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!(values[k] > 0.0 && std::isfinite(values[k])))
        throw InputError({.file = file,
                          .where = fmt::format("row {} (counting from 0)", k),
                          .what = fmt::format("'{}' is {}", column, values[k]),
                          .hint = "it must be above 0 and finite"});
  };
  check(table.stiffnesses, "stiffness");
  check(table.rest_lengths, "rest_length");
}

/// Pairs of a table must be pairs of the mesh.
void require_pairs(const std::vector<mesh::Edge>& bars, const mesh::TetMesh& mesh,
                   const std::string& file) {
  for (std::size_t k = 0; k < bars.size(); ++k) {
    const auto& [a, b] = bars[k];
    if (std::max(a, b) < mesh.num_vertices() && std::min(a, b) >= 0 && a != b) continue;
    throw InputError({.file = file,
                      .where = fmt::format("row {} (counting from 0)", k),
                      .what = fmt::format("{} and {} are not two particles of the mesh", a, b),
                      .hint = fmt::format("it has particles 0 to {}", mesh.num_vertices() - 1)});
  }
}

mesh::TetMesh load_mesh_file(const SceneSpec& scene, const BodySpec& body) {
  const std::filesystem::path path = beside_scene(scene.directory, body.mesh.file);
  if (body.springs.springs_file.empty())
    return mesh::load_mesh(path,
                           {.repair = body.mesh.repair,
                            .torn = body.mesh.torn ? mesh::Torn::allowed : mesh::Torn::refused});
  // what joins the particles is in another file
  mesh::TetMesh mesh = mesh::read_mesh(path);
  mesh.bars = with_springs_file(body, scene.directory).springs.pairs;
  mesh.bar_regions.clear();
  require_pairs(mesh.bars, mesh, body.springs.springs_file);
  mesh::require_valid(mesh, path.string());
  return mesh;
}

}  // namespace

std::filesystem::path beside_scene(const std::string& directory, const std::string& file) {
  core::require_usable_path(file);
  return std::filesystem::path(directory) / file;
}

BodySpec with_springs_file(const BodySpec& body, const std::string& directory) {
  BodySpec filled = body;
  if (body.springs.springs_file.empty()) return filled;
  mesh::io::BarTable table =
      mesh::io::read_bars_csv(beside_scene(directory, body.springs.springs_file));
  require_sound(table, (std::filesystem::path(directory) / body.springs.springs_file).string());
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
      mesh = generator.make_of_order(values, body.mesh.order.value_or(1), body.mesh.parts);
    }
  }
  if (body.type == "springs" || body.mesh.order.value_or(2) == 1)
    mesh = mesh::to_first_order(std::move(mesh));
  else if (body.mesh.order)
    mesh = mesh::to_second_order(std::move(mesh));
  place(body.transform, mesh.vertices);
  return mesh;
}

void place(const TransformSpec& transform, std::vector<Vec3>& vertices) {
  const double radians = transform.degrees * std::numbers::pi / 180.0;
  const Mat3 rotation = Eigen::AngleAxisd(radians, transform.axis.normalized()).toRotationMatrix();
  for (Vec3& x : vertices) x = (rotation * (transform.scale * x) + transform.translate).eval();
}

}  // namespace sinew::scene
