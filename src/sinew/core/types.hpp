// SPDX-License-Identifier: Apache-2.0
// The vocabulary of the whole library: Eigen vectors and matrices of double, nothing sparse.
#pragma once

#include <Eigen/Core>

namespace sinew {

using Index = Eigen::Index;
using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using VecIn = Eigen::Ref<const Vec>;  ///< read-only argument, never copied for contiguous input
using VecOut = Eigen::Ref<Vec>;       ///< written argument, already sized by the caller
using MatIn = Eigen::Ref<const Mat>;
using MatOut = Eigen::Ref<Mat>;

}  // namespace sinew
