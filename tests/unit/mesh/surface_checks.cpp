// SPDX-License-Identifier: Apache-2.0
#include "surface_checks.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/mesh/closed_surface.hpp>

namespace sinew::test {
namespace {

/// Whether going from triangle to triangle around each vertex meets all of its triangles. The
/// surface must be closed.
bool has_one_fan_per_vertex(const mesh::TetMesh& surface) {
  std::map<mesh::Edge, int> third;  // what the triangle left of a directed edge has opposite
  std::vector<int> num_triangles(surface.vertices.size(), 0);
  std::vector<int> some_neighbour(surface.vertices.size(), -1);
  for (const auto& [a, b, c] : surface.triangles) {
    third[{a, b}] = c;
    third[{b, c}] = a;
    third[{c, a}] = b;
    for (const int vertex : {a, b, c}) ++num_triangles[vertex];
    some_neighbour[a] = b;
    some_neighbour[b] = c;
    some_neighbour[c] = a;
  }
  for (int vertex = 0; vertex < surface.num_vertices(); ++vertex) {
    int met = 0, neighbour = some_neighbour[vertex];
    do {
      neighbour = third.at({vertex, neighbour});
      ++met;
    } while (neighbour != some_neighbour[vertex]);
    if (met != num_triangles[vertex]) return false;
  }
  return true;
}

}  // namespace

int euler_characteristic(std::span<const mesh::Triangle> triangles) {
  std::set<int> vertices;
  std::set<mesh::Edge> edges;
  for (const mesh::Triangle& triangle : triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = triangle[i], b = triangle[(i + 1) % 3];
      vertices.insert(a);
      edges.insert({std::min(a, b), std::max(a, b)});
    }
  return static_cast<int>(vertices.size()) - static_cast<int>(edges.size()) +
         static_cast<int>(triangles.size());
}

double least_flatness(const mesh::TetMesh& surface) {
  double least = 1.0;
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 u = surface.vertices[b] - surface.vertices[a];
    const Vec3 v = surface.vertices[c] - surface.vertices[a];
    const double longest = std::max({u.squaredNorm(), v.squaredNorm(), (u - v).squaredNorm()});
    least = std::min(least, u.cross(v).norm() / longest);
  }
  return least;
}

void expect_sound_surface(const mesh::TetMesh& surface) {
  EXPECT_TRUE(surface.tets.empty());
  EXPECT_TRUE(surface.bars.empty());
  ASSERT_TRUE(mesh::is_closed(surface.triangles));
  EXPECT_GT(mesh::enclosed_volume(surface.vertices, surface.triangles), 0.0);
  std::set<int> used;
  for (const mesh::Triangle& triangle : surface.triangles)
    used.insert(triangle.begin(), triangle.end());
  ASSERT_EQ(used.size(), surface.vertices.size());
  EXPECT_TRUE(has_one_fan_per_vertex(surface));
  std::set<std::array<double, 3>> places;
  for (const Vec3& x : surface.vertices) places.insert({x[0], x[1], x[2]});
  EXPECT_EQ(places.size(), surface.vertices.size()) << "two vertices at one place";
}

}  // namespace sinew::test
