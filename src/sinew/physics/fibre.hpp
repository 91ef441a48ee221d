// SPDX-License-Identifier: Apache-2.0
// A fibre as a chain of cuboid cells: side d, cell length h, springs along the four edges of a
// cell, around its cross-sections, and along both diagonals of its four sides, of length l =
// sqrt(d^2 + h^2). Per cell and small curvature c or twist t per length, their energy is
//   bending   1/2 (k_a h^2 d^2 + k_d d^2 h^4/l^2) c^2     four edges, diagonals of two sides
//   twisting  k_d h^2 d^4/l^2 t^2                         eight diagonals
// and that of a square rod is 1/2 E d^4/12 h c^2 and 1/2 G J h t^2 with J = 0.1406 d^4. Equating
// gives k_d and k_a. Such a fibre bends and twists as the rod does; pulled along its axis it is
// about a third as stiff, since its material lies in the corners.
#pragma once

#include <algorithm>

namespace sinew::physics {

/// [N/m]
struct FibreStiffness {
  double axial = 0.0;     ///< edges along the fibre
  double ring = 0.0;      ///< edges and diagonals of the cross-sections, which keep their shape
  double diagonal = 0.0;  ///< of the sides
};

/// From Young's modulus and the torsional modulus [Pa], the side of the cross-section and the
/// length of a cell [m]. Diagonals of long cells run almost along the fibre: they get at most half
/// of its resistance to bending, and it twists more easily than the rod then.
inline FibreStiffness fibre_stiffness(double young, double torsion, double thickness,
                                      double segment) {
  constexpr double square_torsion = 0.1406;
  const double d = thickness, h = segment, square = d * d + h * h;
  const double bending = young * d * d / 12.0;
  const double diagonal =
      std::min(0.5 * square_torsion * torsion * square / h, 0.5 * bending * square / (h * h * h));
  const double axial = (bending - diagonal * h * h * h / square) / h;
  return {axial, young * h, diagonal};
}

}  // namespace sinew::physics
