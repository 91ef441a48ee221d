// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include <sinew/mesh/io/middle_order.hpp>
#include <sinew/mesh/io/vtk_grid.hpp>
#include <sinew/physics/nodal_stress.hpp>

namespace sinew::physics {
namespace {

using Stress = Eigen::Matrix<double, 6, 1>;  // xx, yy, zz, xy, yz, xz

bool is_tet(std::uint8_t type) {
  return type == mesh::io::vtk_tet_type || type == mesh::io::vtk_quadratic_tet_type;
}

/// At a node of a tet, in the order of VTK: corners, then middles.
Stress stress_at(const Vec& corner_stress, std::size_t cell, std::size_t node) {
  const auto at_corner = [&](std::size_t corner) {
    return corner_stress.segment<6>(static_cast<Index>(24 * cell + 6 * corner));
  };
  if (node < 4) return at_corner(node);
  const auto& [a, b] = mesh::tet_edges[mesh::io::vtk_middles[node - 4]];
  return 0.5 * (at_corner(static_cast<std::size_t>(a)) + at_corner(static_cast<std::size_t>(b)));
}

double von_mises_of(const Stress& s) {
  const double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  return std::sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * s.tail<3>().squaredNorm());
}

/// value_at(cell, node): what a node of a cell has, if anything. Vertices that are one share.
template <int components, class ValueAt>
void average(const dynamics::Geometry& geometry, const Numbering& numbering,
             const ValueAt& value_at, VecOut values) {
  using Value = Eigen::Matrix<double, components, 1>;
  const auto count = static_cast<std::size_t>(numbering.num_vertices());
  std::vector<Value> sums(count, Value::Zero());
  std::vector<double> weights(count, 0.0);
  std::size_t next = 0;
  for (std::size_t cell = 0; cell < geometry.types.size(); ++cell) {
    const std::size_t begin = next;
    for (; next < static_cast<std::size_t>(geometry.offsets[cell]); ++next) {
      const std::optional<Value> value = value_at(cell, next - begin);
      if (!value) continue;
      const auto vertex = static_cast<std::size_t>(numbering.internal(geometry.connectivity[next]));
      sums[vertex] += *value;
      weights[vertex] += 1.0;
    }
  }
  for (int user = 0; user < numbering.num_user_vertices(); ++user) {
    const auto vertex = static_cast<std::size_t>(numbering.internal(user));
    values.segment<components>(static_cast<Index>(components) * user) =
        sums[vertex] / std::max(weights[vertex], 1.0);
  }
}

}  // namespace

bool has_nodal_stress(const dynamics::Geometry& geometry) {
  return std::ranges::find(geometry.types, mesh::io::vtk_quadratic_tet_type) !=
         geometry.types.end();
}

void average_stress(const dynamics::Geometry& geometry, const Numbering& numbering,
                    const Vec& corner_stress, VecOut values) {
  average<6>(
      geometry, numbering,
      [&](std::size_t cell, std::size_t node) -> std::optional<Stress> {
        if (!is_tet(geometry.types[cell])) return std::nullopt;
        return stress_at(corner_stress, cell, node);
      },
      values);
}

void average_von_mises(const dynamics::Geometry& geometry, const Numbering& numbering,
                       const Vec& corner_stress, const Vec& of_cells, VecOut values) {
  using One = Eigen::Matrix<double, 1, 1>;
  average<1>(
      geometry, numbering,
      [&](std::size_t cell, std::size_t node) -> std::optional<One> {
        return One(is_tet(geometry.types[cell]) ? von_mises_of(stress_at(corner_stress, cell, node))
                                                : of_cells[static_cast<Index>(cell)]);
      },
      values);
}

}  // namespace sinew::physics
