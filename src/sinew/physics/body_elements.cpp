// SPDX-License-Identifier: Apache-2.0
#include <sinew/core/error.hpp>
#include <sinew/physics/body_elements.hpp>
#include <sinew/physics/materials/small_strain.hpp>

namespace sinew::physics {
namespace {

class Gatherer {
 public:
  Gatherer(std::span<const int> internal_of_user, std::span<const Vec3> rest)
      : internal_of_user_(internal_of_user), rest_(rest) {
    elements_.lumped.setZero(static_cast<Index>(rest.size()));
    elements_.damped_lumped.setZero(static_cast<Index>(rest.size()));
  }

  void add(const Body& body) {
    for (std::size_t t = 0; t < body.tets.size(); ++t)
      add_tet(body.mesh.tets[t], body.tets[t], cell_offset_ + static_cast<int>(t));
    for (std::size_t s = 0; s < body.springs.size(); ++s)
      add_spring(body.springs[s], body.mesh.tets.empty() ? cell_offset_ + static_cast<int>(s) : -1);
    for (std::size_t v = 0; v < body.points.size(); ++v) {
      const int vertex = internal(static_cast<int>(v));
      elements_.lumped[vertex] += body.points[v].mass;
      elements_.damped_lumped[vertex] += body.points[v].damping_mass * body.points[v].mass;
    }
    vertex_offset_ += body.mesh.vertices.size();
    cell_offset_ += num_cells(body);
  }

  BodyElements take() { return std::move(elements_); }

 private:
  int internal(int vertex) const {
    return internal_of_user_[vertex_offset_ + static_cast<std::size_t>(vertex)];
  }
  const Vec3& rest_of(int internal_vertex) const {
    return rest_[static_cast<std::size_t>(internal_vertex)];
  }

  void add_tet(const mesh::Tet& tet, const TetProperties& properties, int cell) {
    std::array<int, 4> vertices;
    std::array<Vec3, 4> corners;
    for (std::size_t k = 0; k < 4; ++k) {
      vertices[k] = internal(tet[k]);
      corners[k] = rest_of(vertices[k]);
    }
    TetElement element = make_tet_element(vertices, corners);
    element.index = cell;
    add_mass(element, properties);
    if (properties.damping_stiffness > 0.0) add_tet_damping(element, properties);
    element.parameters = properties.material->parameters(properties.moduli);
    if (!elements_.tets.contains(properties.material))
      elements_.materials.push_back(properties.material);
    elements_.tets[properties.material].push_back(element);
  }

  void add_mass(const TetElement& element, const TetProperties& properties) {
    const double mass = properties.density * element.volume;
    const double damping = properties.damping_mass * mass;
    if (properties.consistent_mass) {
      elements_.consistent.push_back({element.vertices, mass});
      if (damping > 0.0) elements_.damped_consistent.push_back({element.vertices, damping});
      return;
    }
    for (const int vertex : element.vertices) {
      elements_.lumped[vertex] += mass / 4.0;
      elements_.damped_lumped[vertex] += damping / 4.0;
    }
  }

  void add_tet_damping(TetElement element, const TetProperties& properties) {
    // every material is linear in its moduli
    const bool about_rest = properties.damping_shape == DampingShape::rest;
    Moduli scaled =
        about_rest ? properties.material->small_strain(properties.moduli) : properties.moduli;
    scaled.mu *= properties.damping_stiffness;
    scaled.lambda *= properties.damping_stiffness;
    element.parameters = about_rest ? SmallStrain<double>::parameters(scaled)
                                    : properties.material->parameters(scaled);
    (about_rest ? elements_.tets_damped_at_rest : elements_.tets_damped_now[properties.material])
        .push_back(element);
  }

  void add_spring(const Spring& spring, int cell) {
    SINEW_ASSERT(spring.rest_length > 0.0, "a spring needs a length");
    const std::array<int, 2> ends{internal(spring.vertices[0]), internal(spring.vertices[1])};
    SpringElement element = make_spring_element(ends, {rest_of(ends[0]), rest_of(ends[1])},
                                                spring.stiffness, spring.rest_length);
    element.cell = cell;
    elements_.springs.push_back(element);
    if (spring.damping_stiffness <= 0.0) return;
    element.stiffness *= spring.damping_stiffness;
    (spring.damping_shape == DampingShape::rest ? elements_.springs_damped_at_rest
                                                : elements_.springs_damped_now)
        .push_back(element);
  }

  std::span<const int> internal_of_user_;
  std::span<const Vec3> rest_;
  BodyElements elements_;
  std::size_t vertex_offset_ = 0;
  int cell_offset_ = 0;
};

}  // namespace

BodyElements gather_elements(std::span<const Body> bodies, std::span<const int> internal_of_user,
                             std::span<const Vec3> rest) {
  Gatherer gatherer(internal_of_user, rest);
  for (const Body& body : bodies) gatherer.add(body);
  return gatherer.take();
}

}  // namespace sinew::physics
