// SPDX-License-Identifier: Apache-2.0
#include <sinew/dynamics/linearization.hpp>

namespace sinew::dynamics {

AssembledLinearization::AssembledLinearization(const la::LinearOperator& mass, bool has_damping,
                                               const core::Executor& executor)
    : mass_(&mass), executor_(&executor), has_damping_(has_damping) {}

bool AssembledLinearization::adopt(const std::shared_ptr<const la::BlockPattern>& pattern) {
  if (K_ && K_->shared_pattern() == pattern) return false;
  K_.emplace(pattern, *executor_);
  S_.emplace(pattern, *executor_);
  if (has_damping_) D_.emplace(pattern, *executor_);
  return true;
}

const la::LinearOperator& AssembledLinearization::combine(double m, double d, double k) {
  if (damping())
    S_->set_combination({{k, &*K_}, {d, &*D_}});
  else
    S_->set_combination({{k, &*K_}});
  add_mass(*mass_, m, *S_);
  return *S_;
}

la::SymmetricMatrix& AssembledLinearization::scratch() {
  S_->set_zero();
  return *S_;
}

void add_mass(const la::LinearOperator& mass, double factor, la::SymmetricMatrix& S) {
  const la::BlockPattern& pattern = S.pattern();
  const int bs = pattern.block_size();
  if (const Vec* lumped = mass.diagonal_only()) {
    const Vec& diagonal = *lumped;
    for (int row = 0; row < pattern.num_blocks(); ++row)
      for (int i = 0; i < bs; ++i)
        S.block(pattern.row_begin(row))[i * bs + i] +=
            factor * diagonal[static_cast<Index>(row) * bs + i];
    return;
  }
  const la::SymmetricMatrix* M = mass.assembled();
  SINEW_ASSERT(M != nullptr && M->pattern().block_size() == bs && M->size() == S.size(),
               "the mass has no entries to add");
  for (int row = 0; row < pattern.num_blocks(); ++row) {
    // both rows are sorted, so one walk finds every mass block
    int slot = pattern.row_begin(row);
    for (int k = M->pattern().row_begin(row); k < M->pattern().row_end(row); ++k) {
      while (slot < pattern.row_end(row) && pattern.cols()[slot] != M->pattern().cols()[k]) ++slot;
      SINEW_ASSERT(slot < pattern.row_end(row),
                   "the pattern of the tangent lacks a block of the mass");
      for (int e = 0; e < bs * bs; ++e) S.block(slot)[e] += factor * M->block(k)[e];
    }
  }
}

}  // namespace sinew::dynamics
