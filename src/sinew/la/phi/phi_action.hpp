// SPDX-License-Identifier: Apache-2.0
// Sums of functions of A = M^-1 K times vectors, for M symmetric positive definite and K symmetric,
// possibly indefinite:
//
//   y_i = sum_j f_ij(s A) b_j,     s = h^2 for the integrators.
//
// Everything happens in the inner product of M, in which A is selfadjoint; K is only multiplied
// with.
#pragma once

#include <functional>
#include <string_view>

#include <sinew/la/pencil.hpp>
#include <sinew/la/reducer.hpp>

namespace sinew::la {

class BlockRows;

/// Writes f_ij(x), one row per output and one column per start vector. Entire functions.
using SymbolMatrix = std::function<void(double x, Eigen::Ref<Mat> f)>;

enum class PhiKernel {
  automatic,  ///< lanczos where h omega_max is small, chebyshev beyond; for general damping faber,
              ///< or shift_invert where it is strong
  dense,      ///< eigen-decomposition, for small systems
  lanczos,
  chebyshev,
  arnoldi,  ///< of the first-order system
  skew,     ///< arnoldi of the first-order system in the unknowns (Omega q, v), for small systems
  faber,    ///< of the first-order system
  shift_invert,  ///< spaces that grow by solves: of the first-order system, and of `blend`
};
std::string_view to_string(PhiKernel kernel);

struct PhiSettings {
  PhiKernel kernel = PhiKernel::automatic;
  double tolerance = 1e-6;  ///< of each output, relative to its M-norm
  int max_dimension = 120;  ///< of a Krylov space
  int max_degree = 50000;   ///< of a Chebyshev expansion
};

enum class PhiStatus { ok, not_converged, not_finite, not_positive_definite };

struct [[nodiscard]] PhiReport {
  PhiStatus status = PhiStatus::ok;
  PhiKernel kernel = PhiKernel::lanczos;  ///< that did it
  long products = 0;                      ///< of K with a vector
  long solves = 0;                        ///< with a shifted matrix
  int factorizations = 0;                 ///< of shifted matrices
  int dimension = 0;                      ///< of the largest Krylov space, or degree of the series
  int substeps = 0;                       ///< of arnoldi
  double error_estimate = 0.0;            ///< relative, of the worst output
};

/// An interval that holds the eigenvalues of M^-1 K.
struct SpectralBounds {
  double low = 0.0, high = 0.0;
  long products = 0;
};

/// From a few Lanczos steps on a fixed rough vector, widened by the residuals of the outermost Ritz
/// values and a margin.
SpectralBounds estimate_spectrum(const Pencil& pencil, const Reducer& reducer, int steps = 16);

/// No eigenvalue is larger: Gershgorin's discs, for one pass over the entries. Infinite where there
/// are no entries to see or M is not diagonal.
double largest_eigenvalue_bound(const Pencil& pencil, const Reducer& reducer);

/// By Lanczos in the M inner product, one space per start vector; cheapest where sqrt(s lambda_max)
/// is up to about 20. Stops when two successive estimates are below the tolerance.
PhiReport phi_lanczos(const Pencil& pencil, double s, const SymbolMatrix& symbols, const MatIn& B,
                      MatOut Y, const PhiSettings& settings, const Reducer& reducer);

/// By Chebyshev polynomials on the given interval, all start vectors at once; needs no basis, and
/// about sqrt(s lambda_max)/2 products per start vector. `rows`: the entries of K, which make it
/// twice as fast with a diagonal M and up to four start vectors; or nullptr.
PhiReport phi_chebyshev(const Pencil& pencil, double s, const SpectralBounds& bounds,
                        const SymbolMatrix& symbols, const MatIn& B, MatOut Y,
                        const PhiSettings& settings, const Reducer& reducer,
                        const BlockRows* rows = nullptr);

}  // namespace sinew::la
