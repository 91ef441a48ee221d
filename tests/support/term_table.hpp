// SPDX-License-Identifier: Apache-2.0
// Every kind of term, alone in a small system. The property tests loop over it: a new term is a new
// row.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sinew/core/expression.hpp>
#include <sinew/mesh/adjacency.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/physics/contact/smooth_contact.hpp>
#include <sinew/physics/pairs/pair_potential.hpp>

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

/// A net of springs of one law, with constants that differ from each other.
inline physics::BodiesSpec net_of_law(const physics::SpringLawEntry& law, double yield) {
  physics::BodiesSpec spec = net_of_bar(0.0, physics::DampingShape::rest);
  for (physics::Spring& spring : spec.bodies[0].springs) {
    spring.law = &law;
    for (std::size_t k = 0; k < law.constants.size(); ++k)
      spring.constants[k] = 0.7 + 0.6 * static_cast<double>(k);
    spring.rest_length *= 1.0 / 0.9;
    spring.yield = yield;
    spring.hardening = 0.3;
  }
  return spec;
}

/// The edges of a bar as hinges, or its vertices as joints of chains.
inline physics::BodiesSpec bent_bar(bool hinges, double damping, physics::DampingShape shape) {
  physics::BodiesSpec spec = net_of_bar(0.0, physics::DampingShape::rest);
  physics::Body& body = spec.bodies[0];
  body.springs.clear();
  const double stiffness = 3.0;
  if (hinges) {
    for (const mesh::Hinge& hinge : mesh::find_hinges(mesh::extract_surface(body.mesh).triangles))
      body.bends.push_back({{hinge.begin(), hinge.end()}, stiffness, damping, shape});
  } else {
    for (int v = 2; v < body.mesh.num_vertices(); ++v)
      body.bends.push_back({{v - 2, v - 1, v}, stiffness, damping, shape});
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

/// Vertices that hold on to the mean of others.
inline physics::TermSystemSpec attached_bar(std::size_t num_vertices) {
  physics::BodiesSpec spec = bar_spec({.cells = {3, 1, 1}, .clamped = true});
  spec.bodies[0].tets.clear();
  spec.bodies[0].points.assign(spec.bodies[0].mesh.vertices.size(), {.mass = 2.0});
  for (int first = 0; first < 6; ++first) {
    physics::Attachment attachment{{first}, {1.0}, 40.0};
    for (std::size_t k = 1; k < num_vertices; ++k) {
      attachment.vertices.push_back((first + 3 * static_cast<int>(k)) % 16);
      attachment.weights.push_back(-1.0 / static_cast<double>(num_vertices - 1));
    }
    spec.attachments.push_back(attachment);
  }
  return physics::to_terms(spec);
}

/// A bar that has sunk into another one by a little, with smooth surfaces around both.
inline physics::TermSystemSpec stacked_bars() {
  physics::BodiesSpec spec = bar_spec({.cells = {3, 1, 1}});
  std::vector<physics::ContactPart> parts{
      {.name = "below", .triangles = boundary_of(spec), .is_closed = true}};
  physics::Body above = spec.bodies[0];
  for (Vec3& x : above.mesh.vertices) x += Vec3(0.31, 0.07, 0.19);
  const int first = above.mesh.num_vertices();
  spec.bodies.push_back(std::move(above));
  parts.push_back({.name = "above", .is_closed = true});
  for (const auto& [a, b, c] : parts[0].triangles)
    parts[1].triangles.push_back({first + a, first + b, first + c});
  return with_term(spec, [parts](const physics::TermSite& site) {
    const physics::ContactRules rules{};
    return physics::make_smooth_contact_terms(
        std::make_shared<const physics::ContactSurface>(parts, rules, site.numbering),
        physics::smooth_pairs(parts, rules),
        {.form = physics::ContactForm::penalty, .stiffness = 300.0, .distance = 0.03});
  });
}

inline std::vector<TermRow> every_term() {
  using physics::DampingShape;
  std::vector<TermRow> rows;
  const BarOptions bar{.cells = {3, 1, 1}, .clamped = true};
  for (const physics::MaterialEntry& material : physics::materials()) {
    BarOptions options = bar;
    options.material = material.name;
    rows.push_back({"tets, " + std::string(material.name), only(to_terms(bar_spec(options)), 0)});
    options.order = 2;
    rows.push_back(
        {"ten-node tets, " + std::string(material.name), only(to_terms(bar_spec(options)), 0)});
  }
  rows.push_back({"springs", only(to_terms(net_of_bar(0.0, DampingShape::rest)), 0)});
  for (const physics::SpringLawEntry& law : physics::spring_laws()) {
    const std::string name(law.name);
    constexpr double inf = std::numeric_limits<double>::infinity();
    rows.push_back({"springs, " + name, only(to_terms(net_of_law(law, inf)), 0)});
    rows.push_back({"plastic springs, " + name, only(to_terms(net_of_law(law, 0.01)), 0)});
  }
  for (const bool hinges : {false, true}) {
    const std::string name = hinges ? "hinges" : "angles";
    const auto bent = [&](double damping, DampingShape shape) {
      return to_terms(bent_bar(hinges, damping, shape));
    };
    rows.push_back({"bending, " + name, only(bent(0.0, DampingShape::rest), 0)});
    rows.push_back({"damping at rest, " + name, only(bent(0.01, DampingShape::rest), 1)});
    rows.push_back({"damping now, " + name, only(bent(0.01, DampingShape::current), 1)});
  }
  const auto damped_bar = [&](DampingShape shape, double by_mass, bool consistent, int order) {
    BarOptions options = bar;
    options.order = order;
    options.damping_stiffness = by_mass > 0.0 ? 0.0 : 0.01;
    options.damping_mass = by_mass;
    options.damping_shape = shape;
    options.consistent_mass = consistent;
    return only(to_terms(bar_spec(options)), 1);
  };
  for (const int order : {1, 2}) {
    const std::string tets = order == 1 ? "tets" : "ten-node tets";
    const auto row = [&](const std::string& name, DampingShape shape, double by_mass,
                         bool consistent) {
      rows.push_back({name + ", " + tets, damped_bar(shape, by_mass, consistent, order)});
    };
    row("damping at rest", DampingShape::rest, 0.0, false);
    row("damping now", DampingShape::current, 0.0, false);
    row("damping by lumped mass", DampingShape::rest, 0.7, false);
    row("damping by consistent mass", DampingShape::rest, 0.7, true);
  }
  rows.push_back(
      {"damping at rest, springs", only(to_terms(net_of_bar(0.01, DampingShape::rest)), 1)});
  rows.push_back(
      {"damping now, springs", only(to_terms(net_of_bar(0.01, DampingShape::current)), 1)});
  rows.push_back(
      {"damping along, springs", only(to_terms(net_of_bar(0.01, DampingShape::along)), 1)});

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

  BarOptions curved_bar = bar;
  curved_bar.order = 2;
  physics::BodiesSpec curved = bar_spec(curved_bar);
  curved.pressures = loaded.pressures;
  curved.winds = loaded.winds;
  curved.pressures[0].faces = curved.winds[0].faces =
      mesh::extract_curved_faces(curved.bodies[0].mesh);
  rows.push_back({"pressure on curved faces", only(to_terms(curved), 1)});
  rows.push_back({"wind on curved faces", only(to_terms(curved), 2)});

  const auto alone = [&](auto make) {
    return with_term(bar_spec(bar), [make](const physics::TermSite& site) {
      std::vector<std::unique_ptr<physics::Term>> terms;
      terms.push_back(make(site));
      return terms;
    });
  };
  const auto pairs_of = [](const physics::TermSite& site) {
    physics::PairSpec pairs{.excluded = {{0, 1}, {2, 5}}};
    for (int v = 0; v < site.numbering.num_vertices(); ++v) {
      pairs.vertices.push_back(v);
      pairs.kinds.push_back(v % 2);
    }
    return pairs;
  };
  rows.push_back({"Lennard-Jones", alone([=](const physics::TermSite& site) {
                    return physics::make_pair_term(
                        physics::LennardJones({{2.0, 0.25}, {1.0, 0.2}}, {.from = 0.4, .to = 0.6}),
                        pairs_of(site));
                  })});
  rows.push_back({"pairs by table", alone([=](const physics::TermSite& site) {
                    return physics::make_pair_term(
                        physics::TabulatedPotential({0.1, 0.2, 0.3, 0.5, 0.7, 0.9},
                                                    {9.0, 2.0, -1.0, -0.8, -0.3, 0.0},
                                                    {.from = 0.5, .to = 0.8}),
                        pairs_of(site));
                  })});
  rows.push_back({"smooth contact", stacked_bars()});
  for (std::size_t n = 2; n <= 5; ++n)
    rows.push_back({"attachments of " + std::to_string(n), only(attached_bar(n), 0)});
  physics::BodiesSpec windy = bar_spec(bar);
  windy.winds.push_back({.faces = boundary_of(windy),
                         .is_two_sided = true,
                         .velocity = vector_formula("5 + t", "2", "-3")});
  windy.winds.push_back({.bars = {{1, 5}, {5, 9}, {3, 7}},
                         .diameter = 0.1,
                         .velocity = vector_formula("5 + t", "2", "-3")});
  rows.push_back({"wind on both sides", only(to_terms(windy), 1)});
  rows.push_back({"wind on bars", only(to_terms(windy), 2)});
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
