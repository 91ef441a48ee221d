// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/core/types.hpp>
#include <sinew/physics/elements/pack.hpp>

namespace sinew::physics {

/// The same matrix in the types of the element loops, and back.
inline Matrix3<double> from_eigen(const Mat3& A) {
  Matrix3<double> result;
  for (int k = 0; k < 3; ++k) result.c[k] = {A(0, k), A(1, k), A(2, k)};
  return result;
}

inline Mat3 to_eigen(const Matrix3<double>& a) {
  Mat3 result;
  for (int k = 0; k < 3; ++k) result.col(k) << a.c[k].x, a.c[k].y, a.c[k].z;
  return result;
}

}  // namespace sinew::physics
