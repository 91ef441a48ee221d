// SPDX-License-Identifier: Apache-2.0
// The writing side of docs/formats/report.md, as the C++ program has it; here for fixtures.
import { deflateSync } from 'node:zlib';
import type { Block } from '../src/format/decode';
import type { Bytes, PackedField, PackedFrames, PackedSurface, PackedVectors, Triple } from '../src/format/packed';

export function pack(bytes: Uint8Array): Bytes {
  return deflateSync(bytes).toString('base64');
}

/** Differences to the frame before, modulo the width of the array. */
function differences<T extends Uint8Array | Uint16Array>(values: T, perFrame: number): T {
  const result = values.slice() as T;
  for (let i = values.length - 1; i >= perFrame; --i) result[i] = values[i] - values[i - perFrame];
  return result;
}

function bytePlanes(values: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(2 * values.length);
  for (let i = 0; i < values.length; ++i) {
    bytes[i] = values[i] & 255;
    bytes[values.length + i] = values[i] >> 8;
  }
  return bytes;
}

/** `quantised`: for each axis, frame, vertex. */
export function encodePositions(quantised: Uint16Array, blocks: Block[]): Uint8Array {
  const result = new Uint16Array(quantised.length);
  let at = 0;
  for (let axis = 0; axis < 3; ++axis) {
    for (const { frames, vertices } of blocks) {
      const end = at + frames * vertices;
      result.set(differences(quantised.slice(at, end), vertices), at);
      at = end;
    }
  }
  return bytePlanes(result);
}

export function encodeField(quantised: Uint8Array, blocks: Block[]): Uint8Array {
  const result = new Uint8Array(quantised.length);
  let at = 0;
  for (const { frames, vertices } of blocks) {
    const end = at + frames * vertices;
    result.set(differences(quantised.slice(at, end), vertices), at);
    at = end;
  }
  return result;
}

/** Frames as they stand, without a change of the triangles but where `starts` has one. */
function blocksOf(frames: unknown[][], starts: number[]): Block[] {
  return starts.map((start, i) => ({ frames: (starts[i + 1] ?? frames.length) - start, vertices: frames[start].length }));
}

export function packSurface(vertices: number, indices: number[], first?: number): PackedSurface {
  const bytes = new Uint8Array(4 * indices.length);
  const view = new DataView(bytes.buffer);
  indices.forEach((index, i) => view.setUint32(4 * i, index, true));
  return { ...(first === undefined ? {} : { first }), vertices, triangles: indices.length / 3, indices: pack(bytes) };
}

export interface RawField {
  name: string;
  unit: string;
  /** Per frame, per vertex. */
  values: number[][];
}

export interface RawVectors {
  name: string;
  unit: string;
  /** Per frame, those that are not zero. */
  values: { vertex: number; value: Triple }[][];
}

export function packVectors({ name, unit, values }: RawVectors): PackedVectors {
  const all = values.flat();
  const bytes = new Uint8Array(16 * all.length);
  const view = new DataView(bytes.buffer);
  all.forEach(({ vertex, value }, i) => {
    view.setUint32(16 * i, vertex, true);
    value.forEach((component, axis) => view.setFloat32(16 * i + 4 + 4 * axis, component, true));
  });
  return { name, unit, counts: values.map((frame) => frame.length), data: pack(bytes) };
}

function limits(values: number[]): [number, number] {
  return values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
}

function packField({ name, unit, values }: RawField, starts: number[]): PackedField {
  const all = values.flat();
  const [low, high] = limits(all);
  const quantised = Uint8Array.from(all, (value) => Math.round((255 * (value - low)) / (high - low || 1)));
  return { name, unit, low, high, data: pack(encodeField(quantised, blocksOf(values, starts))) };
}

/** `positions`: per frame, per vertex [m]. `starts`: frames with which other triangles begin, the first included. */
export function packFrames(times: number[], positions: Triple[][], fields: RawField[], starts = [0]): PackedFrames {
  const quantised = new Uint16Array(3 * positions.flat().length);
  const low: Triple = [0, 0, 0];
  const high: Triple = [0, 0, 0];
  for (let axis = 0; axis < 3; ++axis) {
    const all = positions.flatMap((frame) => frame.map((point) => point[axis]));
    [low[axis], high[axis]] = limits(all);
    const span = high[axis] - low[axis] || 1;
    all.forEach((value, i) => (quantised[axis * all.length + i] = Math.round((65535 * (value - low[axis])) / span)));
  }
  const bytes = encodePositions(quantised, blocksOf(positions, starts));
  return { times, low, high, positions: pack(bytes), fields: fields.map((field) => packField(field, starts)) };
}
