// SPDX-License-Identifier: Apache-2.0
// Constants of bodies that are formulas of the place.
#pragma once

#include <memory>
#include <set>
#include <string>

#include <sinew/core/expression.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/compile/diagnostics.hpp>
#include <sinew/scene/format/ranges.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// A formula and where in the scene it was written.
struct PlaceField {
  std::shared_ptr<const core::Expression> formula;
  std::string place;
};

/// Makes and evaluates them; complains once about each that gives values out of its range.
class PlaceFields {
 public:
  PlaceFields(const Catalog& catalog, Diagnostics& diagnostics)
      : catalog_(catalog), diagnostics_(diagnostics) {}

  PlaceField make(const Formula& formula, const std::string& place);
  double evaluate(const PlaceField& field, const Vec3& at, const Range& range);

 private:
  const Catalog& catalog_;
  Diagnostics& diagnostics_;
  std::set<std::string> reported_;  // places that have had their message
};

/// With Rayleigh coefficients in place of a damping ratio at two frequencies.
DampingSpec rayleigh(const DampingSpec& damping);

}  // namespace sinew::scene
