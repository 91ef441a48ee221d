// SPDX-License-Identifier: Apache-2.0
#include "support/dense_pencil.hpp"

#include <random>

#include <sinew/la/dense/cholesky.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/solvers/factored_inverse.hpp>

namespace sinew::test {

DensePencil::DensePencil(const Vec& spectrum, bool consistent, unsigned seed) : lambda_(spectrum) {
  const Index n = spectrum.size();
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Mat G(n, n), H(n, n);
  for (double& x : G.reshaped()) x = normal(random);
  for (double& x : H.reshaped()) x = normal(random);
  const Mat Q = la::symmetric_eigen(G + G.transpose()).vectors;
  Mat M = Vec::NullaryExpr(n, [&] { return std::exp(normal(random)); }).asDiagonal();
  if (consistent) M += 0.3 * H * H.transpose() / static_cast<double>(n);
  const la::DenseCholesky factor(M);
  const Mat L = factor.multiply_upper(Mat::Identity(n, n)).transpose();
  const Mat K = L * Q * lambda_.asDiagonal() * Q.transpose() * L.transpose();
  U_ = factor.solve(Mat(L * Q));  // M-orthonormal
  M_dense_ = M;
  K_ = std::make_unique<la::SymmetricMatrix>(
      la::SymmetricMatrix::from_dense(0.5 * (K + K.transpose())));
  M_ = std::make_unique<la::SymmetricMatrix>(la::SymmetricMatrix::from_dense(M));
  inverse_ =
      std::make_unique<la::FactoredInverse>(*M_, la::solvers().front().make(la::serial_reducer()));
}

Mat DensePencil::exact(double s, const la::SymbolMatrix& symbols, const Mat& B, Index outputs,
                       Vec* sizes) const {
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

}  // namespace sinew::test
