// SPDX-License-Identifier: Apache-2.0
// What the tests ask of triangles.
#pragma once

#include <span>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::test {

/// Vertices - edges + faces: 2 for a sphere, 0 for a torus.
int euler_characteristic(std::span<const mesh::Triangle> triangles);

/// Twice the smallest area of a triangle over its longest edge squared: 0.87 for the regular one.
double least_flatness(const mesh::TetMesh& surface);

/// Closed, outward, one fan of triangles around every vertex, every vertex used and nothing else.
void expect_sound_surface(const mesh::TetMesh& surface);

}  // namespace sinew::test
