// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numbers>

#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/surfaces.hpp>

namespace sinew::mesh {
namespace {

constexpr std::array<Triangle, 20> icosahedron_faces{
    {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
     {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
     {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};

std::array<Vec3, 12> icosahedron_corners() {
  const double g = std::numbers::phi;
  return {Vec3(-1, g, 0), Vec3(1, g, 0), Vec3(-1, -g, 0), Vec3(1, -g, 0),
          Vec3(0, -1, g), Vec3(0, 1, g), Vec3(0, -1, -g), Vec3(0, 1, -g),
          Vec3(g, 0, -1), Vec3(g, 0, 1), Vec3(-g, 0, -1), Vec3(-g, 0, 1)};
}

/// Corners of the icosahedron with their shares in a point, in ascending order; (-1, 0) stands for
/// a corner without a share. Faces that have the point in common write the same.
using CornerShares = std::array<std::array<int, 2>, 3>;

CornerShares shares_in_point(const Triangle& face, const std::array<int, 3>& shares) {
  CornerShares result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = {shares[i] > 0 ? face[i] : -1, shares[i]};
  std::sort(result.begin(), result.end());
  return result;
}

/// Numbers points by their shares and puts them onto the sphere.
class SphereVertices {
 public:
  SphereVertices(TetMesh& mesh, double radius) : mesh_(mesh), radius_(radius) {}

  int number(const CornerShares& shares) {
    const auto [entry, is_new] = numbers_.try_emplace(shares, mesh_.num_vertices());
    if (is_new) {
      Vec3 point = Vec3::Zero();
      for (const auto& [corner, share] : shares)
        if (corner >= 0) point += share * corners_[corner];
      mesh_.vertices.push_back(radius_ * point.normalized());
    }
    return entry->second;
  }

 private:
  TetMesh& mesh_;
  double radius_;
  std::array<Vec3, 12> corners_ = icosahedron_corners();
  std::map<CornerShares, int> numbers_;
};

}  // namespace

TetMesh make_sphere_surface(const SphereSurfaceSettings& settings) {
  require_positive("/radius", settings.radius);
  require_count("/subdivisions", settings.subdivisions);
  const int n = settings.subdivisions;
  require_affordable_triangles("/subdivisions", 20.0 * n * n);
  TetMesh mesh;
  SphereVertices vertices(mesh, settings.radius);
  for (const Triangle& face : icosahedron_faces) {
    // i steps from the first corner to the second, j to the third; rows of equal j
    std::vector<int> numbers;
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i + j <= n; ++i)
        numbers.push_back(vertices.number(shares_in_point(face, {n - i - j, i, j})));
    const auto vertex = [&](int i, int j) { return numbers[j * (n + 1) - j * (j - 1) / 2 + i]; };
    for (int j = 0; j < n; ++j)
      for (int i = 0; i + j < n; ++i) {
        mesh.triangles.push_back({vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)});
        if (i + j + 2 <= n)
          mesh.triangles.push_back({vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
      }
  }
  return mesh;
}

}  // namespace sinew::mesh
