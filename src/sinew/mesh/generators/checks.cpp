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

void require_affordable(std::string_view where, double num_cells) {
  const double num_tets = 5.0 * num_cells;
  if (num_tets > max_generated_tets)
    reject_parameter(std::string(where),
                     fmt::format("this would make {:.3g} tets, more than the {:.3g} allowed",
                                 num_tets, max_generated_tets),
                     "use fewer cells");
}

void require_affordable_particles(std::string_view where, double num_particles) {
  if (num_particles > max_generated_particles)
    reject_parameter(std::string(where),
                     fmt::format("this would make {:.3g} particles, more than the {:.3g} allowed",
                                 num_particles, max_generated_particles),
                     "use fewer");
}

}  // namespace sinew::mesh
