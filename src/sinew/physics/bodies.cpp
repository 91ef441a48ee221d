// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include <sinew/core/error.hpp>
#include <sinew/physics/bodies.hpp>
#include <sinew/physics/body_elements.hpp>
#include <sinew/physics/elements/small_strain_tets.hpp>
#include <sinew/physics/terms/element_terms.hpp>
#include <sinew/physics/terms/face_loads.hpp>
#include <sinew/physics/terms/mass_terms.hpp>
#include <sinew/physics/terms/vertex_loads.hpp>

namespace sinew::physics {
namespace {

using Terms = std::vector<std::unique_ptr<Term>>;

/// At strains of order one [J].
double stored_energy(const std::vector<Body>& bodies) {
  double sum = 0.0;
  for (const Body& body : bodies) {
    for (std::size_t t = 0; t < body.tets.size(); ++t) {
      const Moduli& moduli = body.tets[t].moduli;
      sum += (moduli.mu + std::abs(moduli.lambda)) *
             std::abs(mesh::signed_volume(body.mesh, static_cast<int>(t)));
    }
    for (const Spring& spring : body.springs)
      sum += 0.5 * spring.stiffness * spring.rest_length * spring.rest_length;
  }
  return sum;
}

Terms make_element_terms(const std::vector<Body>& bodies, const Numbering& numbering) {
  BodyElements elements = gather_elements(bodies, numbering);
  const std::span<const int> parts = numbering.parts();
  Terms terms;
  // the energy scale is one number for all: the first term carries it
  double scale = stored_energy(bodies);
  const auto add_elastic = [&](std::unique_ptr<ElementSet> set, bool keeps_rotations) {
    terms.push_back(make_elastic_term(std::move(set), scale, keeps_rotations));
    scale = 0.0;
  };
  for (const MaterialEntry* material : elements.materials)
    add_elastic(material->make_elements({std::move(elements.tets[material]), parts}),
                material->keeps_rotations);
  if (!elements.springs.empty())
    add_elastic(make_spring_elasticity<LinearSpring>(std::move(elements.springs), parts), true);
  if (!elements.tets_damped_at_rest.empty())
    terms.push_back(make_rest_damping_term(
        make_small_strain_tets({std::move(elements.tets_damped_at_rest), parts})));
  if (!elements.springs_damped_at_rest.empty())
    terms.push_back(make_rest_damping_term(
        make_rest_springs<LinearSpring>(std::move(elements.springs_damped_at_rest), parts)));
  for (const MaterialEntry* material : elements.materials)
    if (elements.tets_damped_now.contains(material))
      terms.push_back(make_current_damping_term(
          material->make_elements({std::move(elements.tets_damped_now[material]), parts})));
  if (!elements.springs_damped_now.empty())
    terms.push_back(make_current_damping_term(
        make_spring_elasticity<LinearSpring>(std::move(elements.springs_damped_now), parts)));
  if (TetMass damping = gather_mass_damping(bodies, numbering); !damping.is_zero())
    terms.push_back(make_mass_damping_term(std::move(damping)));
  return terms;
}

void add_edges(const Body& body, int offset, std::vector<int>& edges) {
  for (std::size_t t = 0; t < body.tets.size(); ++t)
    for (const auto& edge : mesh::tet_edges)
      for (const int corner : edge) edges.push_back(body.mesh.tets[t][corner] + offset);
  for (const Spring& spring : body.springs)
    for (const int vertex : spring.vertices) edges.push_back(vertex + offset);
}

void add_cells(const Body& body, int offset, int index, TermSystemSpec& spec) {
  constexpr std::uint8_t vtk_line = 3, vtk_tetra = 10;
  dynamics::Geometry& geometry = spec.geometry;
  const auto add_cell = [&](const auto& vertices, std::uint8_t type, int region) {
    for (const int vertex : vertices) geometry.connectivity.push_back(vertex + offset);
    geometry.offsets.push_back(static_cast<int>(geometry.connectivity.size()));
    geometry.types.push_back(type);
    spec.cell_labels[0].values.push_back(region);
    spec.cell_labels[1].values.push_back(index);
  };
  const mesh::TetMesh& mesh = body.mesh;
  for (int t = 0; t < mesh.num_tets(); ++t)
    add_cell(mesh.tets[t], vtk_tetra, mesh.regions.empty() ? 0 : mesh.regions[t]);
  if (mesh.tets.empty())
    for (const Spring& spring : body.springs) add_cell(spring.vertices, vtk_line, 0);
}

}  // namespace

TermSystemSpec to_terms(const BodiesSpec& spec) {
  TermSystemSpec result;
  result.fixed = spec.fixed;
  result.moved = spec.moved;
  result.cell_labels = {{"region", {}}, {"body", {}}};
  for (std::size_t b = 0; b < spec.bodies.size(); ++b) {
    const Body& body = spec.bodies[b];
    SINEW_ASSERT(body.tets.empty() || body.tets.size() == body.mesh.tets.size(),
                 "one property record per tet");
    SINEW_ASSERT(body.points.empty() || body.points.size() == body.mesh.vertices.size(),
                 "one point mass per vertex");
    const int offset = static_cast<int>(result.rest.size());
    result.rest.insert(result.rest.end(), body.mesh.vertices.begin(), body.mesh.vertices.end());
    add_edges(body, offset, result.edges);
    add_cells(body, offset, static_cast<int>(b), result);
  }
  result.geometry.num_points = static_cast<Index>(result.rest.size());
  using enum dynamics::LedgerKind;
  result.rows = {{"elastic", stored},
                 {"gravity", stored_up_to_constant},
                 {"damping", loss_rate},
                 {"external", supply_rate}};

  const auto bodies = std::make_shared<const std::vector<Body>>(spec.bodies);
  result.mass = [bodies](const Numbering& numbering) { return gather_mass(*bodies, numbering); };
  result.terms.push_back(
      [bodies](const TermSite& site) { return make_element_terms(*bodies, site.numbering); });
  result.terms.push_back([pressures = spec.pressures, winds = spec.winds, forces = spec.forces,
                          gravity = spec.gravity](const TermSite& site) {
    Terms terms;
    for (const PressureLoad& load : pressures)
      terms.push_back(make_pressure_term(load, site.numbering));
    for (const WindLoad& load : winds) terms.push_back(make_wind_term(load, site.numbering));
    if (!forces.empty()) terms.push_back(make_vertex_loads_term(forces, site.numbering));
    terms.push_back(make_gravity_term(gravity, site.masses, site.numbering));
    return terms;
  });
  for (const TermFactory& factory : spec.further_terms) result.terms.push_back(factory);
  return result;
}

}  // namespace sinew::physics
