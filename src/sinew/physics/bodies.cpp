// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/middle_order.hpp>
#include <sinew/mesh/quadratic.hpp>
#include <sinew/mesh/tet_shares.hpp>
#include <sinew/physics/bodies.hpp>
#include <sinew/physics/body_elements.hpp>
#include <sinew/physics/elements/small_strain_tets.hpp>
#include <sinew/physics/terms/bar_drag.hpp>
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
    for (const Bend& bend : body.bends) sum += 0.5 * bend.stiffness;
  }
  return sum;
}

/// use(set, true) for the sets there are.
template <class Use>
void add_bends(Bends& bends, std::span<const int> parts, const Use& use) {
  if (!bends.angles.empty()) use(make_bend_angles(std::move(bends.angles), parts), true);
  if (!bends.hinges.empty()) use(make_bend_hinges(std::move(bends.hinges), parts), true);
}

/// Damping in proportion to stiffness.
void add_damping(BodyElements& elements, const Numbering& numbering, Terms& terms) {
  const std::span<const int> parts = numbering.parts();
  const auto add_at_rest = [&](std::unique_ptr<ElementSet> set) {
    terms.push_back(make_rest_damping_term(std::move(set)));
  };
  const auto add_now = [&](std::unique_ptr<ElementSet> set, bool /*keeps_rotations*/ = true) {
    terms.push_back(make_current_damping_term(std::move(set)));
  };
  const auto add_tets = [&]<int nodes>(TetGroup<nodes>& tets) {
    if (!tets.damped_at_rest.empty())
      add_at_rest(make_small_strain_tets(TetBatches<nodes>(std::move(tets.damped_at_rest), parts)));
    for (const MaterialEntry* material : tets.materials)
      if (tets.damped_now.contains(material))
        add_now(material->make_elements(
            TetBatches<nodes>(std::move(tets.damped_now[material]), parts)));
  };
  add_tets(elements.tets);
  add_tets(elements.quadratic_tets);
  for (LawSprings& group : elements.springs) {
    if (!group.damped_at_rest.empty())
      add_at_rest(group.law->make_about_rest(std::move(group.damped_at_rest), parts));
    if (!group.damped_now.empty())
      add_now(group.law->make_elastic(std::move(group.damped_now), parts));
    if (!group.damped_along.empty())
      add_now(group.law->make_along(std::move(group.damped_along), parts));
  }
  const Bends& at_rest = elements.bends_damped_at_rest;
  if (!at_rest.angles.empty())
    add_at_rest(make_angles_about_rest(at_rest.angles, numbering.rest(), parts));
  if (!at_rest.hinges.empty())
    add_at_rest(make_hinges_about_rest(at_rest.hinges, numbering.rest(), parts));
  add_bends(elements.bends_damped_now, parts, add_now);
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
  const auto add_tets = [&]<int nodes>(TetGroup<nodes>& tets) {
    for (const MaterialEntry* material : tets.materials)
      add_elastic(
          material->make_elements(TetBatches<nodes>(std::move(tets.elastic[material]), parts)),
          material->keeps_rotations);
  };
  add_tets(elements.tets);
  add_tets(elements.quadratic_tets);
  for (LawSprings& group : elements.springs) {
    if (!group.elastic.empty())
      add_elastic(group.law->make_elastic(std::move(group.elastic), parts), true);
    if (!group.plastic.empty())
      terms.push_back(
          group.law->make_plastic(std::move(group.plastic), parts, std::exchange(scale, 0.0)));
  }
  add_bends(elements.bends, parts, add_elastic);
  add_damping(elements, numbering, terms);
  if (TetMass damping = gather_mass_damping(bodies, numbering); !damping.is_zero())
    terms.push_back(make_mass_damping_term(std::move(damping)));
  return terms;
}

Terms make_attachment_terms(std::vector<Attachment> attachments, const Numbering& numbering) {
  for (Attachment& attachment : attachments)
    for (int& vertex : attachment.vertices) vertex = numbering.internal(vertex);
  Terms terms;
  for (auto& set : make_attachments(attachments, numbering.parts()))
    terms.push_back(make_elastic_term(std::move(set), 0.0, true));
  return terms;
}

template <class Vertices, class Number>
void add_all_pairs(const Vertices& vertices, const Number& number, std::vector<int>& edges) {
  for (std::size_t a = 0; a < vertices.size(); ++a)
    for (std::size_t b = a + 1; b < vertices.size(); ++b)
      edges.insert(edges.end(), {number(vertices[a]), number(vertices[b])});
}

void add_edges(const Body& body, const BodyNumbers& number, std::vector<int>& edges) {
  for (int t = 0; t < static_cast<int>(body.tets.size()); ++t)
    if (body.mesh.is_quadratic())
      add_all_pairs(mesh::quadratic_tet(body.mesh, t), number, edges);
    else
      add_all_pairs(body.mesh.tets[t], number, edges);
  for (const Spring& spring : body.springs)
    for (const int vertex : spring.vertices) edges.push_back(number(vertex));
  for (const Bend& bend : body.bends) add_all_pairs(bend.vertices, number, edges);
}

void add_cells(const Body& body, const BodyNumbers& number, int index, TermSystemSpec& spec) {
  constexpr std::uint8_t vtk_line = 3, vtk_triangle = 5, vtk_tetra = 10, vtk_quadratic_tetra = 24;
  dynamics::Geometry& geometry = spec.geometry;
  const auto add_cell = [&](const auto& vertices, std::uint8_t type, int region) {
    for (const int vertex : vertices) geometry.connectivity.push_back(number(vertex));
    geometry.offsets.push_back(static_cast<int>(geometry.connectivity.size()));
    geometry.types.push_back(type);
    spec.cell_labels[0].values.push_back(region);
    spec.cell_labels[1].values.push_back(index);
    if (spec.cell_labels.size() > 2) spec.cell_labels[2].values.push_back(body.is_obstacle ? 1 : 0);
  };
  const mesh::TetMesh& mesh = body.mesh;
  for (int t = 0; t < mesh.num_tets(); ++t) {
    const int region = mesh.regions.empty() ? 0 : mesh.regions[t];
    if (mesh.is_quadratic())
      add_cell(mesh::io::to_file_order(mesh::quadratic_tet(mesh, t), mesh::io::vtk_middles),
               vtk_quadratic_tetra, region);
    else
      add_cell(mesh.tets[t], vtk_tetra, region);
  }
  if (!mesh.tets.empty()) return;
  for (const mesh::Triangle& triangle : mesh.triangles) add_cell(triangle, vtk_triangle, 0);
  if (!mesh.triangles.empty()) return;
  for (const Spring& spring : body.springs) add_cell(spring.vertices, vtk_line, 0);
}

}  // namespace

std::size_t num_vertices(std::span<const Body> bodies) {
  std::size_t count = 0;
  for (const Body& body : bodies) count += body.mesh.vertices.size();
  return count;
}

std::vector<double> vertex_shares(std::span<const Body> bodies, ShareBy by) {
  std::vector<double> shares(num_vertices(bodies), 0.0);
  int first = 0;
  for (const Body& body : bodies) {
    const BodyNumbers number(body, first);
    first = number.end();
    const auto share_of = [&](int vertex) -> double& {
      return shares[static_cast<std::size_t>(number(vertex))];
    };
    for (std::size_t t = 0; t < body.tets.size(); ++t) {
      const int tet = static_cast<int>(t);
      const double density = by == ShareBy::volume ? 1.0 : body.tets[t].density;
      if (by == ShareBy::weight && body.tets[t].consistent_mass)
        mesh::for_each_consistent_share(body.mesh, tet, [&](int a, int b, double volume) {
          share_of(a) += density * volume;
          if (a != b) share_of(b) += density * volume;
        });
      else
        mesh::for_each_share(body.mesh, tet, [&](int vertex, double volume) {
          share_of(vertex) += density * volume;
        });
    }
    for (std::size_t v = 0; v < body.points.size(); ++v)
      share_of(static_cast<int>(v)) += body.points[v].mass;
  }
  return shares;
}

double plain_sum(std::span<const int> /*vertices*/, std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

void share_out(std::span<const Body> bodies, VertexLoad& load, const SumOverVertices& sum) {
  if (load.shares == LoadShares::given) return;
  const bool is_part = load.shares == LoadShares::volume;
  const std::vector<double> shares =
      vertex_shares(bodies, is_part ? ShareBy::volume : ShareBy::weight);
  load.factors.clear();
  for (const int vertex : load.vertices)
    load.factors.push_back(shares[static_cast<std::size_t>(vertex)]);
  if (!is_part) return;
  const double total = sum(load.vertices, load.factors);
  for (double& factor : load.factors) factor /= total;
}

TermSystemSpec to_terms(const BodiesSpec& spec) {
  TermSystemSpec result;
  result.fixed = spec.fixed;
  result.joined = spec.joined;
  result.moved = spec.moved;
  result.cell_labels = {{"region", {}}, {"body", {}}};
  const auto is_obstacle = [](const Body& body) { return body.is_obstacle; };
  if (std::any_of(spec.bodies.begin(), spec.bodies.end(), is_obstacle))
    result.cell_labels.push_back({"obstacle", {}});
  result.rest.resize(num_vertices(spec.bodies));
  int first = 0;
  for (std::size_t b = 0; b < spec.bodies.size(); ++b) {
    const Body& body = spec.bodies[b];
    SINEW_ASSERT(body.tets.empty() || body.tets.size() == body.mesh.tets.size(),
                 "one property record per tet");
    SINEW_ASSERT(body.points.empty() || body.points.size() == body.mesh.vertices.size(),
                 "one point mass per vertex");
    const BodyNumbers number(body, first);
    first = number.end();
    for (int v = 0; v < body.mesh.num_vertices(); ++v)
      result.rest[static_cast<std::size_t>(number(v))] =
          body.mesh.vertices[static_cast<std::size_t>(v)];
    add_edges(body, number, result.edges);
    add_cells(body, number, static_cast<int>(b), result);
  }
  result.geometry.num_points = static_cast<Index>(result.rest.size());
  using enum dynamics::LedgerKind;
  result.rows = {{"elastic", stored},
                 {"gravity", stored_up_to_constant},
                 {"damping", loss_rate},
                 {"external", supply_rate}};

  for (const Attachment& attachment : spec.attachments)
    add_all_pairs(attachment.vertices, std::identity{}, result.edges);

  const auto bodies = std::make_shared<const std::vector<Body>>(spec.bodies);
  result.mass = [bodies](const Numbering& numbering) { return gather_mass(*bodies, numbering); };
  result.terms.push_back(
      [bodies](const TermSite& site) { return make_element_terms(*bodies, site.numbering); });
  if (!spec.attachments.empty())
    result.terms.push_back([attachments = spec.attachments](const TermSite& site) {
      return make_attachment_terms(attachments, site.numbering);
    });
  result.terms.push_back([pressures = spec.pressures, winds = spec.winds, forces = spec.forces,
                          gravity = spec.gravity](const TermSite& site) {
    Terms terms;
    for (const PressureLoad& load : pressures)
      terms.push_back(make_pressure_term(load, site.numbering));
    for (const WindLoad& load : winds) {
      const bool has_faces =
          std::visit([](const auto& faces) { return !faces.empty(); }, load.faces);
      if (has_faces) terms.push_back(make_wind_term(load, site.numbering));
      if (!load.bars.empty()) terms.push_back(make_bar_drag_term(load, site.numbering));
    }
    if (!forces.empty()) terms.push_back(make_vertex_loads_term(forces, site.numbering));
    terms.push_back(make_gravity_term(gravity, site.masses, site.numbering));
    return terms;
  });
  for (const TermFactory& factory : spec.interactions) result.terms.push_back(factory);
  if (spec.contact)
    result.terms.push_back([contact = *spec.contact](const TermSite& site) {
      return contact.make(contact.parts, site);
    });
  for (const TermFactory& factory : spec.further_terms) result.terms.push_back(factory);
  return result;
}

}  // namespace sinew::physics
