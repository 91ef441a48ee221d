// SPDX-License-Identifier: Apache-2.0
// Vertices on sharp edges are drawn once per smooth side, so that a bar keeps its edges under smooth
// shading. Decided by the first frame with these triangles; the motion changes positions and normals only.

export interface DrawnSurface {
  /** Vertex of the data behind each drawn vertex. */
  sources: Uint32Array;
  /** Corners of triangles, as drawn vertices. */
  triangles: Uint32Array;
  /** Ends of every edge once, as drawn vertices. */
  edges: Uint32Array;
}

const CREASE_COSINE = Math.cos((40 * Math.PI) / 180);

function faceNormals(triangles: Uint32Array, positions: Float32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let f = 0; f < triangles.length; f += 3) {
    const [a, b, c] = [3 * triangles[f], 3 * triangles[f + 1], 3 * triangles[f + 2]];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const length = Math.hypot(nx, ny, nz);
    if (length > 0) normals.set([nx / length, ny / length, nz / length], f);
  }
  return normals;
}

/** Corners (positions in `triangles`) around each vertex: those of v are list[first[v]..first[v + 1]]. */
function cornersAround(triangles: Uint32Array, vertices: number): { first: Uint32Array; list: Uint32Array } {
  const first = new Uint32Array(vertices + 1);
  for (const vertex of triangles) first[vertex + 1]++;
  for (let v = 0; v < vertices; ++v) first[v + 1] += first[v];
  const next = first.slice();
  const list = new Uint32Array(triangles.length);
  for (let corner = 0; corner < triangles.length; ++corner) list[next[triangles[corner]]++] = corner;
  return { first, list };
}

function uniqueEdges(triangles: Uint32Array, drawn: Uint32Array, vertices: number): Uint32Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let corner = 0; corner < triangles.length; ++corner) {
    const other = corner % 3 === 2 ? corner - 2 : corner + 1;
    const a = triangles[corner], b = triangles[other];
    const key = Math.min(a, b) * vertices + Math.max(a, b);
    if (seen.has(key)) continue;
    seen.add(key);
    edges.push(drawn[corner], drawn[other]);
  }
  return Uint32Array.from(edges);
}

export function splitCreases(triangles: Uint32Array, positions: Float32Array, vertices: number): DrawnSurface {
  const normals = faceNormals(triangles, positions);
  const { first, list } = cornersAround(triangles, vertices);
  const drawn = new Uint32Array(triangles.length);
  const sources: number[] = [];

  const smooth = (f: number, g: number): boolean => {
    const dot = normals[f] * normals[g] + normals[f + 1] * normals[g + 1] + normals[f + 2] * normals[g + 2];
    // Triangles without area have a zero normal and join whatever is beside them.
    return dot > CREASE_COSINE || dot === 0 && (isZero(f) || isZero(g));
  };
  const isZero = (f: number): boolean => normals[f] === 0 && normals[f + 1] === 0 && normals[f + 2] === 0;

  for (let v = 0; v < vertices; ++v) {
    const corners = list.subarray(first[v], first[v + 1]);
    const side = new Int32Array(corners.length).fill(-1);
    for (let i = 0; i < corners.length; ++i) {
      if (side[i] >= 0) continue;
      // Walk from triangle to triangle across smooth edges at this vertex.
      const id = sources.push(v) - 1;
      side[i] = id;
      const open = [i];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        const f = corners[at] - (corners[at] % 3);
        for (let j = 0; j < corners.length; ++j) {
          if (side[j] >= 0) continue;
          const g = corners[j] - (corners[j] % 3);
          if (sharesEdgeAt(triangles, f, g, v) && smooth(f, g)) {
            side[j] = id;
            open.push(j);
          }
        }
      }
    }
    for (let i = 0; i < corners.length; ++i) drawn[corners[i]] = side[i];
  }
  return { sources: Uint32Array.from(sources), triangles: drawn, edges: uniqueEdges(triangles, drawn, vertices) };
}

function sharesEdgeAt(triangles: Uint32Array, f: number, g: number, vertex: number): boolean {
  for (let i = 0; i < 3; ++i) {
    const corner = triangles[f + i];
    if (corner === vertex) continue;
    for (let j = 0; j < 3; ++j) if (triangles[g + j] === corner) return true;
  }
  return false;
}
