// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <random>

#include <Eigen/Eigenvalues>

#include <sinew/core/error.hpp>
#include <sinew/dynamics/explicit_stability.hpp>

namespace sinew::dynamics {
namespace {

constexpr int most_nodes = 10;
constexpr Index elements_per_piece = 512;

/// An upper bound of the largest magnitude of an eigenvalue of a symmetric matrix: the 256th root
/// of the trace of its 256th power, at most 1.4 % too large for 30 eigenvalues.
template <class Matrix>
double spectral_radius(Matrix& A) {
  constexpr int squarings = 8;
  double log_scale = 0.0;  // A^(2^k) = exp(log_scale) * what A holds
  Matrix square(A.rows(), A.cols());
  for (int k = 0; k < squarings; ++k) {
    square.noalias() = A.lazyProduct(A);
    const double trace = square.trace();
    if (!(trace > 0.0)) return 0.0;
    A = square / trace;
    log_scale = 2.0 * log_scale + std::log(trace);
  }
  return std::exp(log_scale / (1 << squarings));
}

}  // namespace

std::span<const int> ElementNodes::of(int element) const {
  const auto e = static_cast<std::size_t>(element);
  const auto begin = static_cast<std::size_t>(e > 0 ? ends[e - 1] : 0);
  return std::span(nodes).subspan(begin, static_cast<std::size_t>(ends[e]) - begin);
}

void ElementNodes::add(std::span<const int> element) {
  if (element.empty()) return;
  nodes.insert(nodes.end(), element.begin(), element.end());
  ends.push_back(static_cast<int>(nodes.size()));
}

ExplicitStability::ExplicitStability(const la::SymmetricMatrix& S, const Vec& mass,
                                     const ElementNodes& elements)
    : S_(S), elements_(elements), root_(mass.cwiseSqrt().cwiseInverse()) {
  SINEW_ASSERT(S.pattern().block_size() == 3 && mass.size() == S.size(),
               "stability of nodes in space needs blocks of three and a mass for every dof");
}

namespace {

/// The same code for sizes known when it is compiled, which are quicker, and for others.
template <int Nodes>
double value_of_block(const la::SymmetricMatrix& S, const Vec& root, std::span<const int> nodes) {
  constexpr int size = Nodes == Eigen::Dynamic ? Eigen::Dynamic : 3 * Nodes;
  constexpr int most = Nodes == Eigen::Dynamic ? 3 * most_nodes : size;
  const auto count = static_cast<int>(nodes.size());
  Eigen::Matrix<double, size, size, Eigen::ColMajor, most, most> A(3 * count, 3 * count);
  for (int a = 0; a < count; ++a)
    for (int b = a; b < count; ++b) {
      const int row = nodes[static_cast<std::size_t>(a)], col = nodes[static_cast<std::size_t>(b)];
      const int slot = S.pattern().slot(std::min(row, col), std::max(row, col));
      Mat3 block = Mat3::Zero();
      if (slot >= 0) {
        block = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(S.block(slot));
        if (row > col) block.transposeInPlace();
      }
      block = root.segment<3>(3 * Index(row)).asDiagonal() * block *
              root.segment<3>(3 * Index(col)).asDiagonal();
      A.template block<3, 3>(3 * a, 3 * b) = block;
      if (a != b) A.template block<3, 3>(3 * b, 3 * a) = block.transpose();
    }
  return spectral_radius(A);
}

}  // namespace

double ExplicitStability::element_value(std::span<const int> nodes) const {
  switch (nodes.size()) {
    case 1:
      return value_of_block<1>(S_, root_, nodes);
    case 2:
      return value_of_block<2>(S_, root_, nodes);
    case 3:
      return value_of_block<3>(S_, root_, nodes);
    case 4:
      return value_of_block<4>(S_, root_, nodes);
    default:
      SINEW_ASSERT(nodes.size() <= most_nodes, "an element has at most ten nodes");
      return value_of_block<Eigen::Dynamic>(S_, root_, nodes);
  }
}

std::vector<double> ExplicitStability::element_values() const {
  std::vector<double> values(static_cast<std::size_t>(elements_.size()));
  S_.executor().for_ranges(elements_.size(), elements_per_piece, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e)
      values[static_cast<std::size_t>(e)] = element_value(elements_.of(static_cast<int>(e)));
  });
  return values;
}

ExplicitStability::Largest ExplicitStability::largest(const std::vector<char>& is_chosen) const {
  constexpr int most_products = 120;
  constexpr double accuracy = 1e-3;
  Vec chosen = root_;
  for (std::size_t k = 0; k < is_chosen.size(); ++k)
    if (!is_chosen[k]) chosen.segment<3>(3 * static_cast<Index>(k)).setZero();
  Largest result{.vector = Vec::Zero(root_.size())};
  if (chosen.isZero(0.0)) return result;
  // Lanczos' method. Lost orthogonality brings copies of eigenvalues, no false ones.
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Vec q(root_.size());
  for (double& value : q) value = uniform(random);
  q = (chosen.array() > 0.0).select(q, 0.0);
  q.normalize();
  Mat basis(root_.size(), most_products);
  Vec diagonal(most_products), beside(most_products), product(root_.size()), scaled;
  for (int k = 0; k < most_products; ++k) {
    basis.col(k) = q;
    scaled = chosen.cwiseProduct(q);
    S_.apply(scaled, product);
    product = product.cwiseProduct(chosen);
    diagonal[k] = q.dot(product);
    product -= diagonal[k] * q;
    if (k > 0) product -= beside[k - 1] * basis.col(k - 1);
    beside[k] = product.norm();
    if (k % 5 != 4 && k + 1 < most_products && beside[k] > 0.0) {
      q = product / beside[k];
      continue;
    }
    Eigen::SelfAdjointEigenSolver<Mat> ritz;
    ritz.computeFromTridiagonal(diagonal.head(k + 1), beside.head(k));
    const double value = ritz.eigenvalues()[k];
    const double error = beside[k] * std::abs(ritz.eigenvectors()(k, k));
    result.value = value + error;
    if (error <= accuracy * value || k + 1 == most_products || !(beside[k] > 0.0)) {
      result.vector = basis.leftCols(k + 1) * ritz.eigenvectors().col(k);
      break;
    }
    q = product / beside[k];
  }
  return result;
}

std::vector<char> ExplicitStability::implicit_nodes(double limit,
                                                    std::span<const signed char> known) const {
  std::vector<char> is_implicit(static_cast<std::size_t>(root_.size() / 3), 0);
  for (std::size_t k = 0; k < known.size(); ++k) is_implicit[k] = known[k] == 1 ? 1 : 0;
  const auto is_new = [&](int node) { return known[static_cast<std::size_t>(node)] < 0; };
  std::vector<double> values(static_cast<std::size_t>(elements_.size()), 0.0);
  S_.executor().for_ranges(elements_.size(), elements_per_piece, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      const auto nodes = elements_.of(static_cast<int>(e));
      if (known.empty() || std::any_of(nodes.begin(), nodes.end(), is_new))
        values[static_cast<std::size_t>(e)] = element_value(nodes);
    }
  });
  for (int e = 0; e < elements_.size(); ++e)
    if (values[static_cast<std::size_t>(e)] >= limit)
      for (const int node : elements_.of(e)) is_implicit[static_cast<std::size_t>(node)] = 1;
  for (;;) {
    std::vector<char> others(is_implicit.size());
    std::transform(is_implicit.begin(), is_implicit.end(), others.begin(),
                   [](char is) { return is ? char(0) : char(1); });
    const Largest left = largest(others);
    if (left.value < limit) return is_implicit;
    // of what is not finite nothing can be said: the step will fail, whoever makes it
    if (!std::isfinite(left.value)) return std::vector<char>(is_implicit.size(), 1);
    // what moves most in the shape that would grow
    const Vec shares = left.vector.reshaped(3, root_.size() / 3).colwise().squaredNorm();
    constexpr double much = 0.2;
    for (Index k = 0; k < shares.size(); ++k)
      if (shares[k] >= much * shares.maxCoeff()) is_implicit[static_cast<std::size_t>(k)] = 1;
  }
}

}  // namespace sinew::dynamics
