// SPDX-License-Identifier: Apache-2.0
// Four doubles in one register, one per element, and the small matrices made of them. The same
// templates serve plain doubles, so a material is written once and runs in both.
#pragma once

#include <array>
#include <cmath>
#include <cstring>

namespace sinew::physics {

// Functions of packs pass registers; compiled for another instruction set they pass them another
// way. With names of their own, both kinds can be in one program.
#ifdef __AVX2__
inline namespace avx2 {
#else
inline namespace narrow {
#endif

inline constexpr int lanes = 4;

/// The compiler splits this into narrower registers where 256 bits are not to be had.
using Pack = double __attribute__((vector_size(lanes * sizeof(double))));

inline Pack broadcast(double value) {
  return Pack{value, value, value, value};
}

inline Pack load(const double* from) {
  Pack pack;
  std::memcpy(&pack, from, sizeof pack);
  return pack;
}

inline void store(double* to, const Pack& pack) {
  std::memcpy(to, &pack, sizeof pack);
}

/// (rows) -> (columns): afterwards a holds the first entry of every argument, and so on.
inline void transpose(Pack& a, Pack& b, Pack& c, Pack& d) {
  const Pack ab_low = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Pack ab_high = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack cd_low = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Pack cd_high = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

template <class T>
struct Vector3 {
  T x, y, z;
};

template <class T>
Vector3<T> operator+(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vector3<T> operator-(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vector3<T> operator*(const T& s, const Vector3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
T dot(const Vector3<T>& a, const Vector3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// By columns: c[0], c[1], c[2].
template <class T>
struct Matrix3 {
  std::array<Vector3<T>, 3> c;
};

template <class T>
Matrix3<T> operator+(const Matrix3<T>& a, const Matrix3<T>& b) {
  return {{a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2]}};
}
template <class T>
Matrix3<T> operator-(const Matrix3<T>& a, const Matrix3<T>& b) {
  return {{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
}
template <class T>
Matrix3<T> operator*(const T& s, const Matrix3<T>& a) {
  return {{s * a.c[0], s * a.c[1], s * a.c[2]}};
}
template <class T>
Vector3<T> operator*(const Matrix3<T>& a, const Vector3<T>& v) {
  return v.x * a.c[0] + v.y * a.c[1] + v.z * a.c[2];
}
template <class T>
Matrix3<T> transposed(const Matrix3<T>& a) {
  return {{Vector3<T>{a.c[0].x, a.c[1].x, a.c[2].x}, Vector3<T>{a.c[0].y, a.c[1].y, a.c[2].y},
           Vector3<T>{a.c[0].z, a.c[1].z, a.c[2].z}}};
}
template <class T>
Matrix3<T> outer(const Vector3<T>& a, const Vector3<T>& b) {
  return {{b.x * a, b.y * a, b.z * a}};
}
/// d det(F) / dF, by columns.
template <class T>
Matrix3<T> cofactor(const Matrix3<T>& F) {
  return {{cross(F.c[1], F.c[2]), cross(F.c[2], F.c[0]), cross(F.c[0], F.c[1])}};
}
template <class T>
T squared_norm(const Matrix3<T>& a) {
  return dot(a.c[0], a.c[0]) + dot(a.c[1], a.c[1]) + dot(a.c[2], a.c[2]);
}
template <class T>
void add_to_diagonal(Matrix3<T>& a, const T& s) {
  a.c[0].x += s;
  a.c[1].y += s;
  a.c[2].z += s;
}

/// block u += u x w for every u: the derivative of a cofactor.
template <class T>
void add_cross(Matrix3<T>& block, const Vector3<T>& w) {
  block.c[1].x += w.z;
  block.c[0].y -= w.z;
  block.c[2].y += w.x;
  block.c[1].z -= w.x;
  block.c[0].z += w.y;
  block.c[2].x -= w.y;
}

// functions without a vector instruction, lane by lane
inline double logarithm(double a) {
  return std::log(a);
}
inline Pack logarithm(const Pack& a) {
  return Pack{std::log(a[0]), std::log(a[1]), std::log(a[2]), std::log(a[3])};
}
inline double cube_root(double a) {
  return std::cbrt(a);
}
inline Pack cube_root(const Pack& a) {
  return Pack{std::cbrt(a[0]), std::cbrt(a[1]), std::cbrt(a[2]), std::cbrt(a[3])};
}

}  // inline namespace

}  // namespace sinew::physics
