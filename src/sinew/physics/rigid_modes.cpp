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

using Mat6 = Eigen::Matrix<double, 6, 6>;

struct Piece {
  Vec3 centre = Vec3::Zero();
  double radius = 0.0;
  // sums of motions^T motions over the prescribed vertices and over all
  Mat6 held = Mat6::Zero();
  Mat6 all = Mat6::Zero();
  Mat basis;
  Index column = 0;
};

std::span<double> entries(Mat& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

/// Centre and radius of every piece, and how rigid motions move it.
std::vector<Piece> measure(std::span<const RigidVertex> vertices, int num_pieces,
                           const la::Reducer& reducer) {
  Mat sums = Mat::Zero(4, num_pieces);  // of positions, and of ones
  for (const RigidVertex& vertex : vertices)
    sums.col(vertex.piece) += vertex.position.homogeneous();
  reducer.add_up(entries(sums));
  std::vector<Piece> pieces(static_cast<std::size_t>(num_pieces));
  for (Index p = 0; p < num_pieces; ++p)
    pieces[static_cast<std::size_t>(p)].centre = sums.col(p).head<3>() / sums(3, p);
  const auto piece_of = [&](const RigidVertex& vertex) -> Piece& {
    return pieces[static_cast<std::size_t>(vertex.piece)];
  };
  Mat radii = Mat::Zero(1, num_pieces);
  for (const RigidVertex& vertex : vertices) {
    double& radius = radii(0, vertex.piece);
    radius = std::max(radius, (vertex.position - piece_of(vertex).centre).norm());
  }
  reducer.find_largest(entries(radii));
  for (Index p = 0; p < num_pieces; ++p)  // that of a lone vertex is 0
    pieces[static_cast<std::size_t>(p)].radius = radii(0, p) > 0.0 ? radii(0, p) : 1.0;
  for (const RigidVertex& vertex : vertices) {
    Piece& piece = piece_of(vertex);
    const auto motions = rigid_motions_at(vertex.position, piece.centre, piece.radius);
    piece.all += motions.transpose() * motions;
    if (vertex.block < 0) piece.held += motions.transpose() * motions;
  }
  Mat squares(72, num_pieces);
  for (Index p = 0; p < num_pieces; ++p) {
    const Piece& piece = pieces[static_cast<std::size_t>(p)];
    squares.col(p) << piece.all.reshaped(), piece.held.reshaped();
  }
  reducer.add_up(entries(squares));
  for (Index p = 0; p < num_pieces; ++p) {
    Piece& piece = pieces[static_cast<std::size_t>(p)];
    piece.all = squares.col(p).head<36>().reshaped(6, 6);
    piece.held = squares.col(p).tail<36>().reshaped(6, 6);
  }
  return pieces;
}

}  // namespace

Mat rigid_modes(std::span<const RigidVertex> vertices, int num_pieces, Index num_dofs,
                const la::Reducer& reducer) {
  std::vector<Piece> pieces = measure(vertices, num_pieces, reducer);
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
    const Piece& piece = pieces[static_cast<std::size_t>(vertex.piece)];
    modes.block(3 * vertex.block, piece.column, 3, piece.basis.cols()) =
        rigid_motions_at(vertex.position, piece.centre, piece.radius) * piece.basis;
  }
  return modes;
}

}  // namespace sinew::physics
