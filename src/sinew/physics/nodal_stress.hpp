// SPDX-License-Identifier: Apache-2.0
// Stress at points, for meshes with ten-node tets: inside such a tet it is nearly linear, and its
// largest values are at its nodes. Means over cells cut these off, by a third where two cells
// bend.
#pragma once

#include <sinew/core/types.hpp>
#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/physics/numbering.hpp>

namespace sinew::physics {

/// Whether cells have more to say than their means.
bool has_nodal_stress(const dynamics::Geometry& geometry);

/// Means over the tets around every point. `corner_stress`: 24 entries per cell, those of
/// ElementSet::evaluate_corner_stress(); a middle node has the mean of its two corners.
void average_stress(const dynamics::Geometry& geometry, const Numbering& numbering,
                    const Vec& corner_stress, VecOut values);
/// The same of von Mises' measure, taken at the nodes of each cell. Cells that are no tets have
/// `of_cells` all over.
void average_von_mises(const dynamics::Geometry& geometry, const Numbering& numbering,
                       const Vec& corner_stress, const Vec& of_cells, VecOut values);

}  // namespace sinew::physics
