// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/scene/compile/diagnostics.hpp>

namespace sinew::scene {

std::string Diagnostics::extent_hint(const mesh::TetMesh& mesh) const {
  if (anywhere_) return "'sinew validate', by one process, says where the body is";
  Vec3 low = mesh.vertices.front(), high = low;
  for (const Vec3& x : mesh.vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return fmt::format("the body reaches from [{:.6g}, {:.6g}, {:.6g}] to [{:.6g}, {:.6g}, {:.6g}] m",
                     low[0], low[1], low[2], high[0], high[1], high[2]);
}

}  // namespace sinew::scene
