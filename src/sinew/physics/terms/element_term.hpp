// SPDX-License-Identifier: Apache-2.0
// One additive part of the potential made of elements: elasticity of one material, or damping in
// proportion to its stiffness. Few coarse virtual calls; the loops inside are compiled for each
// material.
#pragma once

#include <span>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/dynamics/linearization.hpp>
#include <sinew/la/symmetric_matrix.hpp>
#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

/// What an element can say about itself, for output.
enum class CellQuantity {
  det_f,           ///< volume over rest volume; of a spring, length over rest length [-]
  energy_density,  ///< per rest volume [J/m^3]
  cauchy_stress,   ///< xx, yy, zz, xy, yz, xz [Pa]
  von_mises,       ///< of the Cauchy stress [Pa]
};

class ElementTerm {
 public:
  virtual ~ElementTerm() = default;

  /// Looks up where the term's blocks go in matrices of this pattern.
  virtual void bind(const la::BlockPattern& pattern, std::span<const int> block_of_vertex) = 0;

  /// `partial` is scratch that keeps its size between calls.
  virtual double energy(const PaddedField& x, const core::Executor& executor,
                        std::vector<double>& partial) const = 0;
  /// f -= dW/dx.
  virtual void add_force(const PaddedField& x, const core::Executor& executor,
                         PaddedField& f) const = 0;
  /// K += d^2 W/dx^2, with negative curvature of single elements treated as asked, and f -= dW/dx
  /// when f is given. Returns the number of elements whose tangent was changed.
  virtual Index add_tangent(const PaddedField& x, dynamics::Definiteness definiteness,
                            const core::Executor& executor, la::SymmetricMatrix& K,
                            PaddedField* f) const = 0;
  /// f -= K v with K = d^2 W/dx^2 at x, negative curvature clamped.
  virtual void add_definite_product(const PaddedField& x, const PaddedField& v,
                                    const core::Executor& executor, PaddedField& f) const = 0;
  /// Elements turned inside out (or flat).
  virtual Index count_inverted(const PaddedField& x, const core::Executor& executor,
                               std::vector<double>& partial) const = 0;
  /// sums[vertex] += weight * F for the vertices of every element; of a spring, F is the part that
  /// its direction shows. The rotation nearest to a sum is that of the material there.
  virtual void add_gradients(const PaddedField& x, const core::Executor& executor,
                             std::span<Mat3> sums) const = 0;
  /// Writes to the places of this term's elements, numbered as the geometry's cells are; leaves
  /// alone what its elements do not have.
  virtual void evaluate_cells(const PaddedField& x, CellQuantity quantity, VecOut values) const = 0;
};

}  // namespace sinew::physics
