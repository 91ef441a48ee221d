// SPDX-License-Identifier: Apache-2.0
// What several parts of the description share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/describe.hpp>

namespace sinew::scene {

template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

/// A text that becomes the name of something.
void describe_name(Visitor& v, std::string& value, std::string_view doc);

void describe_selection(Visitor& v, mesh::Selection& select);

/// "mesh" and "transform".
void describe_mesh(Visitor& v, MeshSpec& mesh, const Catalog& catalog);
/// "parts", of which shapes are made.
void describe_shape_parts(Visitor& v, std::vector<mesh::ShapePart>& parts);
void describe_transform(Visitor& v, TransformSpec& transform);

void describe_body(Visitor& v, BodySpec& body, const Catalog& catalog);

void describe_obstacle(Visitor& v, ObstacleSpec& obstacle, const Catalog& catalog);
void describe_contact(Visitor& v, std::optional<ContactSpec>& contact);

void describe_cut(Visitor& v, CutSpec& cut, const Catalog& catalog);
void describe_fracture(Visitor& v, FractureSpec& fracture);

}  // namespace sinew::scene
