// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <Eigen/Eigenvalues>

#include <sinew/physics/fracture.hpp>

namespace sinew::physics {

std::vector<Crack> find_cracks(const mesh::TetMesh& mesh, std::span<const double> stress,
                               const std::vector<char>& may_not, double strength) {
  std::vector<Mat3> sums(mesh.vertices.size(), Mat3::Zero());
  std::vector<double> volumes(mesh.vertices.size(), 0.0);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const double volume = mesh::signed_volume(mesh, static_cast<int>(t));
    const double* s = &stress[6 * t];
    Mat3 sigma;
    sigma << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
    for (const int vertex : mesh.tets[t]) {
      sums[static_cast<std::size_t>(vertex)] += volume * sigma;
      volumes[static_cast<std::size_t>(vertex)] += volume;
    }
  }
  std::vector<Crack> cracks;
  Eigen::SelfAdjointEigenSolver<Mat3> principal;
  for (std::size_t v = 0; v < sums.size(); ++v) {
    if (may_not[v] || !(volumes[v] > 0.0) || !sums[v].allFinite()) continue;
    // no eigenvalue is above the norm
    if (!(sums[v].norm() > strength * volumes[v])) continue;
    principal.computeDirect(sums[v] / volumes[v]);
    if (!(principal.eigenvalues()[2] > strength)) continue;
    cracks.push_back(
        {static_cast<int>(v), principal.eigenvectors().col(2), principal.eigenvalues()[2]});
  }
  std::stable_sort(cracks.begin(), cracks.end(),
                   [](const Crack& a, const Crack& b) { return a.tension > b.tension; });
  return cracks;
}

mesh::CutSurface surface_of(const Crack& crack, const mesh::TetMesh& mesh,
                            std::span<const Vec3> places, double snap) {
  mesh::CutSurface surface{.places = places, .snap = snap};
  const Vec3& from = places[static_cast<std::size_t>(crack.vertex)];
  surface.sides.reserve(places.size());
  for (const Vec3& place : places) surface.sides.push_back(crack.normal.dot(place - from));
  surface.sides[static_cast<std::size_t>(crack.vertex)] = 0.0;
  for (const mesh::Tet& tet : mesh.tets)
    surface.may_open.push_back(std::find(tet.begin(), tet.end(), crack.vertex) != tet.end() ? 1
                                                                                            : 0);
  return surface;
}

}  // namespace sinew::physics
