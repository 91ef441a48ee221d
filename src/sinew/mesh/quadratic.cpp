// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <Eigen/LU>

#include <sinew/core/error.hpp>
#include <sinew/mesh/quadratic.hpp>
#include <sinew/mesh/surface.hpp>

namespace sinew::mesh {
namespace {

Edge ascending_edge(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

std::set<Edge> boundary_edges(const TetMesh& mesh) {
  std::set<Edge> edges;
  for (const Triangle& face : extract_surface(mesh).triangles)
    for (std::size_t k = 0; k < 3; ++k) edges.insert(ascending_edge(face[k], face[(k + 1) % 3]));
  return edges;
}

}  // namespace

QuadraticTet quadratic_tet(const TetMesh& mesh, int tet) {
  QuadraticTet nodes;
  std::copy_n(mesh.tets[tet].begin(), 4, nodes.begin());
  std::copy_n(mesh.middles[tet].begin(), 6, nodes.begin() + 4);
  return nodes;
}

TetMesh quadratic_mesh(const std::vector<QuadraticTet>& tets) {
  TetMesh mesh;
  for (const auto& [a, b, c, d, ab, ac, ad, bc, bd, cd] : tets) {
    mesh.tets.push_back({a, b, c, d});
    mesh.middles.push_back({ab, ac, ad, bc, bd, cd});
  }
  return mesh;
}

int middle_between(int corner, int other) {
  for (std::size_t e = 0; e < tet_edges.size(); ++e)
    if (tet_edges[e][0] == std::min(corner, other) && tet_edges[e][1] == std::max(corner, other))
      return static_cast<int>(e);
  SINEW_ASSERT(false, "there is no edge between these corners");
  return -1;
}

std::array<double, num_quadratic_nodes> quadratic_shape(const Barycentric& l) {
  std::array<double, num_quadratic_nodes> N;
  for (std::size_t i = 0; i < 4; ++i) N[i] = l[i] * (2.0 * l[i] - 1.0);
  for (std::size_t e = 0; e < 6; ++e) N[4 + e] = 4.0 * l[tet_edges[e][0]] * l[tet_edges[e][1]];
  return N;
}

std::array<Vec3, num_quadratic_nodes> quadratic_slopes(const Barycentric& l) {
  // of the corners' coordinates, as if they were independent
  std::array<std::array<double, 4>, num_quadratic_nodes> slopes{};
  for (std::size_t i = 0; i < 4; ++i) slopes[i][i] = 4.0 * l[i] - 1.0;
  for (std::size_t e = 0; e < 6; ++e) {
    const auto a = static_cast<std::size_t>(tet_edges[e][0]);
    const auto b = static_cast<std::size_t>(tet_edges[e][1]);
    slopes[4 + e][a] = 4.0 * l[b];
    slopes[4 + e][b] = 4.0 * l[a];
  }
  std::array<Vec3, num_quadratic_nodes> result;
  for (std::size_t k = 0; k < result.size(); ++k)
    for (std::size_t m = 0; m < 3; ++m)
      result[k][static_cast<Index>(m)] = slopes[k][m + 1] - slopes[k][0];
  return result;
}

Mat3 quadratic_jacobian(const std::array<Vec3, num_quadratic_nodes>& nodes, const Barycentric& l) {
  const auto slopes = quadratic_slopes(l);
  Mat3 J = Mat3::Zero();
  // from the first corner on: a body far from the origin loses no digits
  for (std::size_t k = 1; k < nodes.size(); ++k) J += (nodes[k] - nodes[0]) * slopes[k].transpose();
  return J;
}

double tet_volume(const TetMesh& mesh, int tet) {
  if (!mesh.is_quadratic()) return signed_volume(mesh, tet);
  std::array<Vec3, num_quadratic_nodes> nodes;
  const QuadraticTet vertices = quadratic_tet(mesh, tet);
  for (std::size_t k = 0; k < nodes.size(); ++k)
    nodes[k] = mesh.vertices[static_cast<std::size_t>(vertices[k])];
  // exact for polynomials of degree 3, which the determinant is
  const auto determinant = [&](const Barycentric& l) {
    return quadratic_jacobian(nodes, l).determinant();
  };
  double sum = -0.8 * determinant({0.25, 0.25, 0.25, 0.25});
  for (std::size_t i = 0; i < 4; ++i) {
    Barycentric l{1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0};
    l[i] = 0.5;
    sum += 0.45 * determinant(l);
  }
  return sum / 6.0;
}

TetMesh to_second_order(TetMesh mesh, const MiddlePlace& on_surface) {
  if (mesh.is_quadratic() || mesh.tets.empty()) return mesh;
  SINEW_ASSERT(mesh.masses.empty() && mesh.species.empty(), "tets have no masses at vertices");
  const std::set<Edge> boundary = on_surface ? boundary_edges(mesh) : std::set<Edge>{};
  const std::vector<Edge> edges = edges_of(mesh);  // ascending: numbers do not depend on the tets
  std::map<Edge, int> middle_of;
  for (const Edge& edge : edges) {
    const Vec3 &a = mesh.vertices[edge[0]], &b = mesh.vertices[edge[1]];
    middle_of[edge] = mesh.num_vertices();
    mesh.vertices.push_back(boundary.contains(edge) ? on_surface(a, b) : Vec3(0.5 * (a + b)));
  }
  mesh.middles.reserve(mesh.tets.size());
  for (const Tet& tet : mesh.tets) {
    Middles& middles = mesh.middles.emplace_back();
    for (std::size_t e = 0; e < 6; ++e)
      middles[e] = middle_of[ascending_edge(tet[tet_edges[e][0]], tet[tet_edges[e][1]])];
  }
  return mesh;
}

TetMesh to_first_order(TetMesh mesh) {
  if (!mesh.is_quadratic()) return mesh;
  mesh.middles.clear();
  std::vector<int> new_index(mesh.vertices.size(), -1);
  for (const Tet& tet : mesh.tets)
    for (const int vertex : tet) new_index[static_cast<std::size_t>(vertex)] = 0;
  int count = 0;
  for (std::size_t v = 0; v < new_index.size(); ++v) {
    if (new_index[v] < 0) continue;
    new_index[v] = count;
    mesh.vertices[static_cast<std::size_t>(count++)] = mesh.vertices[v];
  }
  mesh.vertices.resize(static_cast<std::size_t>(count));
  for (Tet& tet : mesh.tets)
    for (int& vertex : tet) vertex = new_index[static_cast<std::size_t>(vertex)];
  return mesh;
}

}  // namespace sinew::mesh
