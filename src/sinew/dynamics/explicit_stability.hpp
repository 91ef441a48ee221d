// SPDX-License-Identifier: Apache-2.0
// Which nodes an explicit step can advance. Symplectic Euler of v' = -M^-1 (K q + D v) with step h
// is stable where all eigenvalues of M^-1 S, S = h^2 K + 2 h D, are below 4.
//
// Element by element (fierz2011): the block of M^-1 S that belongs to the nodes of one element,
// with all that is attached to them. Blocks of a matrix have smaller eigenvalues than the whole, so
// this test alone is too hopeful, by a few percent on tets and more on springs; what it leaves is
// looked at as a whole.
#pragma once

#include <span>
#include <vector>

#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::dynamics {

/// Nodes of elements, one after the other; node k owns dofs 3k .. 3k+2.
struct ElementNodes {
  std::vector<int> nodes, ends;  ///< ends[e]: of element e in nodes

  int size() const { return static_cast<int>(ends.size()); }
  std::span<const int> of(int element) const;
  void add(std::span<const int> element);
};

/// Eigenvalues of symplectic Euler above which it is not stable.
constexpr double explicit_limit = 4.0;

class ExplicitStability {
 public:
  /// S, with blocks of three, mass (one value per dof, S has none of it) and elements must outlive
  /// it.
  ExplicitStability(const la::SymmetricMatrix& S, const Vec& mass, const ElementNodes& elements);

  /// Of every element an upper bound of the largest eigenvalue of its block, at most 1 % too large.
  std::vector<double> element_values() const;

  struct Largest {
    double value = 0.0;  ///< an upper bound to 1e-3, as far as Lanczos' method sees
    Vec vector;          ///< M^1/2 times the shape, of length 1
  };
  /// Of M^-1 S over the dofs of some nodes.
  Largest largest(const std::vector<char>& is_chosen) const;

  /// Nodes to treat implicitly so that the largest eigenvalue of the others is below `limit`.
  /// `known`: 0 or 1 for nodes whose elements need not be looked at again, -1 for others; none: all
  /// are looked at. What is left is looked at as a whole in any case.
  std::vector<char> implicit_nodes(double limit = explicit_limit,
                                   std::span<const signed char> known = {}) const;

 private:
  double element_value(std::span<const int> nodes) const;

  const la::SymmetricMatrix& S_;
  const ElementNodes& elements_;
  Vec root_;  // of the inverse masses
};

}  // namespace sinew::dynamics
