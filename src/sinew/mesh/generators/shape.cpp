// SPDX-License-Identifier: Apache-2.0
// Bodies modelled from simple shapes.
#include <algorithm>
#include <map>
#include <string>

#include <sinew/core/error.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/shapes/shape.hpp>

namespace sinew::mesh {
namespace {

TetMesh filled(const ShapeFunction& shape, const ShapeSettings& settings) {
  try {
    return stuff(shape.solid, {settings.size, settings.levels - 1});
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems)
      if (problem.where == "/phi") problem.where = "/parts";
    throw InputError(std::move(problems));
  }
}

}  // namespace

TetMesh make_shape(const ShapeSettings& settings) {
  require_count("/levels", settings.levels);
  require_at_most("/levels", settings.levels, 8, "sizes of cells");
  std::vector<ShapePart> parts = settings.parts;
  if (parts.empty()) parts.emplace_back();
  const ShapeFunction shape = make_shape_function(parts);
  TetMesh mesh = filled(shape, settings);
  std::map<std::string, int> numbers;
  for (int t = 0; t < mesh.num_tets(); ++t) {
    const auto [a, b, c, d] = corners(mesh, t);
    const int mark = shape.mark_at(0.25 * (a + b + c + d));
    if (mark < 0) continue;
    const std::string& name = shape.marks[static_cast<std::size_t>(mark)].region;
    const int number =
        numbers.try_emplace(name, static_cast<int>(numbers.size()) + 1).first->second;
    mesh.regions[static_cast<std::size_t>(t)] = number;
    mesh.region_names[number] = name;
  }
  return mesh;
}

}  // namespace sinew::mesh
