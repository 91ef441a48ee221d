// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/la/linear_operator.hpp>

namespace sinew::la {

/// K x = lambda M x, with M symmetric positive definite and K symmetric, possibly indefinite.
struct Pencil {
  const LinearOperator& K;
  const LinearOperator& M;
  const LinearOperator& M_inverse;
};

}  // namespace sinew::la
