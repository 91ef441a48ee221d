// SPDX-License-Identifier: Apache-2.0
// The part of the table of generators that makes closed surfaces.
#pragma once

#include <vector>

#include <sinew/mesh/generators.hpp>

namespace sinew::mesh {

std::vector<GeneratorEntry> surface_entries();

}  // namespace sinew::mesh
