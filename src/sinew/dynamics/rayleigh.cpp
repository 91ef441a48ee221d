// SPDX-License-Identifier: Apache-2.0
#include <sinew/dynamics/rayleigh.hpp>

namespace sinew::dynamics {

std::optional<Rayleigh> find_rayleigh(const la::LinearOperator& M,
                                      const Linearization& linearization) {
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
  if (d.isZero(0.0)) return Rayleigh{};
  // least squares over all entries; then look at what is left over
  const double mm = m.squaredNorm();
  const Vec across = k - (m.dot(k) / mm) * m;
  Rayleigh result;
  if (across.norm() > 1e-8 * k.norm()) result.stiffness = d.dot(across) / across.squaredNorm();
  result.mass = m.dot(d - result.stiffness * k) / mm;
  constexpr double rounding = 1e-11;
  const double left = (d - result.mass * m - result.stiffness * k).lpNorm<Eigen::Infinity>();
  if (left > rounding * d.lpNorm<Eigen::Infinity>()) return std::nullopt;
  return result;
}

}  // namespace sinew::dynamics
