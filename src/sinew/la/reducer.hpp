// SPDX-License-Identifier: Apache-2.0
// The one door for reductions over state-sized vectors. A state vector holds the dofs owned by this
// process; a distributed reducer adds the contributions of the others, and nothing else in an
// integrator, Newton or Krylov method has to know.
#pragma once

#include <cmath>

#include <sinew/core/types.hpp>

namespace sinew::la {

class Reducer {
 public:
  virtual ~Reducer() = default;

  double dot(const VecIn& x, const VecIn& y) const { return global_sum(x.dot(y)); }
  double norm(const VecIn& x) const { return std::sqrt(dot(x, x)); }
  double max_abs(const VecIn& x) const {
    return global_max(x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>());
  }
  bool all_finite(const VecIn& x) const { return global_max(x.allFinite() ? 0.0 : 1.0) == 0.0; }
  double sum(const VecIn& x) const { return global_sum(x.sum()); }
  /// X^T Y.
  Mat gram(const MatIn& X, const MatIn& Y) const {
    Mat products = X.transpose() * Y;
    for (double& entry : products.reshaped()) entry = global_sum(entry);
    return products;
  }

 private:
  virtual double global_sum(double local) const { return local; }
  virtual double global_max(double local) const { return local; }
};

/// One process.
inline const Reducer& serial_reducer() {
  static const Reducer reducer;
  return reducer;
}

}  // namespace sinew::la
