// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cmath>

#include <Eigen/LU>

#include <sinew/la/multigrid/two_level_cycle.hpp>

namespace sinew::la {

bool TwoLevelCycle::assign(const SymmetricMatrix& A) {
  rows_.assign(A);
  const auto n = static_cast<std::size_t>(rows_.num_rows());
  inverse_diagonal_.resize(n);
  for (std::vector<float>* vector : {&b_, &x_, &d_, &r_}) vector->assign(4 * n, 0.0F);
  std::atomic<bool> is_definite = true;
  const BlockPattern& pattern = A.pattern();
  rows_.for_rows([&](int begin, int end) {
    for (int row = begin; row < end; ++row) {
      const Mat3 block = Eigen::Map<const Mat3>(A.block(pattern.row_begin(row)));
      if (!(block.determinant() > 0.0 && block.diagonal().minCoeff() > 0.0)) is_definite = false;
      inverse_diagonal_[row] = block.inverse().cast<float>();
    }
  });
  if (is_definite) upper_ = static_cast<float>(1.1 * largest_eigenvalue());
  return is_definite && std::isfinite(upper_);
}

double TwoLevelCycle::largest_eigenvalue() {
  // of a vector that rough errors look like
  for (std::size_t k = 0; k < x_.size(); ++k)
    x_[k] =
        k % 4 == 3 ? 0.0F : static_cast<float>(std::cos(1.7 * static_cast<double>(k * k % 977)));
  double ratio = 1.0;
  constexpr int iterations = 10;
  for (int i = 0; i < iterations; ++i) {
    rows_.for_rows([&](int begin, int end) {
      for (int row = begin; row < end; ++row) {
        Four sum;
        rows_.multiply_row<1>(row, x_.data(), &sum);
        Eigen::Map<Eigen::Vector3f>(d_.data() + 4L * row) = inverse_diagonal_[row] * sum.head<3>();
      }
    });
    double before = 0.0, after = 0.0;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      before += static_cast<double>(x_[k]) * x_[k];
      after += static_cast<double>(d_[k]) * d_[k];
    }
    ratio = std::sqrt(after / before);
    const auto scale = static_cast<float>(1.0 / std::sqrt(after));
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = scale * d_[k];
  }
  return ratio;
}

void TwoLevelCycle::smooth(bool from_zero) {
  // on [upper/6, upper]: x += d, first d = z/theta, then d = rho' rho d + 2 rho'/delta z with
  // z = D^-1 (b - A x)
  const float lower = upper_ / 6.0F, theta = 0.5F * (upper_ + lower),
              delta = 0.5F * (upper_ - lower);
  const float rho = delta / theta, next = 1.0F / (2.0F * theta / delta - rho);
  const auto residual = [&](int row) {
    Four sum;
    rows_.multiply_row<1>(row, x_.data(), &sum);
    return Eigen::Vector3f(
        inverse_diagonal_[row] *
        (Eigen::Map<const Eigen::Vector3f>(b_.data() + 4L * row) - sum.head<3>()));
  };
  const auto d = [&](int row) { return Eigen::Map<Eigen::Vector3f>(d_.data() + 4L * row); };
  const auto x = [&](int row) { return Eigen::Map<Eigen::Vector3f>(x_.data() + 4L * row); };
  rows_.for_rows([&](int begin, int end) {
    for (int row = begin; row < end; ++row)
      d(row) = (from_zero ? Eigen::Vector3f(inverse_diagonal_[row] *
                                            Eigen::Map<const Eigen::Vector3f>(b_.data() + 4L * row))
                          : residual(row)) /
               theta;
  });
  rows_.for_rows([&](int begin, int end) {
    for (int row = begin; row < end; ++row)
      if (from_zero)
        x(row) = d(row);
      else
        x(row) += d(row);
  });
  rows_.for_rows([&](int begin, int end) {
    for (int row = begin; row < end; ++row)
      Eigen::Map<Eigen::Vector3f>(r_.data() + 4L * row) =
          next * rho * d(row) + 2.0F * next / delta * residual(row);
  });
  rows_.for_rows([&](int begin, int end) {
    for (int row = begin; row < end; ++row)
      x(row) += Eigen::Map<const Eigen::Vector3f>(r_.data() + 4L * row);
  });
}

void TwoLevelCycle::apply(CoarseSpace& coarse, const VecIn& r, VecOut z) {
  // so that nothing leaves the range of single precision
  const double size = r.size() > 0 ? r.lpNorm<Eigen::Infinity>() : 0.0;
  const double scale = size > 0.0 && std::isfinite(size) ? size : 1.0;
  rows_.for_rows([&](int begin, int end) {
    for (int row = begin; row < end; ++row)
      Eigen::Map<Eigen::Vector3f>(b_.data() + 4L * row) =
          (r.segment<3>(3L * row) / scale).cast<float>();
  });
  smooth(true);
  rows_.for_rows([&](int begin, int end) {
    for (int row = begin; row < end; ++row) {
      Four sum;
      rows_.multiply_row<1>(row, x_.data(), &sum);
      Eigen::Map<Eigen::Vector3f>(r_.data() + 4L * row) =
          Eigen::Map<const Eigen::Vector3f>(b_.data() + 4L * row) - sum.head<3>();
    }
  });
  coarse.correct(r_, x_, rows_.executor());
  smooth(false);
  rows_.for_rows([&](int begin, int end) {
    for (int row = begin; row < end; ++row)
      z.segment<3>(3L * row) =
          scale * Eigen::Map<const Eigen::Vector3f>(x_.data() + 4L * row).cast<double>();
  });
}

}  // namespace sinew::la
