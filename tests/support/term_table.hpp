// SPDX-License-Identifier: Apache-2.0
// Every kind of term, alone in a small system. The property tests loop over it: a new term is a new
// row.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sinew/core/expression.hpp>
#include <sinew/mesh/surface.hpp>

#include <support/bodies.hpp>
#include <support/terms/lennard_jones.hpp>
#include <support/terms/shelf.hpp>
#include <support/terms/wall.hpp>

namespace sinew::test {

struct TermRow {
  std::string name;
  physics::TermSystemSpec spec;
};

/// The same vertices and mass with one of the terms only.
inline physics::TermSystemSpec only(physics::TermSystemSpec spec, std::size_t index) {
  auto factories = std::move(spec.terms);
  spec.terms = {[factories, index](const physics::TermSite& site) {
    std::vector<std::unique_ptr<physics::Term>> all;
    for (const physics::TermFactory& factory : factories)
      for (auto& term : factory(site)) all.push_back(std::move(term));
    std::vector<std::unique_ptr<physics::Term>> one;
    one.push_back(std::move(all.at(index)));
    return one;
  }};
  return spec;
}

inline physics::TermSystemSpec with_term(const physics::BodiesSpec& bodies,
                                         physics::TermFactory factory) {
  physics::TermSystemSpec spec = physics::to_terms(bodies);
  spec.terms = {std::move(factory)};
  return spec;
}

/// The edges of a bar as springs.
inline physics::BodiesSpec net_of_bar(double damping, physics::DampingShape shape) {
  physics::BodiesSpec spec = bar_spec({.cells = {3, 1, 1}, .clamped = true});
  physics::Body& body = spec.bodies[0];
  body.tets.clear();
  body.points.assign(body.mesh.vertices.size(), {.mass = 2.0});
  for (const mesh::Tet& tet : body.mesh.tets)
    for (const auto& edge : mesh::tet_edges) {
      const int a = tet[edge[0]], b = tet[edge[1]];
      const double length = (body.mesh.vertices[a] - body.mesh.vertices[b]).norm();
      body.springs.push_back({.vertices = {a, b},
                              .stiffness = 300.0,
                              .rest_length = 0.9 * length,
                              .damping_stiffness = damping,
                              .damping_shape = shape});
    }
  return spec;
}

inline std::vector<std::array<int, 3>> boundary_of(const physics::BodiesSpec& spec) {
  std::vector<std::array<int, 3>> faces;
  for (const auto& face : mesh::extract_surface(spec.bodies[0].mesh).triangles)
    faces.push_back(face);
  return faces;
}

inline std::shared_ptr<const physics::VectorFormula> vector_formula(const char* x, const char* y,
                                                                    const char* z) {
  return std::make_shared<const physics::VectorFormula>(
      physics::VectorFormula{core::Expression(x), core::Expression(y), core::Expression(z)});
}

inline std::vector<TermRow> every_term() {
  using physics::DampingShape;
  std::vector<TermRow> rows;
  const BarOptions bar{.cells = {3, 1, 1}, .clamped = true};
  for (const physics::MaterialEntry& material : physics::materials()) {
    BarOptions options = bar;
    options.material = material.name;
    rows.push_back({"tets, " + std::string(material.name), only(to_terms(bar_spec(options)), 0)});
  }
  rows.push_back({"springs", only(to_terms(net_of_bar(0.0, DampingShape::rest)), 0)});
  const auto damped_bar = [&](DampingShape shape, double by_mass, bool consistent) {
    BarOptions options = bar;
    options.damping_stiffness = by_mass > 0.0 ? 0.0 : 0.01;
    options.damping_mass = by_mass;
    options.damping_shape = shape;
    options.consistent_mass = consistent;
    return only(to_terms(bar_spec(options)), 1);
  };
  rows.push_back({"damping at rest, tets", damped_bar(DampingShape::rest, 0.0, false)});
  rows.push_back({"damping now, tets", damped_bar(DampingShape::current, 0.0, false)});
  rows.push_back({"damping by lumped mass", damped_bar(DampingShape::rest, 0.7, false)});
  rows.push_back({"damping by consistent mass", damped_bar(DampingShape::rest, 0.7, true)});
  rows.push_back(
      {"damping at rest, springs", only(to_terms(net_of_bar(0.01, DampingShape::rest)), 1)});
  rows.push_back(
      {"damping now, springs", only(to_terms(net_of_bar(0.01, DampingShape::current)), 1)});

  physics::BodiesSpec loaded = bar_spec(bar);
  loaded.gravity = {0.3, -1.0, -9.81};
  loaded.pressures.push_back(
      {.faces = boundary_of(loaded),
       .pressure = std::make_shared<const core::Expression>("100 + 20*x + 30*t")});
  loaded.winds.push_back(
      {.faces = boundary_of(loaded), .velocity = vector_formula("5 + t", "2", "-3")});
  loaded.forces.push_back({.vertices = {1, 5, 9},
                           .factors = {0.5, 0.25, 0.25},
                           .value = vector_formula("3*t", "-2", "x + 1")});
  const char* const names[] = {"pressure", "wind", "force on vertices", "gravity"};
  for (std::size_t k = 0; k < 4; ++k) rows.push_back({names[k], only(to_terms(loaded), k + 1)});

  const auto alone = [&](auto make) {
    return with_term(bar_spec(bar), [make](const physics::TermSite& site) {
      std::vector<std::unique_ptr<physics::Term>> terms;
      terms.push_back(make(site));
      return terms;
    });
  };
  rows.push_back({"test: Lennard-Jones pairs", alone([](const physics::TermSite&) {
                    return std::make_unique<LennardJones>(2.0, 0.25, 0.6);
                  })});
  rows.push_back({"test: wall barrier", alone([](const physics::TermSite&) {
                    return std::make_unique<Wall>(2, -0.3, 50.0, 0.45);
                  })});
  rows.push_back({"test: shelf", alone([](const physics::TermSite& site) {
                    return std::make_unique<Shelf>(2, -0.2, site.numbering.num_vertices());
                  })});
  return rows;
}

}  // namespace sinew::test
