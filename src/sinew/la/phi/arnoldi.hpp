// SPDX-License-Identifier: Apache-2.0
// Sums of phi functions of a general matrix times vectors, at several times in one pass:
//
//   y(c) = sum_k c^k phi_k(c A) b_k,   k = 1 .. p,     the solution of
//   y' = A y + b_1 + t b_2 + ... + t^(p-1)/(p-1)! b_p,   y(0) = 0,   at t = c.
//
// By Krylov spaces of the matrix enlarged by p rows, with incomplete orthogonalisation, substeps
// and a dimension that adapt to each other.
#pragma once

#include <span>

#include <sinew/la/phi/phi_action.hpp>

namespace sinew::la {

/// A, and the inner product <x, y> = y^T G x in which spaces are made orthonormal. The closer A is
/// to normal in it, the fewer vectors are needed.
class GeneralMap {
 public:
  virtual ~GeneralMap() = default;
  virtual Index size() const = 0;
  /// Ax = A x and Gx = G x; together, since both may need the same product.
  virtual void apply(const VecIn& x, VecOut Ax, VecOut Gx) const = 0;
};

struct ArnoldiSettings {
  double tolerance = 1e-6;  ///< relative to the result
  int orthogonalise = 2;    ///< against so many of the last vectors
  int min_dimension = 10;
  int max_dimension = 100;
  int max_substeps = 10000;
};

/// `not_positive_definite`: G is not. Column k - 1 of B is b_k; column i of Y is y(times[i]), times
/// ascending and positive.
PhiReport phi_arnoldi(const GeneralMap& A, const MatIn& B, std::span<const double> times, MatOut Y,
                      const ArnoldiSettings& settings, const Reducer& reducer);

}  // namespace sinew::la
