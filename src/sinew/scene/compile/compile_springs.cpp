// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/scene/compile/compile_springs.hpp>
#include <sinew/scene/compile/place_fields.hpp>

namespace sinew::scene {
namespace {

/// Complains about the first pair that cannot be a spring.
bool check_pairs(const std::vector<mesh::Edge>& pairs, const mesh::TetMesh& mesh,
                 const std::string& pointer, Diagnostics& diagnostics) {
  for (std::size_t s = 0; s < pairs.size(); ++s) {
    const std::string place = fmt::format("{}/springs/{}", pointer, s);
    for (const int particle : pairs[s]) {
      if (particle >= 0 && particle < mesh.num_vertices()) continue;
      diagnostics.error(place, fmt::format("there is no particle {}", particle),
                        fmt::format("the body has particles 0 to {}", mesh.num_vertices() - 1));
      return false;
    }
    const auto& [a, b] = pairs[s];
    if (mesh.vertices[a] != mesh.vertices[b]) continue;
    diagnostics.error(place,
                      a == b ? fmt::format("particle {} cannot be joined to itself", a)
                             : fmt::format("particles {} and {} lie at the same place", a, b),
                      "a spring needs a length: move a particle, or leave out the spring");
    return false;
  }
  return true;
}

}  // namespace

void compile_springs(const BodySpec& spec, const std::string& pointer, Diagnostics& diagnostics,
                     physics::Body& body) {
  const mesh::TetMesh& mesh = body.mesh;
  const bool is_listed = !spec.springs.particles.empty();
  if (is_listed && !check_pairs(mesh.bars, mesh, pointer, diagnostics)) return;
  if (!spec.springs.masses.empty() && spec.springs.masses.size() != mesh.vertices.size()) {
    diagnostics.error(pointer + "/masses",
                      fmt::format("there are {} masses for {} particles",
                                  spec.springs.masses.size(), mesh.num_vertices()),
                      "give one for every particle, or \"mass\" for all");
    return;
  }

  PlaceFields fields(diagnostics);
  const DampingSpec damping = rayleigh(spec.damping);
  const PlaceField mass = fields.make(spec.springs.mass, pointer + "/mass");
  const PlaceField damping_mass = fields.make(damping.mass, pointer + "/damping/mass");
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3& x = mesh.vertices[v];
    body.points.push_back(
        {.mass = spec.springs.masses.empty() ? fields.evaluate(mass, x, mass_range)
                                             : spec.springs.masses[v],
         .damping_mass = fields.evaluate(damping_mass, x, Range::not_negative())});
  }
  const PlaceField stiffness = fields.make(spec.springs.stiffness, pointer + "/stiffness");
  const PlaceField damping_stiffness =
      fields.make(damping.stiffness, pointer + "/damping/stiffness");
  // pairs that are listed twice are two springs; the edges of a mesh are found once each
  for (const mesh::Edge& pair : is_listed ? mesh.bars : mesh::edges_of(mesh)) {
    const Vec3 a = mesh.vertices[pair[0]], b = mesh.vertices[pair[1]];
    const Vec3 middle = 0.5 * (a + b);
    body.springs.push_back(
        {.vertices = pair,
         .stiffness = fields.evaluate(stiffness, middle, stiffness_range),
         .rest_length = (b - a).norm(),
         .damping_stiffness = fields.evaluate(damping_stiffness, middle, Range::not_negative()),
         .damping_shape = spec.damping.shape == "current" ? physics::DampingShape::current
                                                          : physics::DampingShape::rest});
  }
}

}  // namespace sinew::scene
