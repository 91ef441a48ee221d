// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <sinew/physics/rigid_modes.hpp>

namespace sinew::physics {
namespace {

/// Translations and rotations about `centre`, scaled to be of one size on a body of this radius.
Eigen::Matrix<double, 3, 6> rigid_motions_at(const Vec3& x, const Vec3& centre, double radius) {
  Eigen::Matrix<double, 3, 6> motions;
  motions.leftCols<3>().setIdentity();
  for (int axis = 0; axis < 3; ++axis)
    motions.col(3 + axis) = Vec3(Vec3::Unit(axis)).cross((x - centre) / radius);
  return motions;
}

struct Piece {
  Vec3 centre = Vec3::Zero();
  double radius = 0.0;
  int vertices = 0;
  Eigen::Matrix<double, 6, 6> held = Eigen::Matrix<double, 6, 6>::Zero();
  Mat basis;
  Index column = 0;
};

}  // namespace

Mat rigid_modes(std::span<const RigidVertex> vertices, int num_pieces, Index num_dofs) {
  std::vector<Piece> pieces(static_cast<std::size_t>(num_pieces));
  const auto piece_of = [&](const RigidVertex& vertex) -> Piece& {
    return pieces[static_cast<std::size_t>(vertex.piece)];
  };
  for (const RigidVertex& vertex : vertices) {
    piece_of(vertex).centre += vertex.position;
    ++piece_of(vertex).vertices;
  }
  for (Piece& piece : pieces) piece.centre /= piece.vertices;
  for (const RigidVertex& vertex : vertices) {
    Piece& piece = piece_of(vertex);
    piece.radius = std::max(piece.radius, (vertex.position - piece.centre).norm());
  }
  for (const RigidVertex& vertex : vertices) {
    if (vertex.block >= 0) continue;
    Piece& piece = piece_of(vertex);
    const auto motions = rigid_motions_at(vertex.position, piece.centre, piece.radius);
    piece.held += motions.transpose() * motions;
  }
  Index columns = 0;
  for (Piece& piece : pieces) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> eigen(piece.held);
    // entries are of size one per held vertex; below this a motion does not move any of them
    constexpr double still = 1e-10;
    const Index free = (eigen.eigenvalues().array() < still).count();
    piece.basis = eigen.eigenvectors().leftCols(free);
    piece.column = std::exchange(columns, columns + free);
  }
  Mat modes = Mat::Zero(num_dofs, columns);
  for (const RigidVertex& vertex : vertices) {
    if (vertex.block < 0) continue;
    const Piece& piece = piece_of(vertex);
    modes.block(3 * vertex.block, piece.column, 3, piece.basis.cols()) =
        rigid_motions_at(vertex.position, piece.centre, piece.radius) * piece.basis;
  }
  return modes;
}

}  // namespace sinew::physics
