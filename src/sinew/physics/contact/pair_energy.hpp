// SPDX-License-Identifier: Apache-2.0
// Derivatives of an energy W(d) of the distance of two features, from what closest.hpp knows about
// the shortest way. With the outer products (a x b) of weights and directions,
//
//   grad W = W' (w x n),
//   Hess W = W'' (w x n)(w x n)^T + W' Hess d,
//   Hess d = (w x P)(w x P)^T / d - sum_kl A^-1_kl [(w x e_k)(p_l x n)^T + its transpose
//                                                   + d (p_k x n)(p_l x n)^T],
//
// A_kl = e_k . e_l and p_k = dw/ds_k for the free places, P the projection off n and all e_k. All
// of it lives in the span of five vectors, w x n, p_k x n and w x t_j with t_j the tangents, so
// that eigenvalues are those of a matrix of that size.
//
// Edges that become parallel have a distance with a kink: their energy is m(c) W(d) with
// c = |a x b|^2 of the two edges, m = (2 - c/c0) c/c0 below c0 and 1 above, so that it fades where
// the kink is; points and edges take over there.
#pragma once

#include <sinew/dynamics/linearization.hpp>
#include <sinew/geometry/closest.hpp>
#include <sinew/physics/contact/contact_law.hpp>

namespace sinew::physics {

using PairGradient = Eigen::Matrix<double, 12, 1>;
using PairHessian = Eigen::Matrix<double, 12, 12>;

/// d W / d x_i in rows 3i .. 3i+2. `slope`: dW/dd.
PairGradient pair_gradient(const geometry::Closest& closest, double slope);

/// Returns whether the wish for definiteness changed it.
bool pair_hessian(const geometry::Closest& closest, double slope, double curvature,
                  dynamics::Definiteness definiteness, PairHessian& H);

/// How much of the energy of two edges counts.
class EdgeFading {
 public:
  /// `limit`: c0 [m^4].
  EdgeFading(const geometry::Corners& x, double limit);

  bool is_active() const { return square_ < limit_; }
  double factor() const;                                 ///< m
  PairGradient gradient() const;                         ///< of m
  void add_hessian(double scale, PairHessian& H) const;  ///< H += scale * Hess m

 private:
  double slope() const { return 2.0 / limit_ * (1.0 - square_ / limit_); }
  PairGradient gradient_of_square() const;

  Vec3 a_, b_;     // the edges
  double square_;  // c
  double limit_;
};

/// m W of two edges: gradient and Hessian of the product.
PairGradient faded_gradient(const EdgeFading& fading, const geometry::Closest& closest,
                            const GapEnergy& W);
bool faded_hessian(const EdgeFading& fading, const geometry::Closest& closest, const GapEnergy& W,
                   dynamics::Definiteness definiteness, PairHessian& H);

}  // namespace sinew::physics
