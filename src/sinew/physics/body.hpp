// SPDX-License-Identifier: Apache-2.0
// What a body is made of, element by element.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>
#include <sinew/physics/materials/registry.hpp>

namespace sinew::physics {

/// Which stiffness the damping is proportional to.
enum class DampingShape {
  rest,     ///< K of the rest shape: D is constant
  current,  ///< K of the shape now, negative curvature clamped; d(K v)/dq is left out of tangents
};

struct TetProperties {
  const MaterialEntry* material = nullptr;
  Moduli moduli;                   ///< [Pa]
  double density = 1000.0;         ///< [kg/m^3]
  double damping_mass = 0.0;       ///< a in D = a M + b K [1/s]
  double damping_stiffness = 0.0;  ///< b [s]
  DampingShape damping_shape = DampingShape::rest;
  bool consistent_mass = false;
};

/// W = k/2 (l - L)^2 between two vertices of a body.
struct Spring {
  std::array<int, 2> vertices{};   ///< at different places
  double stiffness = 0.0;          ///< k [N/m]
  double rest_length = 0.0;        ///< L, above 0 [m]
  double damping_stiffness = 0.0;  ///< b in D = a M + b K [s]
  DampingShape damping_shape = DampingShape::rest;
};

struct PointMass {
  double mass = 0.0;          ///< [kg]
  double damping_mass = 0.0;  ///< a in D = a M + b K [1/s]
};

/// Vertices with tets, springs or both between them.
struct Body {
  std::string name;
  mesh::TetMesh mesh;               ///< in world coordinates at rest
  std::vector<TetProperties> tets;  ///< one per tet of the mesh; none: the tets are for show
  std::vector<Spring> springs;      ///< lines of the geometry where the mesh has no tets
  std::vector<PointMass> points;    ///< one per vertex, beside the mass of the tets; or none
};

/// Cells that stand for a body in the geometry: its tets where it has any, else its springs.
inline int num_cells(const Body& body) {
  return static_cast<int>(body.mesh.tets.empty() ? body.springs.size() : body.mesh.tets.size());
}

}  // namespace sinew::physics
