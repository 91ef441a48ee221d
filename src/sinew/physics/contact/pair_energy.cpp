// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <sinew/physics/contact/pair_energy.hpp>
#include <sinew/physics/elements/stencil_set.hpp>

namespace sinew::physics {
namespace {

using geometry::Closest;
using geometry::Weights;

PairGradient outer(const Weights& weights, const Vec3& direction) {
  PairGradient result;
  for (int i = 0; i < 4; ++i) result.segment<3>(3 * i) = weights[i] * direction;
  return result;
}

/// Two unit vectors across n; the first along the only free place if there is just one.
std::array<Vec3, 2> tangents(const Closest& closest, const Vec3& n) {
  const Vec3 first =
      closest.num_free == 1 ? closest.directions[0].normalized() : n.unitOrthogonal();
  return {first, n.cross(first)};
}

/// H = basis * core * basis^T, in the span of w x n, the p_k x n and w x t_1, w x t_2.
template <int Free>
struct Span {
  static constexpr int size = 3 + Free;
  using Core = Eigen::Matrix<double, size, size>;

  Eigen::Matrix<double, 12, size> basis;
  Core core = Core::Zero();
};

/// A^-1
template <int Free>
Eigen::Matrix2d inverse_metric(const Closest& closest) {
  const Vec3 &e = closest.directions[0], &f = closest.directions[1];
  Eigen::Matrix2d inverse = Eigen::Matrix2d::Zero();
  if constexpr (Free == 1) inverse(0, 0) = 1.0 / e.squaredNorm();
  if constexpr (Free == 2) {
    const double ee = e.squaredNorm(), ff = f.squaredNorm(), ef = e.dot(f);
    const double determinant = e.cross(f).squaredNorm();  // thin triangles: no difference
    inverse << ff / determinant, -ef / determinant, -ef / determinant, ee / determinant;
  }
  return inverse;
}

template <int Free>
Span<Free> span_of(const Closest& closest, double slope, double curvature) {
  const Vec3& n = closest.normal;
  const std::array<Vec3, 2> t = tangents(closest, n);
  Span<Free> span;
  span.basis.col(0) = outer(closest.weights, n);
  for (int k = 0; k < Free; ++k)
    span.basis.col(1 + k) = outer(closest.slopes[static_cast<std::size_t>(k)], n);
  for (int j = 0; j < 2; ++j)
    span.basis.col(1 + Free + j) = outer(closest.weights, t[static_cast<std::size_t>(j)]);

  span.core(0, 0) = curvature;
  const Eigen::Matrix2d inverse = inverse_metric<Free>(closest);
  for (int k = 0; k < Free; ++k) {
    for (int l = 0; l < Free; ++l)
      span.core(1 + k, 1 + l) = -slope * closest.distance * inverse(k, l);
    for (int j = 0; j < 2; ++j) {
      double along = 0.0;
      for (int l = 0; l < Free; ++l)
        along += inverse(k, l) * t[static_cast<std::size_t>(j)].dot(
                                     closest.directions[static_cast<std::size_t>(l)]);
      span.core(1 + k, 1 + Free + j) = span.core(1 + Free + j, 1 + k) = -slope * along;
    }
  }
  // where no place is free to follow
  for (int j = Free; j < 2; ++j) span.core(1 + Free + j, 1 + Free + j) = slope / closest.distance;
  return span;
}

/// Negative eigenvalues of basis * core * basis^T as asked for.
template <int Free>
bool make_span_definite(dynamics::Definiteness definiteness, Span<Free>& span) {
  if (definiteness == dynamics::Definiteness::exact) return false;
  using Core = typename Span<Free>::Core;
  const Eigen::LLT<Core> root(span.basis.transpose() * span.basis);
  const Core L = root.matrixL();
  Core turned = L.transpose() * span.core * L;
  if (!make_definite(definiteness, turned)) return false;
  const auto upper = L.transpose().template triangularView<Eigen::Upper>();
  const Core half = upper.solve(turned);
  span.core = upper.solve(half.transpose());
  return true;
}

template <int Free>
bool span_hessian(const Closest& closest, double slope, double curvature,
                  dynamics::Definiteness definiteness, PairHessian& H) {
  Span<Free> span = span_of<Free>(closest, slope, curvature);
  const bool is_changed = make_span_definite(definiteness, span);
  H.noalias() = (span.basis * span.core) * span.basis.transpose();
  return is_changed;
}

}  // namespace

PairGradient pair_gradient(const Closest& closest, double slope) {
  return outer(closest.weights, slope * closest.normal);
}

bool pair_hessian(const Closest& closest, double slope, double curvature,
                  dynamics::Definiteness definiteness, PairHessian& H) {
  switch (closest.num_free) {
    case 0:
      return span_hessian<0>(closest, slope, curvature, definiteness, H);
    case 1:
      return span_hessian<1>(closest, slope, curvature, definiteness, H);
    default:
      return span_hessian<2>(closest, slope, curvature, definiteness, H);
  }
}

EdgeFading::EdgeFading(const geometry::Corners& x, double limit)
    : a_(x.col(1) - x.col(0)),
      b_(x.col(3) - x.col(2)),
      square_(a_.cross(b_).squaredNorm()),
      limit_(limit) {}

double EdgeFading::factor() const {
  return (2.0 - square_ / limit_) * square_ / limit_;
}

PairGradient EdgeFading::gradient_of_square() const {
  const double ab = a_.dot(b_);
  const Vec3 by_a = 2.0 * (b_.squaredNorm() * a_ - ab * b_),
             by_b = 2.0 * (a_.squaredNorm() * b_ - ab * a_);
  PairGradient g;
  g.segment<3>(0) = -by_a;
  g.segment<3>(3) = by_a;
  g.segment<3>(6) = -by_b;
  g.segment<3>(9) = by_b;
  return g;
}

PairGradient EdgeFading::gradient() const {
  return slope() * gradient_of_square();
}

void EdgeFading::add_hessian(double scale, PairHessian& H) const {
  const PairGradient g = gradient_of_square();
  H += scale * (-2.0 / (limit_ * limit_)) * g * g.transpose();
  const double ab = a_.dot(b_), by_square = scale * slope();
  const Mat3 identity = Mat3::Identity();
  const Mat3 aa = 2.0 * by_square * (b_.squaredNorm() * identity - b_ * b_.transpose());
  const Mat3 bb = 2.0 * by_square * (a_.squaredNorm() * identity - a_ * a_.transpose());
  const Mat3 ab_block =
      2.0 * by_square * (2.0 * a_ * b_.transpose() - b_ * a_.transpose() - ab * identity);
  const auto sign = [](int corner) { return corner % 2 == 0 ? -1.0 : 1.0; };
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const double s = sign(i) * sign(j);
      H.block<3, 3>(3 * i, 3 * j) += s * aa;
      H.block<3, 3>(6 + 3 * i, 6 + 3 * j) += s * bb;
      H.block<3, 3>(3 * i, 6 + 3 * j) += s * ab_block;
      H.block<3, 3>(6 + 3 * j, 3 * i) += s * ab_block.transpose();
    }
}

PairGradient faded_gradient(const EdgeFading& fading, const Closest& closest, const GapEnergy& W) {
  return pair_gradient(closest, fading.factor() * W.slope) + W.energy * fading.gradient();
}

bool faded_hessian(const EdgeFading& fading, const Closest& closest, const GapEnergy& W,
                   dynamics::Definiteness definiteness, PairHessian& H) {
  const double m = fading.factor();
  pair_hessian(closest, m * W.slope, m * W.curvature, dynamics::Definiteness::exact, H);
  const PairGradient of_m = fading.gradient(), of_W = pair_gradient(closest, W.slope);
  H += of_m * of_W.transpose() + of_W * of_m.transpose();
  fading.add_hessian(W.energy, H);
  return make_definite(definiteness, H);
}

}  // namespace sinew::physics
