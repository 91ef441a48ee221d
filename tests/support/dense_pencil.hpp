// SPDX-License-Identifier: Apache-2.0
// Small pencils K x = lambda M x of known spectrum, and functions of them by eigen-decomposition:
// the slow twin of every kernel in la/phi.
#pragma once

#include <cmath>
#include <memory>

#include <sinew/la/phi/phi_action.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::test {

class DensePencil {
 public:
  /// M is diagonal (lumped) or full (consistent); eigenvectors are random.
  DensePencil(const Vec& spectrum, bool consistent, unsigned seed);

  la::Pencil pencil() const { return {*K_, *M_, *inverse_}; }
  Index size() const { return lambda_.size(); }
  const Vec& spectrum() const { return lambda_; }
  /// M-orthonormal eigenvectors, in the order of the spectrum given.
  const Mat& shapes() const { return U_; }
  Mat K() const { return K_->to_dense(); }
  const Mat& M() const { return M_dense_; }
  double norm(const Vec& x) const { return std::sqrt(x.dot(M_dense_ * x)); }

  /// sum_j f_ij(s A) b_j, and per output the sum of the norms of its parts.
  Mat exact(double s, const la::SymbolMatrix& symbols, const Mat& B, Index outputs,
            Vec* sizes = nullptr) const;

 private:
  Vec lambda_;
  Mat U_, M_dense_;
  std::unique_ptr<la::SymmetricMatrix> K_, M_;
  std::unique_ptr<la::LinearOperator> inverse_;
};

}  // namespace sinew::test
