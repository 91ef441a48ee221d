// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <Eigen/LU>

#include <sinew/mesh/tet_shares.hpp>

namespace sinew::mesh {
namespace {

struct MassPoint {
  Barycentric at;
  std::array<double, 55> products;  ///< weight N_a N_b
};

/// Points of a rule for polynomials of degree 7: shape functions of degree 2 twice, and a
/// determinant of degree 3. Gauss's with five points along the sides of a cube, of which the tet is
/// the image: (u, v, w) -> l = (u, v (1 - u), w (1 - u)(1 - v)).
std::vector<MassPoint> mass_points() {
  constexpr double near_end = 0.04691007703066800360, inner = 0.23076534494715845448;
  constexpr std::array<double, 5> node{near_end, inner, 0.5, 1.0 - inner, 1.0 - near_end};
  constexpr double outer_weight = 0.11846344252809454376, inner_weight = 0.23931433524968323402;
  constexpr std::array<double, 5> weight{outer_weight, inner_weight, 0.28444444444444444444,
                                         inner_weight, outer_weight};
  std::vector<MassPoint> points;
  points.reserve(125);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t k = 0; k < 5; ++k) {
        const double u = node[i], v = node[j], w = node[k];
        const Barycentric l{u, v * (1.0 - u), w * (1.0 - u) * (1.0 - v),
                            (1.0 - u) * (1.0 - v) * (1.0 - w)};
        const double factor = weight[i] * weight[j] * weight[k] * (1.0 - u) * (1.0 - u) * (1.0 - v);
        const auto N = quadratic_shape(l);
        MassPoint& point = points.emplace_back(MassPoint{l, {}});
        std::size_t next = 0;
        for (std::size_t a = 0; a < N.size(); ++a)
          for (std::size_t b = a; b < N.size(); ++b) point.products[next++] = factor * N[a] * N[b];
      }
  return points;
}

}  // namespace

std::array<double, 55> quadratic_mass(const TetMesh& mesh, int tet) {
  static const std::vector<MassPoint> points = mass_points();
  std::array<Vec3, num_quadratic_nodes> nodes;
  const QuadraticTet vertices = quadratic_tet(mesh, tet);
  for (std::size_t k = 0; k < nodes.size(); ++k)
    nodes[k] = mesh.vertices[static_cast<std::size_t>(vertices[k])];
  std::array<double, 55> mass{};
  for (const MassPoint& point : points) {
    const double determinant = quadratic_jacobian(nodes, point.at).determinant();
    for (std::size_t p = 0; p < mass.size(); ++p) mass[p] += determinant * point.products[p];
  }
  return mass;
}

}  // namespace sinew::mesh
