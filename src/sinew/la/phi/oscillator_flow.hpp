// SPDX-License-Identifier: Apache-2.0
// phi functions of the first-order form of M q'' + D q' + K q = 0,
//
//   J = [[0, I], [-M^-1 K, -M^-1 D]],     y(c) = sum_k c^k phi_k(c h J) b_k,
//
// at several c in one pass. Without damping, and with D = a M + b K, every entry of every phi
// function is a function of M^-1 K alone. For any other D the kernels work on the first-order
// system itself, in the inner product of the energy, in which it is dissipative.
#pragma once

#include <span>

#include <sinew/la/phi/phi_evaluator.hpp>
#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::la {

/// Solves with M + c D + c^2 K for the matrices of a flow.
class ShiftedSolver {
 public:
  virtual ~ShiftedSolver() = default;
  virtual SolveStatus factorize(double c) = 0;
  virtual SolveStatus solve(const VecIn& b, VecOut x) = 0;
};

/// D = mass * M + stiffness * K, or any other symmetric matrix.
struct FlowDamping {
  double mass = 0.0, stiffness = 0.0;       ///< [1/s], [s]
  const LinearOperator* general = nullptr;  ///< used instead when given
  ShiftedSolver* shifted = nullptr;         ///< for strong damping; may be missing
};

struct Phase {
  Vec q, v;
};

/// b_k = (q, v); a missing half is zero.
struct PhiTerm {
  int k = 1;
  const Vec* q = nullptr;
  const Vec* v = nullptr;
};

/// out[i] = y(times[i]) for the pencil bound to the evaluator. Times ascend, and so do the k, from
/// 1 to 4, each at most once.
PhiReport oscillator_flow(PhiEvaluator& evaluator, const FlowDamping& damping, double h,
                          std::span<const PhiTerm> terms, std::span<const double> times,
                          std::span<Phase> out);

}  // namespace sinew::la
