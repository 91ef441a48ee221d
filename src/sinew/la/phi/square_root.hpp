// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <sinew/core/types.hpp>

namespace sinew::la {

/// The symmetric positive definite X with X X = A, by the product form of the iteration of Denman
/// and Beavers, scaled by determinants. Nothing if A is not positive definite. (The shorter
/// X <- (X + X^-1 A)/2 amplifies rounding errors without bound where the condition exceeds 9.)
std::optional<Mat> matrix_square_root(const Mat& A);

}  // namespace sinew::la
