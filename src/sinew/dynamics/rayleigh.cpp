// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <sinew/dynamics/rayleigh.hpp>

namespace sinew::dynamics {

std::optional<Rayleigh> find_rayleigh(const la::LinearOperator& M,
                                      const Linearization& linearization,
                                      const la::Reducer& reducer) {
  if (linearization.damping() == nullptr) return Rayleigh{};
  const la::SymmetricMatrix* D = linearization.damping()->assembled();
  const la::SymmetricMatrix* K = linearization.stiffness().assembled();
  if (D == nullptr || K == nullptr || D->shared_pattern() != K->shared_pattern())
    return std::nullopt;
  la::SymmetricMatrix mass(K->shared_pattern());
  add_mass(M, 1.0, mass);
  const auto entries = [&](const la::SymmetricMatrix& A) {
    const int bs = A.pattern().block_size();
    return Eigen::Map<const Vec>(A.values(),
                                 static_cast<Index>(A.pattern().num_entries()) * bs * bs);
  };
  const auto m = entries(mass), k = entries(*K), d = entries(*D);
  if (!reducer.any(!d.isZero(0.0))) return Rayleigh{};
  // least squares over all entries; then look at what is left over
  const double mm = reducer.dot(m, m);
  const Vec across = k - (reducer.dot(m, k) / mm) * m;
  const double across_square = reducer.dot(across, across);
  Rayleigh result;
  if (std::sqrt(across_square) > 1e-8 * reducer.norm(k))
    result.stiffness = reducer.dot(d, across) / across_square;
  result.mass = reducer.dot(m, d - result.stiffness * k) / mm;
  constexpr double rounding = 1e-11;
  const double left = reducer.max_abs(d - result.mass * m - result.stiffness * k);
  if (left > rounding * reducer.max_abs(d)) return std::nullopt;
  return result;
}

}  // namespace sinew::dynamics
