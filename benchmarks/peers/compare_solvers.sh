#!/bin/sh
# Needs petsc-dev with hypre, and a release build. Prints what docs/theory/linear-solvers.md tells.
set -e
here=$(cd "$(dirname "$0")/../.." && pwd)
build=$here/build/release
libraries=$(sed -n '/^build bin\/sinew:/,/^build /s/^  LINK_LIBRARIES = //p' "$build/build.ninja")
program=$build/solver_peers
(cd "$build" && mpicxx -std=c++20 -O2 -Wno-psabi -march=x86-64-v3 -DEIGEN_MAX_ALIGN_BYTES=32 \
  -I"$here/src" -Isrc -I"$here/apps/bench" -isystem /usr/include/eigen3 \
  "$here/benchmarks/peers/solver_peers.cpp" "$here/apps/bench/bench_bar.cpp" $(pkg-config --cflags PETSc) \
  -o "$program" $libraries $(pkg-config --libs PETSc))
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$program"
