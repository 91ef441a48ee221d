// SPDX-License-Identifier: Apache-2.0
// What a body is made of, element by element.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>
#include <sinew/physics/laws/registry.hpp>
#include <sinew/physics/materials/registry.hpp>

namespace sinew::physics {

/// Which stiffness the damping is proportional to.
enum class DampingShape {
  rest,     ///< K of the rest shape: D is constant
  current,  ///< K of the shape now, negative curvature clamped; d(K v)/dq is left out of tangents
  along,    ///< as current, of springs only what acts along them: dashpots
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

/// Between two vertices of a body.
struct Spring {
  std::array<int, 2> vertices{};        ///< at different places
  const SpringLawEntry* law = nullptr;  ///< none: the first of the table, which is linear
  double stiffness = 0.0;               ///< k [N/m]
  double rest_length = 0.0;             ///< L, above 0 [m]
  LawConstants constants{};             ///< of the law
  double section = 0.0;                 ///< area, for stresses; 0: not known [m^2]
  double yield = std::numeric_limits<double>::infinity();  ///< strain where it gives way for good
  double hardening = 0.0;          ///< stretch that the threshold gains per lasting stretch
  double damping_stiffness = 0.0;  ///< b in D = a M + b K [s]
  DampingShape damping_shape = DampingShape::rest;

  bool is_plastic() const { return std::isfinite(yield); }
};

/// Resists bending at a vertex of a chain (three vertices, in its order) or at the edge between two
/// triangles (the edge, then the corners left and right of it). The rest angle is that of the mesh.
struct Bend {
  std::vector<int> vertices;
  double stiffness = 0.0;          ///< k in k/2 angle^2 [N m]
  double damping_stiffness = 0.0;  ///< [s]
  DampingShape damping_shape = DampingShape::rest;
};

struct PointMass {
  double mass = 0.0;          ///< [kg]
  double damping_mass = 0.0;  ///< a in D = a M + b K [1/s]
};

/// Vertices with tets, springs and bends between them.
struct Body {
  std::string name;
  bool is_obstacle = false;         ///< all of its vertices are held or moved
  mesh::TetMesh mesh;               ///< in world coordinates at rest
  std::vector<TetProperties> tets;  ///< one per tet of the mesh; none: the tets are for show
  std::vector<Spring> springs;
  std::vector<Bend> bends;
  std::vector<PointMass> points;  ///< one per vertex, beside the mass of the tets; or none
  /// Numbers of its last vertices, which cuts have added: they come after those of all bodies.
  std::vector<int> added;
};

/// Numbers of the vertices of one body through all bodies. Bodies follow each other with the
/// vertices that they began with, so that numbers stay when a cut adds others.
class BodyNumbers {
 public:
  BodyNumbers(const Body& body, int first)
      : first_(first),
        num_first_(body.mesh.num_vertices() - static_cast<int>(body.added.size())),
        added_(body.added) {}

  int operator()(int vertex) const {
    return vertex < num_first_ ? first_ + vertex
                               : added_[static_cast<std::size_t>(vertex - num_first_)];
  }
  /// Where the next body begins.
  int end() const { return first_ + num_first_; }

 private:
  int first_, num_first_;
  std::span<const int> added_;
};

/// What stands for a body in the geometry: its tets where it has any, else its triangles, else its
/// springs.
inline int num_cells(const Body& body) {
  const mesh::TetMesh& mesh = body.mesh;
  return static_cast<int>(!mesh.tets.empty()        ? mesh.tets.size()
                          : !mesh.triangles.empty() ? mesh.triangles.size()
                                                    : body.springs.size());
}

}  // namespace sinew::physics
