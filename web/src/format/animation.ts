// SPDX-License-Identifier: Apache-2.0
// The moving surface of one run, unpacked. Positions stay quantised: a third of the memory of floats.
import { unpack } from './bytes';
import { DataError } from './data_error';
import { decodeField, decodeIndices, decodePositions } from './decode';
import type { PackedField, PackedFrames, PackedSurface, Triple } from './packed';

export interface Field {
  name: string;
  unit: string;
  low: number;
  high: number;
  /** Frame by frame, 0 is `low`, 255 is `high`. */
  values: Uint8Array;
}

export interface Animation {
  vertices: number;
  indices: Uint32Array;
  times: number[];
  low: Triple;
  high: Triple;
  positions: Uint16Array;
  fields: Field[];
  /** What could not be read and is left out. */
  problems: string[];
}

/** Writes x, y, z of every vertex [m]. */
export function readPositions(animation: Animation, frame: number, out: Float32Array): void {
  const { vertices, times, low, high, positions } = animation;
  for (let axis = 0; axis < 3; ++axis) {
    const base = (axis * times.length + frame) * vertices;
    const scale = (high[axis] - low[axis]) / 65535;
    for (let v = 0; v < vertices; ++v) out[3 * v + axis] = low[axis] + scale * positions[base + v];
  }
}

async function unpackField(packed: PackedField, frames: number, vertices: number): Promise<Field> {
  const { name, unit, low, high, data } = packed;
  const bytes = await unpack(data, frames * vertices, `field ${name}`);
  return { name, unit, low, high, values: decodeField(bytes, frames, vertices) };
}

export async function unpackAnimation(surface: PackedSurface, packed: PackedFrames): Promise<Animation> {
  const { vertices, triangles } = surface;
  const { times, low, high } = packed;
  const frames = times.length;
  const [indexBytes, positionBytes] = await Promise.all([
    unpack(surface.indices, 12 * triangles, 'triangles'),
    unpack(packed.positions, 6 * frames * vertices, 'positions'),
  ]);
  const indices = decodeIndices(indexBytes);
  if (indices.some((index) => index >= vertices)) {
    throw new DataError('triangles: a corner is not among the vertices.');
  }
  const positions = decodePositions(positionBytes, frames, vertices);

  // A damaged field costs its colouring only.
  const fields: Field[] = [];
  const problems: string[] = [];
  for (const field of packed.fields) {
    try {
      fields.push(await unpackField(field, frames, vertices));
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      problems.push(error.message);
    }
  }
  return { vertices, indices, times, low, high, positions, fields, problems };
}
