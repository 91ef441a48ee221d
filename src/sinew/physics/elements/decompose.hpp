// SPDX-License-Identifier: Apache-2.0
// Singular values and eigenvalues of 3x3 matrices by Jacobi rotations, with a fixed number of
// sweeps and selections instead of branches: four elements side by side in a register.
#pragma once

#include <sinew/physics/elements/pack.hpp>

namespace sinew::physics {

/// where ? a : b, lane by lane.
inline double select(bool where, double a, double b) {
  return where ? a : b;
}
template <class Mask>
Pack select(const Mask& where, const Pack& a, const Pack& b) {
  return where ? a : b;
}

inline double root(double a) {
  return std::sqrt(a);
}
inline Pack root(const Pack& a) {
  return Pack{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}

inline double absolute(double a) {
  return std::abs(a);
}
inline Pack absolute(const Pack& a) {
  return a < 0.0 ? -a : a;
}

/// F = U diag(sigma) V^T with rotations U and V; sigma[0] >= sigma[1] >= |sigma[2]|, and sigma[2]
/// is negative where F turns space inside out.
template <class T>
struct SignedSvd {
  Matrix3<T> U, V;
  std::array<T, 3> sigma;
};

/// A = Q diag(lambda) Q^T.
template <class T>
struct SymmetricEigen {
  Matrix3<T> Q;
  std::array<T, 3> lambda;
};

namespace detail {

// Cyclic Jacobi converges quadratically; four sweeps leave nothing of a 3x3 matrix in double
// precision (tests/unit/physics/test_decompose.cpp).
inline constexpr int jacobi_sweeps = 4;

/// Cosine and sine of the rotation that annihilates the off-diagonal entry of [[a, g], [g, b]].
template <class T>
std::array<T, 2> jacobi_rotation(const T& a, const T& b, const T& g) {
  // tan of the smaller angle; tiny keeps 0/0 away where the matrix is diagonal already
  constexpr double tiny = 1e-300;
  const T difference = 0.5 * (b - a);
  const T hypotenuse = root(T(difference * difference + g * g + tiny));
  const T denominator = absolute(difference) + hypotenuse;
  const T tangent = select(difference < 0.0, T(-g), g) / denominator;
  const T cosine = 1.0 / root(T(1.0 + tangent * tangent));
  return {cosine, T(tangent * cosine)};
}

template <class T>
void rotate_columns(Matrix3<T>& A, int p, int q, const T& c, const T& s) {
  const Vector3<T> a = A.c[p], b = A.c[q];
  A.c[p] = c * a - s * b;
  A.c[q] = s * a + c * b;
}

/// Exchanges columns p and q where asked, turning one around so that the determinant stays.
template <class T, class Mask>
void exchange_columns(Matrix3<T>& A, int p, int q, const Mask& where) {
  const Vector3<T> a = A.c[p], b = A.c[q];
  A.c[p] = {select(where, b.x, a.x), select(where, b.y, a.y), select(where, b.z, a.z)};
  A.c[q] = {select(where, T(-a.x), b.x), select(where, T(-a.y), b.y), select(where, T(-a.z), b.z)};
}

/// a / |a|, or `fallback` where a is zero.
template <class T>
Vector3<T> direction(const Vector3<T>& a, const Vector3<T>& fallback) {
  const T length = root(T(dot(a, a)));
  const auto is_zero = !(length > 1e-150);
  const T inverse = 1.0 / select(is_zero, T(length + 1.0), length);
  return {select(is_zero, fallback.x, T(a.x * inverse)),
          select(is_zero, fallback.y, T(a.y * inverse)),
          select(is_zero, fallback.z, T(a.z * inverse))};
}

/// Some unit vector perpendicular to the unit vector a.
template <class T>
Vector3<T> perpendicular(const Vector3<T>& a) {
  // cross with the axis that a leans on least
  const auto x_small = absolute(a.x) < 0.6;
  const T zero = a.x - a.x;
  const Vector3<T> other{select(x_small, T(zero + 1.0), zero), select(x_small, zero, T(zero + 1.0)),
                         zero};
  const Vector3<T> n = cross(a, other);
  return T(1.0 / root(T(dot(n, n)))) * n;
}

}  // namespace detail

template <class T>
SignedSvd<T> signed_svd(const Matrix3<T>& F) {
  // one-sided: rotate the columns of F V until they are perpendicular
  const T zero = F.c[0].x - F.c[0].x, one = zero + 1.0;
  Matrix3<T> B = F;
  Matrix3<T> V{
      {Vector3<T>{one, zero, zero}, Vector3<T>{zero, one, zero}, Vector3<T>{zero, zero, one}}};
  for (int sweep = 0; sweep < detail::jacobi_sweeps; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        const auto [c, s] = detail::jacobi_rotation(T(dot(B.c[p], B.c[p])), T(dot(B.c[q], B.c[q])),
                                                    T(dot(B.c[p], B.c[q])));
        detail::rotate_columns(B, p, q, c, s);
        detail::rotate_columns(V, p, q, c, s);
      }
  // longest column first
  for (const auto& [p, q] : {std::array{0, 1}, std::array{1, 2}, std::array{0, 1}}) {
    const auto shorter = dot(B.c[p], B.c[p]) < dot(B.c[q], B.c[q]);
    detail::exchange_columns(B, p, q, shorter);
    detail::exchange_columns(V, p, q, shorter);
  }
  SignedSvd<T> result;
  const Vector3<T> u0 = detail::direction(B.c[0], Vector3<T>{one, zero, zero});
  const Vector3<T> u1 =
      detail::direction(Vector3<T>(B.c[1] - dot(u0, B.c[1]) * u0), detail::perpendicular(u0));
  const Vector3<T> u2 = cross(u0, u1);
  result.U = {{u0, u1, u2}};
  result.V = V;
  result.sigma = {dot(u0, B.c[0]), dot(u1, B.c[1]), dot(u2, B.c[2])};
  return result;
}

/// A by columns; only its symmetric part counts.
template <class T>
SymmetricEigen<T> symmetric_eigen(const Matrix3<T>& A) {
  const T zero = A.c[0].x - A.c[0].x, one = zero + 1.0;
  SymmetricEigen<T> result;
  result.Q = {
      {Vector3<T>{one, zero, zero}, Vector3<T>{zero, one, zero}, Vector3<T>{zero, zero, one}}};
  T d[3] = {A.c[0].x, A.c[1].y, A.c[2].z};
  T off[3] = {A.c[2].y, A.c[2].x, A.c[1].x};  // opposite to index k: entries (1,2), (0,2), (0,1)
  for (int sweep = 0; sweep < detail::jacobi_sweeps; ++sweep)
    for (int r = 2; r >= 0; --r) {
      const int p = r == 0 ? 1 : 0, q = r == 2 ? 1 : 2;
      const auto [c, s] = detail::jacobi_rotation(d[p], d[q], off[r]);
      const T g = off[r], a = d[p], b = d[q];
      d[p] = c * c * a - 2.0 * s * c * g + s * s * b;
      d[q] = s * s * a + 2.0 * s * c * g + c * c * b;
      off[r] = zero;
      // entries (p, r) and (q, r)
      const T pr = off[q], qr = off[p];
      off[q] = c * pr - s * qr;
      off[p] = s * pr + c * qr;
      detail::rotate_columns(result.Q, p, q, c, s);
    }
  result.lambda = {d[0], d[1], d[2]};
  return result;
}

}  // namespace sinew::physics
