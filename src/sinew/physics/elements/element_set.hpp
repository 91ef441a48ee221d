// SPDX-License-Identifier: Apache-2.0
// Elements of one kind with an energy W(x) = sum of W_e: tets of one material, springs of one law.
// Terms make forces of them (terms/element_terms.hpp). Few coarse virtual calls; the loops inside
// are compiled for each material.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/dynamics/explicit_stability.hpp>
#include <sinew/dynamics/linearization.hpp>
#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

/// What an element can say about itself, for output.
enum class CellQuantity {
  det_f,           ///< volume over rest volume; of a spring, length over rest length [-]
  energy_density,  ///< per rest volume [J/m^3]
  cauchy_stress,   ///< xx, yy, zz, xy, yz, xz [Pa]
  von_mises,       ///< of the Cauchy stress; of a spring, tension over section [Pa]
  strain,          ///< of a spring: stretch over rest length [-]
  tension,         ///< of a spring: negative where it pushes [N]
};

class ElementSet {
 public:
  virtual ~ElementSet() = default;

  /// Pairs of vertices, ascending, whose blocks add_tangent() writes; slots are in this order.
  virtual std::vector<std::array<int, 2>> pairs() const = 0;

  /// `partial` is scratch that keeps its size between calls.
  virtual double energy(const PaddedField& x, const core::Executor& executor,
                        std::vector<double>& partial) const = 0;
  /// f -= dW/dx.
  virtual void add_force(const PaddedField& x, const core::Executor& executor,
                         PaddedField& f) const = 0;
  /// K += d^2 W/dx^2, with negative curvature of single elements treated as asked, and f -= dW/dx
  /// when f is given. Returns the number of elements whose tangent was changed.
  /// Block `slots[k]` of `K` belongs to pair k; negative: not wanted.
  virtual Index add_tangent(const PaddedField& x, dynamics::Definiteness definiteness,
                            const core::Executor& executor, std::span<const int> slots, double* K,
                            PaddedField* f) const = 0;
  /// f -= K v with K = d^2 W/dx^2 at x, negative curvature clamped.
  virtual void add_definite_product(const PaddedField& x, const PaddedField& v,
                                    const core::Executor& executor, PaddedField& f) const = 0;
  /// Elements turned inside out (or flat).
  virtual Index count_inverted(const PaddedField&, const core::Executor&,
                               std::vector<double>& /*partial*/) const {
    return 0;
  }
  /// Largest strain of a spring, by magnitude.
  virtual double largest_strain(const PaddedField&, const core::Executor&,
                                std::vector<double>& /*partial*/) const {
    return 0.0;
  }
  /// sums[vertex] += weight * F for the vertices of every element; of a spring, F is the part that
  /// its direction shows. The rotation nearest to a sum is that of the material there.
  virtual void add_gradients(const PaddedField&, const core::Executor&,
                             std::span<Mat3> /*sums*/) const {}
  /// What evaluate_cells() knows.
  virtual std::span<const CellQuantity> quantities() const { return {}; }
  /// Writes to the places of its elements, numbered as the geometry's cells are; leaves
  /// alone what its elements do not have.
  virtual void evaluate_cells(const PaddedField&, CellQuantity, const core::Executor&,
                              VecOut /*values*/) const {}
  /// Of tets: Cauchy stress at their corners in the user's order, 24 entries per cell.
  virtual void evaluate_corner_stress(const PaddedField&, const core::Executor&,
                                      VecOut /*values*/) const {}

  virtual int num_elements() const = 0;
  /// Of every element, in the internal order.
  virtual dynamics::ElementNodes element_vertices() const = 0;
  /// The same with these elements only, ascending.
  virtual std::unique_ptr<ElementSet> restricted_to(std::span<const int> elements) const = 0;
};

}  // namespace sinew::physics
