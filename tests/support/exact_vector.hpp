// SPDX-License-Identifier: Apache-2.0
// Vectors of rational numbers.
#pragma once

#include <array>

#include <gmpxx.h>

#include <sinew/core/types.hpp>

namespace sinew::test {

using Rational = mpq_class;
using ExactVec3 = std::array<Rational, 3>;

inline ExactVec3 exactly(const Vec3& x) {
  return {Rational(x[0]), Rational(x[1]), Rational(x[2])};
}

inline ExactVec3 operator-(const ExactVec3& a, const ExactVec3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

inline Rational dot(const ExactVec3& a, const ExactVec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline ExactVec3 cross(const ExactVec3& a, const ExactVec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace sinew::test
