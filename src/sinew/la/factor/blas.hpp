// SPDX-License-Identifier: Apache-2.0
// The dense operations of a sparse factorisation, in both precisions. Matrices are stored by
// columns, `ld` apart.
#pragma once

// NOLINTBEGIN(readability-identifier-naming): names of the library
extern "C" {
void spotrf_(const char*, const int*, float*, const int*, int*);
void dpotrf_(const char*, const int*, double*, const int*, int*);
void strsm_(const char*, const char*, const char*, const char*, const int*, const int*,
            const float*, const float*, const int*, float*, const int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*,
            const double*, const double*, const int*, double*, const int*);
void ssyrk_(const char*, const char*, const int*, const int*, const float*, const float*,
            const int*, const float*, float*, const int*);
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, const double*, double*, const int*);
void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*,
            const float*, const int*, const float*, const int*, const float*, float*, const int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
            const double*, const int*, const double*, const int*, const double*, double*,
            const int*);
}
// NOLINTEND(readability-identifier-naming)

namespace sinew::la::blas {

/// A = L L^T in place, lower triangle; false: not positive definite.
inline bool cholesky(int n, float* A, int ld) {
  int info = 0;
  spotrf_("L", &n, A, &ld, &info);
  return info == 0;
}
inline bool cholesky(int n, double* A, int ld) {
  int info = 0;
  dpotrf_("L", &n, A, &ld, &info);
  return info == 0;
}

/// B := B L^-T, B of m rows and n columns.
inline void divide_by_transposed(int m, int n, const float* L, int ld_L, float* B, int ld_B) {
  const float one = 1.0F;
  strsm_("R", "L", "T", "N", &m, &n, &one, L, &ld_L, B, &ld_B);
}
inline void divide_by_transposed(int m, int n, const double* L, int ld_L, double* B, int ld_B) {
  const double one = 1.0;
  dtrsm_("R", "L", "T", "N", &m, &n, &one, L, &ld_L, B, &ld_B);
}

/// C := -A A^T, lower triangle, A of n rows and k columns.
inline void set_minus_square(int n, int k, const float* A, int ld_A, float* C, int ld_C) {
  const float minus = -1.0F, zero = 0.0F;
  ssyrk_("L", "N", &n, &k, &minus, A, &ld_A, &zero, C, &ld_C);
}
inline void set_minus_square(int n, int k, const double* A, int ld_A, double* C, int ld_C) {
  const double minus = -1.0, zero = 0.0;
  dsyrk_("L", "N", &n, &k, &minus, A, &ld_A, &zero, C, &ld_C);
}

/// C := beta C - A B^T, C of m rows and n columns, A and B of k columns.
inline void subtract_product(int m, int n, int k, const float* A, const float* B, int ld_AB,
                             float beta, float* C, int ld_C) {
  const float minus = -1.0F;
  sgemm_("N", "T", &m, &n, &k, &minus, A, &ld_AB, B, &ld_AB, &beta, C, &ld_C);
}
inline void subtract_product(int m, int n, int k, const double* A, const double* B, int ld_AB,
                             double beta, double* C, int ld_C) {
  const double minus = -1.0;
  dgemm_("N", "T", &m, &n, &k, &minus, A, &ld_AB, B, &ld_AB, &beta, C, &ld_C);
}

}  // namespace sinew::la::blas
