// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <sinew/physics/elements/decompose.hpp>
#include <sinew/physics/elements/nearest_rotation.hpp>

namespace sinew::physics {
namespace {

/// The polar factor by Newton's method, X = (X + X^-T) / 2: quicker than singular values where
/// matrices are near rotations. False: they are not, or turn space inside out.
bool newton(Matrix3<Pack>& F) {
  F = (broadcast(std::sqrt(3.0)) / root(squared_norm(F))) * F;  // of order one
  constexpr int most_iterations = 12;
  constexpr double small = 1e-3, settled = 1e-9;  // convergence is quadratic
  double worst[lanes];
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Matrix3<Pack> transposed_adjugate = cofactor(F);
    const Pack determinant = dot(F.c[0], transposed_adjugate.c[0]);
    store(worst, determinant);
    for (const double value : worst)
      if (!(value > small && value < 1.0 / small)) return false;
    const Pack half = broadcast(0.5), scale = half / determinant;
    Pack change = broadcast(0.0);
    for (std::size_t c = 0; c < 3; ++c) {
      const Vector3<Pack> next = half * F.c[c] + scale * transposed_adjugate.c[c],
                          step = next - F.c[c];
      change += dot(step, step);
      F.c[c] = next;
    }
    store(worst, change);
    if (*std::max_element(worst, worst + lanes) < settled * settled) return true;
  }
  return false;
}

[[gnu::flatten]] void replace_four(Mat3* matrices, std::size_t count) {
  Matrix3<Pack> F;
  double entry[9][lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Mat3& from = matrices[std::min(lane, count - 1)];
    for (int k = 0; k < 9; ++k) entry[k][lane] = from.data()[k];
  }
  for (int c = 0; c < 3; ++c)
    F.c[static_cast<std::size_t>(c)] = {load(entry[3 * c]), load(entry[3 * c + 1]),
                                        load(entry[3 * c + 2])};
  Matrix3<Pack> R = F;
  if (!newton(R)) {
    const SignedSvd<Pack> svd = signed_svd(F);
    const Matrix3<Pack> Vt = transposed(svd.V);
    for (std::size_t c = 0; c < 3; ++c) R.c[c] = svd.U * Vt.c[c];
  }
  for (int c = 0; c < 3; ++c) {
    const Vector3<Pack>& column = R.c[static_cast<std::size_t>(c)];
    store(entry[3 * c], column.x);
    store(entry[3 * c + 1], column.y);
    store(entry[3 * c + 2], column.z);
  }
  for (std::size_t lane = 0; lane < count; ++lane)
    for (int k = 0; k < 9; ++k) matrices[lane].data()[k] = entry[k][lane];
}

/// The smallest rotation that takes one unit vector to another; for opposite ones, half a turn
/// about some axis across them.
Mat3 smallest_rotation(const Vec3& from, const Vec3& to) {
  const double cosine = from.dot(to);
  constexpr double opposite = 1e-9;
  if (1.0 + cosine < opposite) {
    const Vec3 axis = from.unitOrthogonal();
    return 2.0 * axis * axis.transpose() - Mat3::Identity();
  }
  const Vec3 axis = from.cross(to);
  Mat3 R = axis * axis.transpose() / (1.0 + cosine);
  R.diagonal().array() += cosine;
  R(1, 0) += axis[2];
  R(0, 1) -= axis[2];
  R(0, 2) += axis[1];
  R(2, 0) -= axis[1];
  R(2, 1) += axis[0];
  R(1, 2) -= axis[0];
  return R;
}

}  // namespace

void fill_missing_directions(Mat3& gradient) {
  const double size = gradient.norm();
  if (size == 0.0) {  // without elements there is no turn
    gradient.setIdentity();
    return;
  }
  constexpr double flat = 1e-2, straight = 1e-6;
  Mat3 cofactors;
  cofactors << gradient.col(1).cross(gradient.col(2)), gradient.col(2).cross(gradient.col(0)),
      gradient.col(0).cross(gradient.col(1));
  if (gradient.col(0).dot(cofactors.col(0)) > flat * size * size * size) return;
  if (cofactors.norm() > straight * size * size) {
    // has the same singular vectors, and is large where the gradient is small
    gradient += cofactors / size;
    return;
  }
  Index column = 0, row = 0;
  gradient.colwise().squaredNorm().maxCoeff(&column);
  gradient.rowwise().squaredNorm().maxCoeff(&row);
  const Vec3 to = gradient.col(column).normalized();
  Vec3 from = gradient.row(row).transpose().normalized();
  if (to.dot(gradient * from) < 0.0) from = -from;
  gradient = smallest_rotation(from, to);
}

void replace_by_nearest_rotations(std::span<Mat3> matrices) {
  for (std::size_t first = 0; first < matrices.size(); first += lanes)
    replace_four(matrices.data() + first, std::min<std::size_t>(lanes, matrices.size() - first));
}

}  // namespace sinew::physics
