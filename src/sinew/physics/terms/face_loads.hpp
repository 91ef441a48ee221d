// SPDX-License-Identifier: Apache-2.0
// Pressure and wind on faces. Both are a pressure p on the face as it stands now,
//   f_k = -p A n / 3 on each corner,   A n = 1/2 (x_1 - x_0) x (x_2 - x_0),
// p given, or drag * density/2 * s^2 with s = (wind - velocity).n < 0 on faces the air hits.
//
// Tangent. With g_k = x_{k+2} - x_{k+1} the derivative of -f_j by x_k is p/6 [g_k]x, not symmetric
// for a single face; its symmetric part p/12 [g_k - g_j]x is used. On a closed surface under
// uniform pressure the skew parts cancel and nothing is lost; along the rim of a loaded patch they
// do not. Where a definite tangent is asked for, K is left out. Wind adds D = drag density |s|
// A/9 n n^T; the change of the wind along the way is left out.
#pragma once

#include <memory>
#include <vector>

#include <sinew/physics/term.hpp>
#include <sinew/physics/terms/load_spec.hpp>

namespace sinew::physics {

std::unique_ptr<Term> make_pressure_term(const PressureLoad& load, const Numbering& numbering);
std::unique_ptr<Term> make_wind_term(const WindLoad& load, const Numbering& numbering);

}  // namespace sinew::physics
