// SPDX-License-Identifier: Apache-2.0
// M, D = -df/dv and K = -df/dq at one state, offered as operators. The assembled form below serves
// every system that can write its entries; matrix-free and device forms derive from the base.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::dynamics {

/// What to do about negative curvature of single elements.
enum class Definiteness {
  exact,      ///< the true tangent, possibly indefinite
  psd_clamp,  ///< negative eigenvalues of each element set to zero
  psd_abs,    ///< negative eigenvalues of each element replaced by their absolute value
  /// as psd_clamp for contacts, whose curvature along the surface is negative wherever they push;
  /// exact for all else
  contact_clamp,
};

/// Which matrix stands for the stiffness.
enum class Stiffness {
  tangent,  ///< -df/dq
  /// Mean of the tangents on the straight way from rest, so that f(rest) - f(q) = K (q - rest);
  /// the tangent where the system knows no rest.
  secant,
};

/// Which matrix stands for the damping.
enum class Damping {
  tangent,  ///< -df/dv
  /// Of what is lost to friction, D with f = -D v: steps that solve once with it cannot turn the
  /// motion around.
  secant,
};

struct LinearizeOptions {
  Definiteness definiteness = Definiteness::exact;
  Stiffness stiffness = Stiffness::tangent;
  Damping damping = Damping::tangent;
  /// Of a tangent that is summed up to a secant matrix: the pattern is that of another state.
  bool is_part_of_mean = false;
};

/// What the system says about the linearisation it made.
struct LinearizeReport {
  Index projected = 0;  ///< elements whose tangent the definiteness policy changed
  /// What was provided; a system without projections or a secant matrix gives the exact tangent.
  Definiteness definiteness = Definiteness::exact;
  Stiffness stiffness = Stiffness::tangent;
  bool is_damped =
      true;  ///< D has entries other than zero; friction of what touches nothing has none
};

class Linearization {
 public:
  virtual ~Linearization() = default;

  virtual const la::LinearOperator& stiffness() const = 0;
  /// nullptr without damping in this state.
  virtual const la::LinearOperator* damping() const = 0;
  /// S = m M + d D + k K, valid until the next call or the next linearize().
  virtual const la::LinearOperator& combine(double m, double d, double k) = 0;

  LinearizeReport report;
  std::uint64_t system_id = 0;  ///< of the system that made this object
};

/// S += factor * M; M is diagonal or has entries, all of them in the pattern of S.
void add_mass(const la::LinearOperator& M, double factor, la::SymmetricMatrix& S);

/// Entries in one shared block pattern.
class AssembledLinearization final : public Linearization {
 public:
  /// `mass` is diagonal or has assembled entries; it must outlive this object.
  AssembledLinearization(const la::LinearOperator& mass, bool has_damping,
                         const core::Executor& executor);

  const la::LinearOperator& stiffness() const override { return *K_; }
  const la::LinearOperator* damping() const override {
    return D_ && report.is_damped ? &*D_ : nullptr;
  }
  const la::LinearOperator& combine(double m, double d, double k) override;

  /// Takes over `pattern` if it is a new one; returns whether it was.
  bool adopt(const std::shared_ptr<const la::BlockPattern>& pattern);

  la::SymmetricMatrix& K() { return *K_; }
  /// A matrix of the same pattern, for whoever fills K in several parts.
  la::SymmetricMatrix& scratch();
  la::SymmetricMatrix* D() { return D_ ? &*D_ : nullptr; }

 private:
  const la::LinearOperator* mass_;
  const core::Executor* executor_;
  bool has_damping_;
  std::optional<la::SymmetricMatrix> K_, D_, S_;
};

}  // namespace sinew::dynamics
