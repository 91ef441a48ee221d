// SPDX-License-Identifier: Apache-2.0
// Matrices of which every process has the rows that it owns. Each keeps the matrix of its part:
// rows of ghosts in it lack what elements elsewhere add, and are not looked at.
#pragma once

#include <memory>

#include <sinew/dynamics/linearization.hpp>
#include <sinew/petsc/halo.hpp>

namespace sinew::petsc {

class SharedMatrix final : public la::LinearOperator {
 public:
  explicit SharedMatrix(const Halo& halo) : halo_(halo) {}

  Index size() const override { return 3 * halo_.num_owned(); }
  const Halo& halo() const { return halo_; }
  /// That of the part, with the rows of ghosts.
  const la::LinearOperator& part() const { return *part_; }
  void set_part(const la::LinearOperator& part) { part_ = &part; }

 private:
  void do_apply(const VecIn& x, VecOut y) const override;
  void do_apply_columns(const MatIn& X, MatOut Y) const override;

  const Halo& halo_;
  const la::LinearOperator* part_ = nullptr;
  mutable Mat X_, Y_;
};

class SharedLinearization final : public dynamics::Linearization {
 public:
  SharedLinearization(std::unique_ptr<dynamics::Linearization> part, const Halo& halo);

  dynamics::Linearization& part() { return *part_; }
  /// After the part was made anew, with what its report is for all parts together.
  void take_over(const dynamics::LinearizeReport& whole);

  const la::LinearOperator& stiffness() const override { return K_; }
  const la::LinearOperator* damping() const override { return report.is_damped ? &D_ : nullptr; }
  const la::LinearOperator& combine(double m, double d, double k) override;

 private:
  std::unique_ptr<dynamics::Linearization> part_;
  std::unique_ptr<la::LinearOperator> nothing_;
  SharedMatrix K_, D_, S_;
};

}  // namespace sinew::petsc
