// SPDX-License-Identifier: Apache-2.0
// All reductions over state-sized vectors are made here. A state vector holds the dofs owned by
// this process; a distributed reducer adds the contributions of the others, and nothing else in an
// integrator, Newton or Krylov method has to know.
//
// Decisions belong here as much as sums: processes that branch differently wait for each other
// forever. Whatever follows from the entries of a state-sized vector, or from how many there are,
// is asked of the reducer; numbers that are the same everywhere (options, results of reductions)
// are not.
#pragma once

#include <cmath>
#include <span>

#include <sinew/core/types.hpp>

namespace sinew::la {

class Reducer {
 public:
  virtual ~Reducer() = default;

  // ---- of vectors; each is one reduction, whatever the number of columns ------------------------

  double dot(const VecIn& x, const VecIn& y) const { return total(local_dot(x, y)); }
  double norm(const VecIn& x) const { return std::sqrt(dot(x, x)); }
  /// X^T Y.
  Mat gram(const MatIn& X, const MatIn& Y) const {
    Mat products = local_gram(X, Y);
    if (products.size() > 0) global_sum({products.data(), std::size_t(products.size())});
    return products;
  }
  /// X^T y, with every entry as dot() gives it.
  Vec dots(const MatIn& X, const VecIn& y) const {
    return summed(X.cols(), [&](Index c) { return local_dot(X.col(c), y); });
  }
  /// The diagonal of X^T Y, likewise.
  Vec column_dots(const MatIn& X, const MatIn& Y) const {
    return summed(X.cols(), [&](Index c) { return local_dot(X.col(c), Y.col(c)); });
  }
  double max_abs(const VecIn& x) const {
    return largest(x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>());
  }
  bool all_finite(const VecIn& x) const { return !any(!x.allFinite()); }

  // ---- of what this process found out by itself -------------------------------------------------

  double total(double local) const {
    global_sum({&local, 1});
    return local;
  }
  double largest(double local) const {
    global_max({&local, 1});
    return local;
  }
  bool any(bool local) const { return largest(local ? 1.0 : 0.0) != 0.0; }
  /// How many there are, of which this process has `local`.
  Index count(Index local) const { return static_cast<Index>(total(static_cast<double>(local))); }
  Index num_processes() const { return count(1); }

 private:
  // of the part of this process
  virtual double local_dot(const VecIn& x, const VecIn& y) const { return x.dot(y); }
  virtual Mat local_gram(const MatIn& X, const MatIn& Y) const { return X.transpose() * Y; }
  // over all processes, in place, entry by entry
  virtual void global_sum(std::span<double> /*values*/) const {}
  virtual void global_max(std::span<double> /*values*/) const {}

  template <class Local>
  Vec summed(Index size, const Local& local) const {
    Vec result(size);
    for (Index k = 0; k < size; ++k) result[k] = local(k);
    if (size > 0) global_sum({result.data(), static_cast<std::size_t>(size)});
    return result;
  }
};

/// One process.
inline const Reducer& serial_reducer() {
  static const Reducer reducer;
  return reducer;
}

}  // namespace sinew::la
