// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include <sinew/la/dense/decompositions.hpp>
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
  // sums of motions^T motions over the prescribed vertices and over all
  Eigen::Matrix<double, 6, 6> held = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 6> all = Eigen::Matrix<double, 6, 6>::Zero();
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
    Piece& piece = piece_of(vertex);
    if (piece.radius == 0.0) piece.radius = 1.0;  // a lone vertex
    const auto motions = rigid_motions_at(vertex.position, piece.centre, piece.radius);
    piece.all += motions.transpose() * motions;
    if (vertex.block < 0) piece.held += motions.transpose() * motions;
  }
  Index columns = 0;
  for (Piece& piece : pieces) {
    // entries are of size one per vertex; below this a motion does not move any of them
    constexpr double still = 1e-10;
    const la::SymmetricEigen eigen = la::symmetric_eigen_6(piece.held);
    piece.basis = eigen.vectors.leftCols((eigen.values.array() < still).count());
    if (piece.basis.cols() > 0) {
      // turning a straight line of springs about itself, or a lone vertex, is no motion
      const Mat moved = piece.basis.transpose() * piece.all * piece.basis;
      const la::SymmetricEigen size = la::symmetric_eigen(moved);
      const Index idle = (size.values.array() < still).count();
      if (idle > 0)
        piece.basis = (piece.basis * size.vectors.rightCols(moved.cols() - idle)).eval();
    }
    piece.column = std::exchange(columns, columns + piece.basis.cols());
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
