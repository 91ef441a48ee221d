// SPDX-License-Identifier: Apache-2.0
// Whether moving features touch, decided exactly: doubles are taken as the rational numbers that
// they are, and every sign of a polynomial at a root of another is found without rounding.
#pragma once

#include <sinew/geometry/closest.hpp>

namespace sinew::test {

/// Whether the features, whose corners go straight from `from` to `to`, have a point in common
/// during the part [0, a] of the way. Not for planes.
bool exactly_touch(geometry::Feature kind, const geometry::Corners& from,
                   const geometry::Corners& to, double a);

}  // namespace sinew::test
