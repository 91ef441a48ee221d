// SPDX-License-Identifier: Apache-2.0
// Bodies of tetrahedra or springs under gravity and loads, and the terms they are made of.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <sinew/physics/body.hpp>
#include <sinew/physics/contact/contact_surface.hpp>
#include <sinew/physics/elements/attachments.hpp>
#include <sinew/physics/term_system.hpp>
#include <sinew/physics/terms/load_spec.hpp>

namespace sinew::physics {

/// What happens where bodies and obstacles meet.
struct ContactPlan {
  std::vector<ContactPart> parts;  ///< one per body and obstacle, in their order
  std::function<std::vector<std::unique_ptr<Term>>(const std::vector<ContactPart>&,
                                                   const TermSite&)>
      make;
};

struct BodiesSpec {
  std::vector<Body> bodies;     ///< vertex numbers run through all bodies in this order
  Vec3 gravity = Vec3::Zero();  ///< [m/s^2]
  std::vector<int> joined;      ///< pairs of vertices that are one and the same, flat
  std::vector<Attachment> attachments;
  std::vector<TermFactory> interactions;  ///< between particles, after all elements
  std::optional<ContactPlan> contact;     ///< after these
  std::vector<int> fixed;                 ///< vertices held at their rest position
  std::vector<MovedVertices> moved;
  std::vector<VertexLoad> forces;
  std::vector<PressureLoad> pressures;
  std::vector<WindLoad> winds;
  std::vector<TermFactory> further_terms;  ///< of the user's own, after all others
};

/// Of all bodies together.
std::size_t num_vertices(std::span<const Body> bodies);

enum class ShareBy {
  volume,  ///< of the rest shape [m^3]
  mass,    ///< with its density [kg]
  weight,  ///< the same, but row sums where the mass matrix is consistent: M times 1, as it falls
};
/// Of each vertex, numbered through all bodies: its share of every tet around it
/// (mesh/tet_shares.hpp). Springs have no volume: there it is the mass in any case.
std::vector<double> vertex_shares(std::span<const Body> bodies, ShareBy by);

/// Adds numbers up, one for each of these vertices; of several processes everyone gets the sum.
using SumOverVertices =
    std::function<double(std::span<const int> vertices, std::span<const double> numbers)>;
double plain_sum(std::span<const int> vertices, std::span<const double> numbers);

/// Finds the factors of a load, unless they are given, for its vertices.
void share_out(std::span<const Body> bodies, VertexLoad& load,
               const SumOverVertices& sum = plain_sum);

/// Elasticity per material and spring law, damping, attachments, loads, weight, interactions, in
/// this order. Energy rows are elastic, gravity, damping, external, whether or not there is
/// anything in them.
TermSystemSpec to_terms(const BodiesSpec& spec);

}  // namespace sinew::physics
