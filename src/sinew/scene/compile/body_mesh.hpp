// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <sinew/mesh/tet_mesh.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// The mesh of a body in world coordinates.
mesh::TetMesh body_mesh(const SceneSpec& scene, const BodySpec& body,
                        const Catalog& catalog = builtin_catalog());

/// Scales, rotates and translates.
void place(const TransformSpec& transform, std::vector<Vec3>& vertices);

/// Where a file is that a scene names. Throws InputError for what cannot be a path.
std::filesystem::path beside_scene(const std::string& directory, const std::string& file);

/// The body with what its table of springs says in place of that, if it has one. Files are relative
/// to `directory`.
BodySpec with_springs_file(const BodySpec& body, const std::string& directory);

}  // namespace sinew::scene
