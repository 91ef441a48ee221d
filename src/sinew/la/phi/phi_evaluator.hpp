// SPDX-License-Identifier: Apache-2.0
// One pencil after another, each with several requests; the cheapest kernel for each.
#pragma once

#include <optional>
#include <utility>

#include <sinew/la/phi/block_rows.hpp>
#include <sinew/la/phi/phi_action.hpp>

namespace sinew::la {

/// Systems up to this many unknowns can be decomposed, which then takes some seconds.
inline constexpr Index max_dense_size = 1500;

class PhiEvaluator {
 public:
  explicit PhiEvaluator(const PhiSettings& settings) : settings_(settings) {}

  const PhiSettings& settings() const { return settings_; }
  /// Systems up to this size are decomposed under `automatic`: worth it for many requests.
  void set_dense_below(Index size) { dense_below_ = size; }

  /// The matrices of the next requests, which must live until the next call. Forgets what was known
  /// of the last ones.
  void bind(const Pencil& pencil, const Reducer& reducer);
  /// y_i = sum_j f_ij(s A) b_j. A kernel of the first-order system counts as automatic here.
  PhiReport apply(double s, const SymbolMatrix& symbols, const MatIn& B, MatOut Y);

  const Pencil& pencil() const { return *pencil_; }
  const Reducer& reducer() const { return *reducer_; }
  const SpectralBounds& bounds();
  /// Those of the bound pencil, if they were needed so far.
  const std::optional<SpectralBounds>& known_bounds() const { return bounds_; }
  /// Of estimates that no request has reported yet.
  long take_unreported_products() { return std::exchange(unreported_products_, 0); }
  /// Instead of an estimate, for the bound pencil.
  void assume_bounds(const SpectralBounds& bounds) { bounds_ = bounds; }

 private:
  struct Decomposition {
    Vec lambda;
    Mat U;   ///< M-orthonormal eigenvectors
    Mat MU;  ///< M U
  };

  PhiReport apply_dense(double s, const SymbolMatrix& symbols, const MatIn& B, MatOut Y);
  PhiReport apply_chebyshev(double s, const SymbolMatrix& symbols, const MatIn& B, MatOut Y);
  PhiKernel choose(double s);
  /// nullptr: K has no 3x3 blocks to show.
  const BlockRows* rows();

  PhiSettings settings_;
  Index dense_below_ = 0;
  std::optional<Pencil> pencil_;
  const Reducer* reducer_ = nullptr;
  std::optional<SpectralBounds> bounds_;
  BlockRows rows_;
  bool rows_are_current_ = false;
  long unreported_products_ = 0;  // of the estimate of the spectrum
  std::optional<Decomposition> decomposition_;
};

/// The entries of an operator, by multiplying with unit vectors.
Mat dense_matrix(const LinearOperator& A);

}  // namespace sinew::la
