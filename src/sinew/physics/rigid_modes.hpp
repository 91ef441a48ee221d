// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <sinew/core/types.hpp>
#include <sinew/la/reducer.hpp>

namespace sinew::physics {

struct RigidVertex {
  Vec3 position = Vec3::Zero();  ///< [m]
  int piece = 0;                 ///< connected piece it belongs to
  int block = 0;                 ///< its block row of q; negative: held or moved
};

/// The rigid motions of every piece that leave its prescribed vertices in place, as velocities of
/// the free dofs, one per column. Of several processes each gives the vertices that are its own.
Mat rigid_modes(std::span<const RigidVertex> vertices, int num_pieces, Index num_dofs,
                const la::Reducer& reducer = la::serial_reducer());

}  // namespace sinew::physics
