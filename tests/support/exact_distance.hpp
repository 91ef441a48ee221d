// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/geometry/closest.hpp>

namespace sinew::test {

/// Between two features, in rational arithmetic but for one rounding at the end; 0 to a plane whose
/// corners span none [m].
double exact_distance(geometry::Feature kind, const geometry::Corners& x);

}  // namespace sinew::test
