// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/elements/decompose.hpp>
#include <sinew/physics/elements/nearest_rotation.hpp>

namespace sinew::physics {
namespace {

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
  const SignedSvd<Pack> svd = signed_svd(F);
  const Matrix3<Pack> Vt = transposed(svd.V);
  for (int c = 0; c < 3; ++c) {
    const Vector3<Pack> column = svd.U * Vt.c[static_cast<std::size_t>(c)];
    store(entry[3 * c], column.x);
    store(entry[3 * c + 1], column.y);
    store(entry[3 * c + 2], column.z);
  }
  for (std::size_t lane = 0; lane < count; ++lane)
    for (int k = 0; k < 9; ++k) matrices[lane].data()[k] = entry[k][lane];
}

}  // namespace

void replace_by_nearest_rotations(std::span<Mat3> matrices) {
  for (std::size_t first = 0; first < matrices.size(); first += lanes)
    replace_four(matrices.data() + first, std::min<std::size_t>(lanes, matrices.size() - first));
}

}  // namespace sinew::physics
