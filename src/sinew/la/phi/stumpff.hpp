// SPDX-License-Identifier: Apache-2.0
// The scalar functions that all exponential and trigonometric integrators are made of:
//
//   c_k(x) = sum_j (-x)^j / (2j + k)!      c_0 = cos sqrt x, c_1 = sin sqrt x / sqrt x, ...
//
// entire in x, cosh and sinh for negative x. With A = M^-1 K and J = [[0, I], [-A, 0]],
//   phi_k(h J) (a, b) = (c_k a + h c_{k+1} b,  c_k b - h A c_{k+1} a),   c_k = c_k(h^2 A):
// one family of functions of one symmetric operator serves every phi function of the first-order
// system. Negative eigenvalues need no special care.
#pragma once

#include <array>
#include <complex>

#include <Eigen/Core>

namespace sinew::la {

inline constexpr int num_stumpff = 7;

/// c_0(x) to c_6(x), each to a few roundings of its size or of 1 (whichever is larger).
std::array<double, num_stumpff> stumpff(double x);

/// exp(h [[0, 1], [-lambda, -d]]) of a damped oscillator: under-, critically and over-damped,
/// growing for negative lambda, in one formula.
Eigen::Matrix2d damped_exponential(double h, double lambda, double d);

/// phi_0(Z) to phi_4(Z) of Z = h [[0, 1], [-lambda, -d]], where
///   phi_0(Z) = exp Z,  phi_k(Z) = (phi_{k-1}(Z) - I/(k-1)!) Z^-1 = integral of
///   e^{(1-s) Z} s^{k-1}/(k-1)! over s from 0 to 1.
std::array<Eigen::Matrix2d, 5> oscillator_phi(double h, double lambda, double d);

/// phi_0(z) to phi_4(z) of a complex number, each to a few roundings of its size or of 1/k!.
std::array<std::complex<double>, 5> complex_phi(std::complex<double> z);

}  // namespace sinew::la
