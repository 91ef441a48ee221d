// SPDX-License-Identifier: Apache-2.0
// What every generator asks of its settings.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace sinew::mesh {

/// Meshes beyond this would take tens of gigabytes before the first step; more likely a typo.
inline constexpr double max_generated_tets = 50e6;

/// The same for particles, with about ten bars each.
inline constexpr double max_generated_particles = 10e6;

/// The same for the triangles of a surface.
inline constexpr double max_generated_triangles = 20e6;

/// Throws InputError about the parameter at the pointer `where`, such as "/size/0".
[[noreturn]] void reject_parameter(std::string where, std::string what, std::string hint);

/// Finite and greater than zero.
void require_positive(std::string_view where, double value);

/// A count of at least one.
void require_count(std::string_view where, int value);

/// A count of at least `least`.
void require_at_least(std::string_view where, int value, int least);

/// Throws if `count` of what is called `things` exceeds `allowed`; `where` is the count to blame.
void require_at_most(std::string_view where, double count, double allowed, std::string_view things,
                     std::string hint = "use fewer");

/// Five tets per cell may not exceed max_generated_tets; `where` is the count to blame.
void require_affordable(std::string_view where, double num_cells);

/// As many particles may not exceed max_generated_particles; `where` is the count to blame.
void require_affordable_particles(std::string_view where, double num_particles);

/// As many triangles may not exceed max_generated_triangles; `where` is the count to blame.
void require_affordable_triangles(std::string_view where, double num_triangles);

}  // namespace sinew::mesh
