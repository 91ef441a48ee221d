// SPDX-License-Identifier: Apache-2.0
// Small pencils K x = lambda M x of known spectrum, and functions of them by eigen-decomposition:
// the slow twin of every kernel in la/phi.
#pragma once

#include <random>

#include <Eigen/Dense>

#include <sinew/la/phi/phi_action.hpp>
#include <sinew/la/solvers/factored_inverse.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::test {

class DensePencil {
 public:
  /// M is diagonal (lumped) or full (consistent); eigenvectors are random.
  DensePencil(const Vec& spectrum, bool consistent, unsigned seed) : lambda_(spectrum) {
    const Index n = spectrum.size();
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Mat G(n, n), H(n, n);
    for (double& x : G.reshaped()) x = normal(random);
    for (double& x : H.reshaped()) x = normal(random);
    const Mat Q = Eigen::HouseholderQR<Mat>(G).householderQ();
    Mat M = Vec::NullaryExpr(n, [&] { return std::exp(normal(random)); }).asDiagonal();
    if (consistent) M += 0.3 * H * H.transpose() / static_cast<double>(n);
    const Mat L = M.llt().matrixL();
    const Mat K = L * Q * lambda_.asDiagonal() * Q.transpose() * L.transpose();
    U_ = L.transpose().triangularView<Eigen::Upper>().solve(Q);  // M-orthonormal
    M_dense_ = M;
    K_ = std::make_unique<la::SymmetricMatrix>(
        la::SymmetricMatrix::from_dense(0.5 * (K + K.transpose())));
    M_ = std::make_unique<la::SymmetricMatrix>(la::SymmetricMatrix::from_dense(M));
    inverse_ = std::make_unique<la::FactoredInverse>(
        *M_, la::solvers().front().make(la::serial_reducer()));
  }

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
            Vec* sizes = nullptr) const {
    const Mat modal = U_.transpose() * M_dense_ * B;
    Mat Y = Mat::Zero(size(), outputs), f(outputs, B.cols());
    if (sizes) sizes->setZero(outputs);
    for (Index j = 0; j < B.cols(); ++j) {
      Mat part(size(), outputs);
      for (Index k = 0; k < size(); ++k) {
        symbols(s * lambda_[k], f);
        part.row(k) = modal(k, j) * f.col(j).transpose();
      }
      if (sizes)
        for (Index i = 0; i < outputs; ++i) (*sizes)[i] += part.col(i).norm();
      Y += U_ * part;
    }
    return Y;
  }

 private:
  Vec lambda_;
  Mat U_, M_dense_;
  std::unique_ptr<la::SymmetricMatrix> K_, M_;
  std::unique_ptr<la::LinearOperator> inverse_;
};

}  // namespace sinew::test
