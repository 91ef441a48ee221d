// SPDX-License-Identifier: Apache-2.0
// What writers may show of a system. After an edit the system is another one, with its own
// geometry.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/dynamics/state.hpp>

namespace sinew::dynamics {

struct Workspace;

/// A quantity the system can evaluate for output, e.g. {"von_mises", per_cell, 1}.
enum class FieldSite { per_point, per_cell };
struct FieldInfo {
  std::string name;
  FieldSite site = FieldSite::per_point;
  int components = 1;
};

/// Points and cells, numbered as the user's mesh is. Types are VTK cell types.
struct Geometry {
  Index num_points = 0;
  std::vector<int> connectivity, offsets;  ///< offsets[c]: end of cell c in connectivity
  std::vector<std::uint8_t> types;

  bool operator==(const Geometry&) const = default;
};

class Observables {
 public:
  virtual ~Observables() = default;

  virtual const Geometry& geometry() const = 0;
  /// "position" and "velocity" are among them, per point with 3 components.
  virtual std::vector<FieldInfo> fields() const = 0;
  virtual void evaluate_field(std::string_view name, const State&, Workspace&,
                              VecOut values) const = 0;
};

class DynamicalSystem;

/// Those of a system, or an empty geometry without fields.
const Observables& observables_of(const DynamicalSystem& system);

}  // namespace sinew::dynamics
