// SPDX-License-Identifier: Apache-2.0
// Undoes what makes the arrays compress well: byte planes and differences between frames.

/** First all low bytes, then all high bytes. */
export function joinBytePlanes(bytes: Uint8Array): Uint16Array {
  const count = bytes.length / 2;
  const values = new Uint16Array(count);
  for (let i = 0; i < count; ++i) values[i] = bytes[i] | (bytes[count + i] << 8);
  return values;
}

/** Frames with the same number of vertices, one after another. */
export interface Block {
  frames: number;
  vertices: number;
}

/** In place, from `start`, block after block; the typed array itself wraps modulo 2^16 or 2^8. */
function sumFrames(values: Uint16Array | Uint8Array, blocks: Block[], start: number): void {
  for (const { frames, vertices } of blocks) {
    const end = start + frames * vertices;
    for (let i = start + vertices; i < end; ++i) values[i] += values[i - vertices];
    start = end;
  }
}

/** Quantised positions, axis by axis, then frame by frame, then vertex by vertex. */
export function decodePositions(bytes: Uint8Array, blocks: Block[]): Uint16Array {
  const values = joinBytePlanes(bytes);
  for (let axis = 0; axis < 3; ++axis) sumFrames(values, blocks, (axis * values.length) / 3);
  return values;
}

export function decodeField(bytes: Uint8Array, blocks: Block[]): Uint8Array {
  const values = bytes.slice();
  sumFrames(values, blocks, 0);
  return values;
}

/** Little-endian on every machine. */
export function decodeIndices(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const indices = new Uint32Array(bytes.byteLength / 4);
  for (let i = 0; i < indices.length; ++i) indices[i] = view.getUint32(4 * i, true);
  return indices;
}
