// SPDX-License-Identifier: Apache-2.0
// Particles and the bars between them as tables (.csv). The first line names the columns, in any
// order and case; cells are separated by commas, semicolons or tabs; lines that begin with # are
// comments; columns of other names are skipped.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

/// Particles: columns x, y, z [m] and, if there is one, mass [kg], else 1 each. There are no bars.
TetMesh read_csv(const std::filesystem::path& path);

struct BarTable {
  std::vector<Edge> bars;
  std::vector<double> stiffnesses;   ///< one per bar, or none [N/m]
  std::vector<double> rest_lengths;  ///< one per bar, or none [m]
};

/// Bars: columns a and b, numbers of particles from 0, and, if there are, stiffness [N/m] and
/// rest_length [m]. Whether the particles exist is not known here.
BarTable read_bars_csv(const std::filesystem::path& path);

/// The numbers of these columns, all of which must be there.
std::vector<std::vector<double>> read_csv_columns(const std::filesystem::path& path,
                                                  std::span<const std::string_view> names);

}  // namespace sinew::mesh::io
