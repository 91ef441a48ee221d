// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>

namespace sinew::mesh {

TetMesh make_polymer(const PolymerSettings& settings) {
  require_count("/chains/0", settings.chains[0]);
  require_count("/chains/1", settings.chains[1]);
  require_positive("/spacing", settings.spacing);
  require_positive("/bond", settings.bond);
  if (!(settings.angle > 60.0 && settings.angle <= 180.0))
    reject_parameter("/angle", fmt::format("{} is no angle between bonds", settings.angle),
                     "use one above 60 and up to 180 degrees");
  require_affordable_particles("/atoms", settings.atoms);
  const double chains = 1.0 * settings.chains[0] * settings.chains[1];
  if (!(settings.atoms >= 2.0 * chains))
    reject_parameter("/atoms",
                     fmt::format("{} atoms are too few for {} chains", settings.atoms, chains),
                     "a chain needs at least two");

  constexpr double mass = 14.027;  // of a CH2 group [u]
  const int num_chains = settings.chains[0] * settings.chains[1];
  const double half = 0.5 * settings.angle * std::numbers::pi / 180.0;
  const double rise = settings.bond * std::sin(half), side = 0.5 * settings.bond * std::cos(half);
  TetMesh mesh;
  for (int chain = 0; chain < num_chains; ++chain) {
    const int length = settings.atoms / num_chains + (chain < settings.atoms % num_chains ? 1 : 0);
    const int column = chain % settings.chains[0], line = chain / settings.chains[0];
    const double x = settings.spacing * (column - 0.5 * (settings.chains[0] - 1));
    const double y = settings.spacing * (line - 0.5 * (settings.chains[1] - 1));
    for (int k = 0; k < length; ++k) {
      if (k > 0) mesh.bars.push_back({mesh.num_vertices() - 1, mesh.num_vertices()});
      mesh.vertices.emplace_back(x + (k % 2 == 0 ? side : -side), y,
                                 rise * (k - 0.5 * (length - 1)));
    }
  }
  mesh.bar_regions.assign(mesh.bars.size(), 0);
  mesh.masses.assign(mesh.vertices.size(), mass);
  mesh.species.assign(mesh.vertices.size(), "C");
  return mesh;
}

}  // namespace sinew::mesh
