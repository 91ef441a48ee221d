// SPDX-License-Identifier: Apache-2.0
// Three numbers in a register of four, for products with 3x3 blocks: rows of blocks are multiplied
// lane by lane and the lanes added up once per row of the matrix.
#pragma once

#ifdef __FMA__
#include <immintrin.h>
#endif

namespace sinew::la {

template <class Scalar>
using FourLanes [[gnu::vector_size(4 * sizeof(Scalar))]] = Scalar;

template <class Scalar>
FourLanes<Scalar> load_four(const Scalar* at) {
  FourLanes<Scalar> lanes;
  __builtin_memcpy(&lanes, at, sizeof(lanes));
  return lanes;
}

/// Of three numbers and one that means nothing: the three, and zero.
inline FourLanes<double> load_padded(const double* at) {
#ifdef __FMA__
  return FourLanes<double>(_mm256_blend_pd(_mm256_loadu_pd(at), _mm256_setzero_pd(), 8));
#else
  const FourLanes<double> lanes = {at[0], at[1], at[2], 0.0};
  return lanes;
#endif
}
inline FourLanes<float> load_padded(const float* at) {
#ifdef __FMA__
  return FourLanes<float>(_mm_blend_ps(_mm_loadu_ps(at), _mm_setzero_ps(), 8));
#else
  const FourLanes<float> lanes = {at[0], at[1], at[2], 0.0F};
  return lanes;
#endif
}

/// a b + c, rounded once where the machine can.
inline FourLanes<double> multiply_add(FourLanes<double> a, FourLanes<double> b,
                                      FourLanes<double> c) {
#ifdef __FMA__
  return FourLanes<double>(_mm256_fmadd_pd(__m256d(a), __m256d(b), __m256d(c)));
#else
  return a * b + c;
#endif
}
inline FourLanes<float> multiply_add(FourLanes<float> a, FourLanes<float> b, FourLanes<float> c) {
#ifdef __FMA__
  return FourLanes<float>(_mm_fmadd_ps(__m128(a), __m128(b), __m128(c)));
#else
  return a * b + c;
#endif
}

/// The sums of the lanes of a, b and c, and zero.
inline FourLanes<double> add_lanes(FourLanes<double> a, FourLanes<double> b, FourLanes<double> c) {
#ifdef __FMA__
  const __m256d ab = _mm256_hadd_pd(__m256d(a), __m256d(b));
  const __m256d c0 = _mm256_hadd_pd(__m256d(c), _mm256_setzero_pd());
  return FourLanes<double>(
      _mm256_add_pd(_mm256_permute2f128_pd(ab, c0, 0x20), _mm256_permute2f128_pd(ab, c0, 0x31)));
#else
  const auto sum = [](FourLanes<double> x) { return (x[0] + x[1]) + (x[2] + x[3]); };
  const FourLanes<double> sums = {sum(a), sum(b), sum(c), 0.0};
  return sums;
#endif
}
inline FourLanes<float> add_lanes(FourLanes<float> a, FourLanes<float> b, FourLanes<float> c) {
#ifdef __FMA__
  return FourLanes<float>(
      _mm_hadd_ps(_mm_hadd_ps(__m128(a), __m128(b)), _mm_hadd_ps(__m128(c), _mm_setzero_ps())));
#else
  const auto sum = [](FourLanes<float> x) { return (x[0] + x[1]) + (x[2] + x[3]); };
  const FourLanes<float> sums = {sum(a), sum(b), sum(c), 0.0F};
  return sums;
#endif
}

}  // namespace sinew::la
