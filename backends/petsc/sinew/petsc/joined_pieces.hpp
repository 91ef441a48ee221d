// SPDX-License-Identifier: Apache-2.0
// Connected pieces of a body that processes share, from those of its parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <sinew/la/reducer.hpp>
#include <sinew/petsc/halo.hpp>

namespace sinew::petsc {

struct JoinedPieces {
  std::vector<int> of_vertex;  ///< by the vertices of the part; the same numbers for all processes
  int count = 0;
};

/// Pieces of parts that have a vertex in common are one. `numbers` and `owners` of the vertices of
/// the part are those that the halo was made of, `pieces` their pieces in the part.
JoinedPieces join_pieces(const Processes& processes, const la::Reducer& reducer, const Halo& halo,
                         std::span<const std::int64_t> numbers, std::span<const int> owners,
                         std::span<const int> pieces);

}  // namespace sinew::petsc
