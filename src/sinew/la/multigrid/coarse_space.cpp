// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/factor/fill_reducing_order.hpp>
#include <sinew/la/multigrid/coarse_space.hpp>

namespace sinew::la {
namespace {

Mat3 nearest_rotation(const Mat3& A) {
  ThinSvd svd = thin_svd(A);
  if (Mat3(svd.U * svd.V.transpose()).determinant() < 0.0) svd.U.col(2) *= -1.0;
  return svd.U * svd.V.transpose();
}

}  // namespace

template <class Work>
void CoarseSpace::for_aggregates(const core::Executor& executor, const Work& work) const {
  constexpr int piece = 16;
  executor.for_ranges(aggregates_.size(), piece, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t a = begin; a < end; ++a) work(static_cast<int>(a));
  });
}

void CoarseSpace::analyze(const BlockPattern& pattern, int nodes_per_aggregate) {
  aggregates_ = aggregate(pattern.graph(), nodes_per_aggregate);
  std::vector<std::pair<int, int>> pairs;
  for (int row = 0; row < pattern.num_blocks(); ++row)
    for (int k = pattern.row_begin(row); k < pattern.row_end(row); ++k)
      if (const int a = aggregates_.of[row], b = aggregates_.of[pattern.cols()[k]]; a != b)
        pairs.emplace_back(std::min(a, b), std::max(a, b));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  pattern_ = BlockPattern::build(aggregates_.size(), modes, std::move(pairs));
  const Graph graph = pattern_->graph();
  factor_.analyze(*pattern_, find_supernodes(graph, fill_reducing_order(graph), modes));
  turns_.assign(static_cast<std::size_t>(aggregates_.size()), Eigen::Matrix3f::Identity());
}

void CoarseSpace::place(const Vec& positions) {
  basis_.assign(aggregates_.of.size(), Basis::Zero());
  is_used_.assign(static_cast<std::size_t>(aggregates_.size()), {});
  for (int a = 0; a < aggregates_.size(); ++a) {
    const auto members = aggregates_.members(a);
    const auto count = static_cast<Index>(members.size());
    Vec3 centre = Vec3::Zero();
    if (positions.size() > 0)
      for (const int k : members)
        centre += positions.segment<3>(3 * k) / static_cast<double>(count);
    Mat motions = Mat::Zero(3 * count, modes);
    for (Index i = 0; i < count; ++i) {
      motions.block<3, 3>(3 * i, 0).setIdentity();
      if (positions.size() == 0) continue;
      const Vec3 arm = positions.segment<3>(3 * members[static_cast<std::size_t>(i)]) - centre;
      for (Index axis = 0; axis < 3; ++axis)
        motions.block<3, 1>(3 * i, 3 + axis) = Vec3::Unit(axis).cross(arm);
    }
    // an orthonormal basis of what is left of six motions: a straight row of nodes has five
    for (Index c = 0; c < modes; ++c)
      if (const double norm = motions.col(c).norm(); norm > 0.0) motions.col(c) /= norm;
    const SymmetricEigen eigen = symmetric_eigen(motions.transpose() * motions);
    for (Index c = 0; c < modes; ++c) {
      constexpr double independent = 1e-6;
      if (!(eigen.values[c] > independent)) continue;
      is_used_[static_cast<std::size_t>(a)][static_cast<std::size_t>(c)] = true;
      const Vec column = motions * eigen.vectors.col(c) / std::sqrt(eigen.values[c]);
      for (Index i = 0; i < count; ++i)
        basis_[static_cast<std::size_t>(members[static_cast<std::size_t>(i)])].col(c) =
            column.segment<3>(3 * i).cast<float>();
    }
  }
  std::fill(turns_.begin(), turns_.end(), Eigen::Matrix3f::Identity());
}

bool CoarseSpace::factorize(const RowBlocks<double>& A) {
  SymmetricMatrix coarse(pattern_, A.executor());
  for_aggregates(A.executor(), [&](int a) {
    for (const int row : aggregates_.members(a))
      for (int k = A.begin(row); k < A.end(row); ++k) {
        const int column = A.column(k), b = aggregates_.of[column];
        if (b < a) continue;
        const Eigen::Matrix<double, 3, modes> product = A.block(k) * basis_[column].cast<double>();
        Eigen::Map<Eigen::Matrix<double, modes, modes, Eigen::RowMajor>>(
            coarse.block(pattern_->slot(a, b))) += basis_[row].cast<double>().transpose() * product;
      }
    for (int c = 0; c < modes; ++c)
      if (!is_used_[a][c]) coarse.block(pattern_->slot(a, a))[c * modes + c] = 1.0;
  });
  return factor_.factorize(coarse, A.executor());
}

void CoarseSpace::turn(std::span<const Mat3> then, std::span<const Mat3> now,
                       const core::Executor& executor) {
  if (then.empty() || then.size() != now.size()) {
    std::fill(turns_.begin(), turns_.end(), Eigen::Matrix3f::Identity());
    return;
  }
  for_aggregates(executor, [&](int a) {
    Mat3 mean = Mat3::Zero();
    for (const int k : aggregates_.members(a)) mean += now[k] * then[k].transpose();
    turns_[a] = nearest_rotation(mean).cast<float>();
  });
}

template <int Columns>
void CoarseSpace::correct(const std::vector<float>& r, std::vector<float>& x,
                          const core::Executor& executor) {
  using Block = Eigen::Matrix<float, modes, Columns>;
  using Nodal = Eigen::Matrix<float, 4, Columns>;
  coarse_.resize(size(), Columns);
  for_aggregates(executor, [&](int a) {
    Block sum = Block::Zero();
    for (const int k : aggregates_.members(a))
      sum += basis_[k].transpose() *
             (turns_[a].transpose() *
              Eigen::Map<const Nodal>(r.data() + static_cast<Index>(4 * Columns) * k)
                  .template topRows<3>());
    coarse_.middleRows<modes>(modes * a) = sum.template cast<double>();
  });
  factor_.solve(coarse_, coarse_, executor);
  for_aggregates(executor, [&](int a) {
    const Block c = coarse_.middleRows<modes>(modes * a).template cast<float>();
    for (const int k : aggregates_.members(a))
      Eigen::Map<Nodal>(x.data() + static_cast<Index>(4 * Columns) * k).template topRows<3>() +=
          turns_[a] * (basis_[k] * c);
  });
}

template void CoarseSpace::correct<1>(const std::vector<float>&, std::vector<float>&,
                                      const core::Executor&);
template void CoarseSpace::correct<2>(const std::vector<float>&, std::vector<float>&,
                                      const core::Executor&);
template void CoarseSpace::correct<4>(const std::vector<float>&, std::vector<float>&,
                                      const core::Executor&);
template void CoarseSpace::correct<8>(const std::vector<float>&, std::vector<float>&,
                                      const core::Executor&);

}  // namespace sinew::la
