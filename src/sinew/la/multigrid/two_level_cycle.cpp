// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cmath>

#include <Eigen/LU>

#include <sinew/la/multigrid/two_level_cycle.hpp>

namespace sinew::la {
namespace {

bool is_definite(const Mat3& A) {
  return A(0, 0) > 0.0 && A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0) > 0.0 && A.determinant() > 0.0;
}

}  // namespace

template <class Work>
void TwoLevelCycle::for_each_row(const Work& work) const {
  rows_.for_rows([&](int begin, int end) {
    for (int row = begin; row < end; ++row) work(row);
  });
}

bool TwoLevelCycle::assign(const SymmetricMatrix& A) {
  rows_.assign(A);
  inverse_diagonal_.resize(static_cast<std::size_t>(rows_.num_rows()));
  std::atomic<bool> all_definite = true;
  for_each_row([&](int row) {
    const Mat3 block = Eigen::Map<const Mat3>(A.block(A.pattern().row_begin(row)));
    if (!is_definite(block)) all_definite = false;
    inverse_diagonal_[row] = block.inverse().cast<float>();
  });
  return all_definite;
}

bool TwoLevelCycle::fit() {
  // power iterations on D^-1 A, from a vector that rough errors look like
  const auto n = 4 * static_cast<std::size_t>(rows_.num_rows());
  std::vector<float> x(n), y(n);
  for (std::size_t k = 0; k < n; ++k)
    x[k] = k % 4 == 3 ? 0.0F : static_cast<float>(std::cos(1.7 * static_cast<double>(k * k % 977)));
  double largest = 1.0;
  constexpr int iterations = 10;
  for (int i = 0; i < iterations; ++i) {
    for_each_row([&](int row) {
      RowBlocks<float>::Four sum;
      rows_.multiply_row<1>(row, x.data(), &sum);
      Eigen::Map<Eigen::Vector3f>(y.data() + 4L * row) = inverse_diagonal_[row] * sum.head<3>();
    });
    double before = 0.0, after = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      before += static_cast<double>(x[k]) * x[k];
      after += static_cast<double>(y[k]) * y[k];
    }
    largest = std::sqrt(after / before);
    const auto scale = static_cast<float>(1.0 / std::sqrt(after));
    for (std::size_t k = 0; k < n; ++k) x[k] = scale * y[k];
  }
  // the Chebyshev polynomial of degree 2 on [upper / 6, upper]
  const double upper = 1.1 * largest, lower = upper / 6.0, theta = 0.5 * (upper + lower),
               delta = 0.5 * (upper - lower), rho = delta / theta,
               next = 1.0 / (2.0 * theta / delta - rho);
  first_ = static_cast<float>(1.0 / theta);
  momentum_ = static_cast<float>(next * rho);
  second_ = static_cast<float>(2.0 * next / delta);
  return std::isfinite(upper);
}

template <int Columns>
void TwoLevelCycle::apply_block(CoarseSpace& coarse, const MatIn& R, MatOut Z, const Vec& scale) {
  using Four = RowBlocks<float>::Four;
  using Three = Eigen::Map<Eigen::Vector3f>;
  const std::size_t size = std::size_t(4 * Columns) * inverse_diagonal_.size();
  for (std::vector<float>* vector : {&b_, &x_, &y_, &d_}) vector->resize(size, 0.0F);
  const auto at = [](std::vector<float>& vector, int row, int c) {
    return Three(vector.data() + 4L * (static_cast<Index>(Columns) * row + c));
  };
  /// each(column, b - A x) of a row
  const auto with_residual = [&](int row, const auto& each) {
    Four sums[Columns];
    rows_.multiply_row<Columns>(row, x_.data(), sums);
    for (int c = 0; c < Columns; ++c)
      each(c, Eigen::Vector3f(at(b_, row, c) - sums[c].template head<3>()));
  };
  const int used = static_cast<int>(R.cols());
  // from zero
  for_each_row([&](int row) {
    for (int c = 0; c < Columns; ++c) {
      at(b_, row, c) =
          c < used ? Eigen::Vector3f((R.col(c).segment<3>(3L * row) / scale[c]).cast<float>())
                   : Eigen::Vector3f::Zero();
      at(x_, row, c) = first_ * (inverse_diagonal_[row] * at(b_, row, c));
    }
  });
  for_each_row([&](int row) {
    with_residual(row, [&](int c, const Eigen::Vector3f& r) {
      at(y_, row, c) = (1.0F + momentum_) * at(x_, row, c) + second_ * (inverse_diagonal_[row] * r);
    });
  });
  x_.swap(y_);
  for_each_row([&](int row) {
    with_residual(row, [&](int c, const Eigen::Vector3f& r) { at(d_, row, c) = r; });
  });
  coarse.correct<Columns>(d_, x_, rows_.executor());
  // the same backwards
  for_each_row([&](int row) {
    with_residual(row, [&](int c, const Eigen::Vector3f& r) {
      at(d_, row, c) = first_ * (inverse_diagonal_[row] * r);
      at(y_, row, c) = at(x_, row, c) + at(d_, row, c);
    });
  });
  x_.swap(y_);
  for_each_row([&](int row) {
    with_residual(row, [&](int c, const Eigen::Vector3f& r) {
      if (c < used)
        Z.col(c).segment<3>(3L * row) =
            scale[c] * Eigen::Vector3f(at(x_, row, c) + momentum_ * at(d_, row, c) +
                                       second_ * (inverse_diagonal_[row] * r))
                           .cast<double>();
    });
  });
}

void TwoLevelCycle::apply(CoarseSpace& coarse, const MatIn& R, MatOut Z, const Reducer& reducer) {
  // so that nothing leaves the range of single precision
  Vec scale(R.cols());
  for (Index c = 0; c < R.cols(); ++c) {
    const double size = reducer.max_abs(R.col(c));
    scale[c] = size > 0.0 && std::isfinite(size) ? size : 1.0;
  }
  if (R.cols() == 1)
    apply_block<1>(coarse, R, Z, scale);
  else if (R.cols() == 2)
    apply_block<2>(coarse, R, Z, scale);
  else if (R.cols() <= 4)
    apply_block<4>(coarse, R, Z, scale);
  else
    apply_block<8>(coarse, R, Z, scale);
}

}  // namespace sinew::la
