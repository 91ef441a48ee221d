// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <sinew/core/error.hpp>
#include <sinew/mesh/tet_shares.hpp>
#include <sinew/physics/body_elements.hpp>
#include <sinew/physics/elements/small_strain.hpp>

namespace sinew::physics {
namespace {

template <std::size_t nodes>
TetElement<static_cast<int>(nodes)> element_of(const std::array<int, nodes>& tet,
                                               const BodyNumbers& number,
                                               const Numbering& numbering) {
  std::array<int, nodes> vertices;
  std::array<Vec3, nodes> rest;
  for (std::size_t k = 0; k < nodes; ++k) {
    vertices[k] = numbering.internal(number(tet[k]));
    rest[k] = numbering.rest(vertices[k]);
  }
  return make_tet_element(vertices, rest);
}

std::array<int, 2> sorted(const std::array<int, 2>& edge) {
  return {std::min(edge[0], edge[1]), std::max(edge[0], edge[1])};
}

/// The triangles at each edge, the first two of them.
using EdgeCells = std::map<std::array<int, 2>, std::array<int, 2>>;

EdgeCells edge_cells(const mesh::TetMesh& mesh) {
  EdgeCells cells;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const mesh::Triangle& triangle = mesh.triangles[t];
      const std::array<int, 2> edge = sorted({triangle[k], triangle[(k + 1) % 3]});
      std::array<int, 2>& both = cells.try_emplace(edge, std::array<int, 2>{-1, -1}).first->second;
      if (both[0] < 0)
        both[0] = static_cast<int>(t);
      else if (both[1] < 0)
        both[1] = static_cast<int>(t);
    }
  return cells;
}

class Gatherer {
 public:
  explicit Gatherer(const Numbering& numbering) : numbering_(numbering) {}

  void add(const Body& body) {
    number_.emplace(body, next_vertex_);
    for (std::size_t t = 0; t < body.tets.size(); ++t) {
      const int tet = static_cast<int>(t);
      if (body.mesh.is_quadratic())
        add_tet(mesh::quadratic_tet(body.mesh, tet), body.tets[t], cell_offset_ + tet,
                elements_.quadratic_tets);
      else
        add_tet(body.mesh.tets[t], body.tets[t], cell_offset_ + tet, elements_.tets);
    }
    add_springs(body);
    for (const Bend& bend : body.bends) add_bend(bend);
    next_vertex_ = number_->end();
    cell_offset_ += num_cells(body);
  }

  BodyElements take() { return std::move(elements_); }

 private:
  int internal(int vertex) const { return numbering_.internal((*number_)(vertex)); }

  template <int nodes>
  void add_tet(const std::array<int, static_cast<std::size_t>(nodes)>& tet,
               const TetProperties& properties, int cell, TetGroup<nodes>& group) {
    TetElement<nodes> element = element_of(tet, *number_, numbering_);
    element.index = cell;
    if (properties.damping_stiffness > 0.0) add_tet_damping(element, properties, group);
    element.parameters = properties.material->parameters(properties.moduli);
    if (!group.elastic.contains(properties.material))
      group.materials.push_back(properties.material);
    group.elastic[properties.material].push_back(element);
  }

  template <int nodes>
  static void add_tet_damping(TetElement<nodes> element, const TetProperties& properties,
                              TetGroup<nodes>& group) {
    // every material is linear in its moduli
    const bool about_rest = properties.damping_shape == DampingShape::rest;
    Moduli scaled =
        about_rest ? properties.material->small_strain(properties.moduli) : properties.moduli;
    scaled.mu *= properties.damping_stiffness;
    scaled.lambda *= properties.damping_stiffness;
    element.parameters = about_rest ? SmallStrain<double>::parameters(scaled)
                                    : properties.material->parameters(scaled);
    (about_rest ? group.damped_at_rest : group.damped_now[properties.material]).push_back(element);
  }

  void add_springs(const Body& body) {
    const bool are_lines = body.mesh.tets.empty() && body.mesh.triangles.empty();
    const EdgeCells triangles = body.mesh.tets.empty() ? edge_cells(body.mesh) : EdgeCells{};
    for (std::size_t s = 0; s < body.springs.size(); ++s) {
      std::array<int, 2> cells{-1, -1};
      if (are_lines) {
        cells[0] = cell_offset_ + static_cast<int>(s);
      } else if (const auto found = triangles.find(sorted(body.springs[s].vertices));
                 found != triangles.end()) {
        cells = found->second;
        for (int& cell : cells)
          if (cell >= 0) cell += cell_offset_;
      }
      add_spring(body.springs[s], cells);
    }
  }

  void add_spring(const Spring& spring, const std::array<int, 2>& cells) {
    SINEW_ASSERT(spring.rest_length > 0.0, "a spring needs a length");
    const std::array<int, 2> ends{internal(spring.vertices[0]), internal(spring.vertices[1])};
    SpringElement element =
        make_spring_element(ends, {numbering_.rest(ends[0]), numbering_.rest(ends[1])},
                            spring.stiffness, spring.rest_length);
    element.cells = cells;
    element.constants = spring.constants;
    element.section = spring.section;
    element.yield = spring.yield;
    element.hardening = spring.hardening;
    LawSprings& group = springs_of(spring.law ? spring.law : &spring_laws().front());
    (spring.is_plastic() ? group.plastic : group.elastic).push_back(element);
    if (spring.damping_stiffness <= 0.0) return;
    element.weight = spring.damping_stiffness;
    switch (spring.damping_shape) {
      case DampingShape::rest:
        return group.damped_at_rest.push_back(element);
      case DampingShape::current:
        // the tension of a spring that yields depends on its history; damping acts along it
        return (spring.is_plastic() ? group.damped_along : group.damped_now).push_back(element);
      case DampingShape::along:
        return group.damped_along.push_back(element);
    }
  }

  LawSprings& springs_of(const SpringLawEntry* law) {
    for (LawSprings& group : elements_.springs)
      if (group.law == law) return group;
    elements_.springs.push_back({.law = law});
    return elements_.springs.back();
  }

  void add_bend(const Bend& bend) {
    put_bend(bend, bend.stiffness, elements_.bends);
    if (bend.damping_stiffness > 0.0)
      put_bend(bend, bend.stiffness * bend.damping_stiffness,
               bend.damping_shape == DampingShape::rest ? elements_.bends_damped_at_rest
                                                        : elements_.bends_damped_now);
  }

  void put_bend(const Bend& bend, double stiffness, Bends& bends) const {
    SINEW_ASSERT(bend.vertices.size() == 3 || bend.vertices.size() == 4,
                 "bending takes three vertices of a chain or four of two triangles");
    if (bend.vertices.size() == 3) {
      const auto [vertices, rest] = corners<3>(bend);
      // what is straight up to rounding is meant to be straight, where the energy is smooth
      constexpr double straight = 1e-6;
      const double angle = turning_angle(rest);
      bends.angles.push_back({vertices, stiffness, angle < straight ? 0.0 : angle});
    } else {
      const auto [vertices, rest] = corners<4>(bend);
      bends.hinges.push_back({vertices, stiffness, hinge_angle(rest)});
    }
  }

  template <std::size_t n>
  std::pair<std::array<int, n>, std::array<Vec3, n>> corners(const Bend& bend) const {
    std::array<int, n> vertices;
    std::array<Vec3, n> rest;
    for (std::size_t k = 0; k < n; ++k) {
      vertices[k] = internal(bend.vertices[k]);
      rest[k] = numbering_.rest(vertices[k]);
    }
    return {vertices, rest};
  }

  const Numbering& numbering_;
  BodyElements elements_;
  std::optional<BodyNumbers> number_;  // of the body that is being added
  int next_vertex_ = 0;
  int cell_offset_ = 0;
};

/// Masses with a factor per tet and per point, which is 1 or a damping coefficient.
template <class TetFactor, class PointFactor>
TetMass gather_masses(std::span<const Body> bodies, const Numbering& numbering,
                      const TetFactor& tet_factor, const PointFactor& point_factor) {
  Vec lumped = Vec::Zero(numbering.num_vertices());
  std::vector<TetMass::Entry> consistent;
  int first = 0;
  for (const Body& body : bodies) {
    const BodyNumbers number(body, first);
    const auto internal = [&](int vertex) { return numbering.internal(number(vertex)); };
    for (std::size_t t = 0; t < body.tets.size(); ++t) {
      const TetProperties& properties = body.tets[t];
      const double density = tet_factor(properties) * properties.density;
      if (density == 0.0) continue;
      const int tet = static_cast<int>(t);
      if (properties.consistent_mass)
        mesh::for_each_consistent_share(body.mesh, tet, [&](int a, int b, double volume) {
          const auto [low, high] = std::minmax({internal(a), internal(b)});
          consistent.push_back({low, high, density * volume});
        });
      else
        mesh::for_each_share(body.mesh, tet, [&](int vertex, double volume) {
          lumped[internal(vertex)] += density * volume;
        });
    }
    for (std::size_t v = 0; v < body.points.size(); ++v)
      lumped[numbering.internal(number(static_cast<int>(v)))] +=
          point_factor(body.points[v]) * body.points[v].mass;
    first = number.end();
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
