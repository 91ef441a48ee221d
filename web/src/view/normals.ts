// SPDX-License-Identifier: Apache-2.0

/** Normals of vertices: mean of the triangles around, weighted by area. Plain loops, once per frame. */
export function computeNormals(triangles: Uint32Array, positions: Float32Array, normals: Float32Array): void {
  normals.fill(0);
  for (let f = 0; f < triangles.length; f += 3) {
    const a = 3 * triangles[f], b = 3 * triangles[f + 1], c = 3 * triangles[f + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    normals[a] += nx; normals[a + 1] += ny; normals[a + 2] += nz;
    normals[b] += nx; normals[b + 1] += ny; normals[b + 2] += nz;
    normals[c] += nx; normals[c + 1] += ny; normals[c + 2] += nz;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.sqrt(normals[i] ** 2 + normals[i + 1] ** 2 + normals[i + 2] ** 2);
    if (length > 0) {
      normals[i] /= length; normals[i + 1] /= length; normals[i + 2] /= length;
    } else {
      normals[i + 2] = 1;
    }
  }
}
