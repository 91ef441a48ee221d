// SPDX-License-Identifier: Apache-2.0
// Forces at vertices of the surface: few of many vertices have one, so each comes with its vertex.
import type { Chapter } from './animation';
import { unpack } from './bytes';
import { DataError } from './data_error';
import type { PackedVectors } from './packed';

const BYTES_EACH = 16;

export interface Vectors {
  name: string;
  unit: string;
  /** Place of the first vector of each frame, and behind the last frame their number. */
  starts: number[];
  /** Number of the vertex in the surface of the frame's chapter, one per vector. */
  vertices: Uint32Array;
  /** x, y, z of each vector. */
  components: Float32Array;
}

/** Zero also for what is not finite: it has no direction to point in. */
export function vectorLength({ components }: Vectors, index: number): number {
  const length = Math.hypot(components[3 * index], components[3 * index + 1], components[3 * index + 2]);
  return Number.isFinite(length) ? length : 0;
}

function startsOf(counts: number[]): number[] {
  const starts = [0];
  for (const count of counts) starts.push(starts[starts.length - 1] + count);
  return starts;
}

function checkVertices({ name, starts, vertices }: Vectors, chapters: Chapter[]): void {
  for (const chapter of chapters) {
    const ofChapter = vertices.subarray(starts[chapter.first], starts[chapter.first + chapter.frames]);
    if (ofChapter.some((vertex) => vertex >= chapter.vertices)) {
      throw new DataError(`vectors ${name}: one is at a vertex that is not there.`);
    }
  }
}

export async function unpackVectors({ name, unit, counts, data }: PackedVectors, chapters: Chapter[]): Promise<Vectors> {
  const starts = startsOf(counts);
  const total = starts[counts.length];
  const bytes = await unpack(data, BYTES_EACH * total, `vectors ${name}`);
  const view = new DataView(bytes.buffer);
  const vertices = new Uint32Array(total);
  const components = new Float32Array(3 * total);
  for (let i = 0; i < total; ++i) {
    vertices[i] = view.getUint32(BYTES_EACH * i, true);
    for (let axis = 0; axis < 3; ++axis) components[3 * i + axis] = view.getFloat32(BYTES_EACH * i + 4 * (axis + 1), true);
  }
  const vectors = { name, unit, starts, vertices, components };
  checkVertices(vectors, chapters);
  return vectors;
}
