// SPDX-License-Identifier: Apache-2.0
#include <sinew/core/error.hpp>
#include <sinew/physics/body_elements.hpp>
#include <sinew/physics/elements/small_strain.hpp>

namespace sinew::physics {
namespace {

TetElement element_of(const mesh::Tet& tet, int vertex_offset, const Numbering& numbering) {
  std::array<int, 4> vertices;
  std::array<Vec3, 4> corners;
  for (std::size_t k = 0; k < 4; ++k) {
    vertices[k] = numbering.internal(tet[k] + vertex_offset);
    corners[k] = numbering.rest(vertices[k]);
  }
  return make_tet_element(vertices, corners);
}

class Gatherer {
 public:
  explicit Gatherer(const Numbering& numbering) : numbering_(numbering) {}

  void add(const Body& body) {
    for (std::size_t t = 0; t < body.tets.size(); ++t)
      add_tet(body.mesh.tets[t], body.tets[t], cell_offset_ + static_cast<int>(t));
    for (std::size_t s = 0; s < body.springs.size(); ++s)
      add_spring(body.springs[s], body.mesh.tets.empty() ? cell_offset_ + static_cast<int>(s) : -1);
    vertex_offset_ += body.mesh.num_vertices();
    cell_offset_ += num_cells(body);
  }

  BodyElements take() { return std::move(elements_); }

 private:
  int internal(int vertex) const { return numbering_.internal(vertex_offset_ + vertex); }

  void add_tet(const mesh::Tet& tet, const TetProperties& properties, int cell) {
    TetElement element = element_of(tet, vertex_offset_, numbering_);
    element.index = cell;
    if (properties.damping_stiffness > 0.0) add_tet_damping(element, properties);
    element.parameters = properties.material->parameters(properties.moduli);
    if (!elements_.tets.contains(properties.material))
      elements_.materials.push_back(properties.material);
    elements_.tets[properties.material].push_back(element);
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
    SpringElement element =
        make_spring_element(ends, {numbering_.rest(ends[0]), numbering_.rest(ends[1])},
                            spring.stiffness, spring.rest_length);
    element.cell = cell;
    elements_.springs.push_back(element);
    if (spring.damping_stiffness <= 0.0) return;
    element.stiffness *= spring.damping_stiffness;
    (spring.damping_shape == DampingShape::rest ? elements_.springs_damped_at_rest
                                                : elements_.springs_damped_now)
        .push_back(element);
  }

  const Numbering& numbering_;
  BodyElements elements_;
  int vertex_offset_ = 0;
  int cell_offset_ = 0;
};

/// Masses with a factor per tet and per point, which is 1 or a damping coefficient.
template <class TetFactor, class PointFactor>
TetMass gather_masses(std::span<const Body> bodies, const Numbering& numbering,
                      const TetFactor& tet_factor, const PointFactor& point_factor) {
  Vec lumped = Vec::Zero(numbering.num_vertices());
  std::vector<TetMass::Element> consistent;
  int offset = 0;
  for (const Body& body : bodies) {
    for (std::size_t t = 0; t < body.tets.size(); ++t) {
      const TetProperties& properties = body.tets[t];
      const TetElement element = element_of(body.mesh.tets[t], offset, numbering);
      const double mass = tet_factor(properties) * (properties.density * element.volume);
      if (properties.consistent_mass) {
        if (mass > 0.0) consistent.push_back({element.vertices, mass});
      } else {
        for (const int vertex : element.vertices) lumped[vertex] += mass / 4.0;
      }
    }
    for (std::size_t v = 0; v < body.points.size(); ++v)
      lumped[numbering.internal(offset + static_cast<int>(v))] +=
          point_factor(body.points[v]) * body.points[v].mass;
    offset += body.mesh.num_vertices();
  }
  return {std::move(lumped), std::move(consistent)};
}

}  // namespace

BodyElements gather_elements(std::span<const Body> bodies, const Numbering& numbering) {
  Gatherer gatherer(numbering);
  for (const Body& body : bodies) gatherer.add(body);
  return gatherer.take();
}

TetMass gather_mass(std::span<const Body> bodies, const Numbering& numbering) {
  return gather_masses(
      bodies, numbering, [](const TetProperties&) { return 1.0; },
      [](const PointMass&) { return 1.0; });
}

TetMass gather_mass_damping(std::span<const Body> bodies, const Numbering& numbering) {
  return gather_masses(
      bodies, numbering, [](const TetProperties& tet) { return tet.damping_mass; },
      [](const PointMass& point) { return point.damping_mass; });
}

}  // namespace sinew::physics
