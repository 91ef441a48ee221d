// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/physics/term_sum.hpp>

namespace sinew::physics {

/// A whole number per cell of the geometry, shown as a field.
struct CellLabel {
  std::string name;
  std::vector<int> values;
};

/// Positions, velocities, displacements and net forces of the vertices, the fields of the terms,
/// their stress at the points where that is more than its mean in the cells, and labels.
class TermObservables final : public dynamics::Observables {
 public:
  TermObservables(const TermSum& sum, dynamics::Geometry geometry, std::vector<CellLabel> labels);

  const dynamics::Geometry& geometry() const override { return geometry_; }
  std::vector<dynamics::FieldInfo> fields() const override { return fields_; }
  void evaluate_field(std::string_view name, const dynamics::State&, dynamics::Workspace&,
                      VecOut values) const override;

 private:
  /// On free vertices all that moves them; on held ones what acts on the support.
  void net_force(const dynamics::State&, TermWorkspace&) const;
  void nodal_stress(bool von_mises, const dynamics::State&, TermWorkspace&, VecOut values) const;
  /// Sums over the terms.
  void of_terms(std::string_view name, const dynamics::State&, TermWorkspace&, VecOut values) const;

  const TermSum& sum_;
  dynamics::Geometry geometry_;
  std::vector<CellLabel> labels_;
  std::vector<dynamics::FieldInfo> fields_;
};

}  // namespace sinew::physics
