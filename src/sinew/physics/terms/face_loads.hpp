// SPDX-License-Identifier: Apache-2.0
// Pressure and wind on faces. Both are a pressure p on the face as it stands now,
//   f_k = -integral p N_k n dA,
// p given, or drag * density/2 * s^2 with s = (wind - velocity).n < 0 on faces the air hits. On a
// flat face, one point: f_k = -p A n / 3. On a curved one, of a tet with ten nodes, six points.
//
// Tangent. At a point with the slopes a = dx/dl_1, b = dx/dl_2 of the face, n dA is a x b, and the
// derivative of -f_j by x_k is -p N_j [c_k]x with c_k = dN_k/dl_1 b - dN_k/dl_2 a. It is not
// symmetric for a single face; its symmetric part p/2 [N_k c_j - N_j c_k]x is used. On a closed
// surface under uniform pressure the skew parts cancel and nothing is lost; along the rim of a
// loaded patch they do not. Where a definite tangent is asked for, K is left out. Wind adds
// D = drag density |s| dA N_j N_k n n^T; the change of the wind along the way is left out.
#pragma once

#include <memory>
#include <vector>

#include <sinew/physics/term.hpp>
#include <sinew/physics/terms/load_spec.hpp>

namespace sinew::physics {

std::unique_ptr<Term> make_pressure_term(const PressureLoad& load, const Numbering& numbering);
std::unique_ptr<Term> make_wind_term(const WindLoad& load, const Numbering& numbering);

}  // namespace sinew::physics
