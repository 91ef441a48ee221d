// SPDX-License-Identifier: Apache-2.0
// What `sinew mesh info` says about a mesh: how big it is, and how well shaped its tets are or what
// its particles are made of.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// 3 r_in / r_circ: 1 for the regular tet, 0 for a flat one, negative for an inverted one.
double radius_ratio(const std::array<Vec3, 4>& corners);

/// Interior angle between the two faces at each of tet_edges, for a tet of positive volume [deg]
std::array<double, 6> dihedral_angles(const std::array<Vec3, 4>& corners);

struct RegionSummary {
  int number = 0;
  std::string name;  ///< may be empty
  int num_tets = 0;
  double volume = 0.0;  ///< [m^3]
};

/// Minimum, mean and maximum of something.
struct Spread {
  double min = 0.0;
  double mean = 0.0;
  double max = 0.0;
};

struct QualityReport {
  int num_vertices = 0;
  int num_tets = 0;
  bool is_quadratic = false;
  int num_surface_triangles = 0;
  int num_triangles = 0;               ///< of particles
  int num_bars = 0;                    ///< of particles
  int num_components = 0;              ///< pieces not joined by any vertex
  std::vector<RegionSummary> regions;  ///< by ascending number
  BoundingBox box;
  double volume = 0.0;        ///< [m^3]
  Spread edge_length;         ///< corner to corner, every edge counted once [m]
  Spread radius_ratio;        ///< over tets
  double min_dihedral = 0.0;  ///< [deg]
  double max_dihedral = 0.0;  ///< [deg]
  int worst_tet = -1;         ///< the tet of the smallest radius ratio, counting from 0
  bool is_made_of_particles = false;
  double mass = 0.0;  ///< of all particles, where the file has masses [kg]; of atoms [u]
  std::map<std::string, int> num_atoms;  ///< by chemical symbol; lengths are in nm if there are any

  /// Several aligned lines, each ending in a newline.
  std::string to_text() const;
};

/// The indices of the mesh must be in range; shapes may be as bad as they are.
QualityReport assess_quality(const TetMesh& mesh);

}  // namespace sinew::mesh
