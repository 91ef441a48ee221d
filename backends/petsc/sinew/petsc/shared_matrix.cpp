// SPDX-License-Identifier: Apache-2.0
#include <sinew/petsc/shared_matrix.hpp>

namespace sinew::petsc {
namespace {

/// D of a part in which nothing is damped, where another one has damping.
class Nothing final : public la::LinearOperator {
 public:
  explicit Nothing(Index size) : size_(size) {}
  Index size() const override { return size_; }

 private:
  void do_apply(const VecIn& /*x*/, VecOut y) const override { y.setZero(); }
  Index size_;
};

}  // namespace

void SharedMatrix::do_apply(const VecIn& x, VecOut y) const {
  X_.resize(3 * halo_.num_all(), 1);
  Y_.resize(3 * halo_.num_all(), 1);
  halo_.spread(x, X_.col(0));
  part_->apply(X_.col(0), Y_.col(0));
  halo_.gather(Y_, y);
}

void SharedMatrix::do_apply_columns(const MatIn& X, MatOut Y) const {
  X_.resize(3 * halo_.num_all(), X.cols());
  Y_.resize(3 * halo_.num_all(), X.cols());
  halo_.spread_columns(X, X_);
  part_->apply_columns(X_, Y_);
  halo_.gather(Y_, Y);
}

SharedLinearization::SharedLinearization(std::unique_ptr<dynamics::Linearization> part,
                                         const Halo& halo)
    : part_(std::move(part)),
      nothing_(std::make_unique<Nothing>(3 * halo.num_all())),
      K_(halo),
      D_(halo),
      S_(halo) {}

void SharedLinearization::take_over(const dynamics::LinearizeReport& whole) {
  report = whole;
  K_.set_part(part_->stiffness());
  D_.set_part(part_->damping() != nullptr ? *part_->damping() : *nothing_);
}

const la::LinearOperator& SharedLinearization::combine(double m, double d, double k) {
  S_.set_part(part_->combine(m, d, k));
  return S_;
}

}  // namespace sinew::petsc
