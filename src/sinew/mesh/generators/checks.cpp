// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/generators/checks.hpp>

namespace sinew::mesh {

void reject_parameter(std::string where, std::string what, std::string hint) {
  throw InputError(Problem{"", std::move(where), std::move(what), std::move(hint)});
}

void require_positive(std::string_view where, double value) {
  if (!std::isfinite(value) || value <= 0.0)
    reject_parameter(std::string(where), fmt::format("{} is not a positive length", value),
                     "give a length in metres greater than 0");
}

void require_count(std::string_view where, int value) {
  require_at_least(where, value, 1);
}

void require_at_least(std::string_view where, int value, int least) {
  if (value < least)
    reject_parameter(std::string(where), fmt::format("{} is not a usable count", value),
                     fmt::format("give a whole number of at least {}", least));
}

void require_at_most(std::string_view where, double count, double allowed, std::string_view things,
                     std::string hint) {
  if (count > allowed)
    reject_parameter(std::string(where),
                     fmt::format("this would make {:.3g} {}, more than the {:.3g} allowed", count,
                                 things, allowed),
                     std::move(hint));
}

void require_affordable(std::string_view where, double num_cells) {
  require_at_most(where, 5.0 * num_cells, max_generated_tets, "tets", "use fewer cells");
}

void require_affordable_particles(std::string_view where, double num_particles) {
  require_at_most(where, num_particles, max_generated_particles, "particles");
}

void require_affordable_triangles(std::string_view where, double num_triangles) {
  require_at_most(where, num_triangles, max_generated_triangles, "triangles");
}

}  // namespace sinew::mesh
