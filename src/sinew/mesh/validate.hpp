// SPDX-License-Identifier: Apache-2.0
// Judges a mesh before anything is computed on it, and mends what can be mended without guessing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// A tet is degenerate when |volume| <= this times its longest edge cubed (0.118 for the regular
/// tet). Rounding alone gives about 1e-15 times the distance from the origin in edge lengths, so
/// below 1e-12 the sign of the volume means nothing; and such a tet would be 1e11 times stiffer
/// than a good one, beyond what double precision can solve with.
inline constexpr double degenerate_volume_ratio = 1e-12;

/// Whether vertices of tets may lie at the same place: mostly a slip of whoever made the mesh, but
/// that is how a cut leaves them.
enum class Torn { refused, allowed };

/// Everything that makes the mesh, of tets or of particles, unusable; empty when it is valid.
/// Particles that nothing uses are free ones where there are species or neither triangles nor bars,
/// and a problem elsewhere. At most ten problems of each
/// kind are listed and the rest counted. `name` is the file or generator to blame. O(n log n).
std::vector<Problem> find_problems(const TetMesh& mesh, std::string_view name,
                                   Torn torn = Torn::refused);

/// Throws InputError with find_problems() unless there are none.
void require_valid(const TetMesh& mesh, std::string_view name, Torn torn = Torn::refused);

/// What repair() did.
struct RepairReport {
  int num_flipped_tets = 0;
  int num_removed_vertices = 0;
  std::vector<int> vertex_map;  ///< new index of each old vertex, -1 where removed

  bool changed_anything() const { return num_flipped_tets > 0 || num_removed_vertices > 0; }
  /// "turned 3 inverted tets around, removed 2 unused vertices"
  std::string to_text() const;
};

/// Turns inverted tets around (swaps their last two corners, and middle vertices with them) and
/// removes vertices that nothing uses, except free particles. Leaves everything else, degenerate
/// tets in particular, for require_valid() to report.
RepairReport repair(TetMesh& mesh);

}  // namespace sinew::mesh
