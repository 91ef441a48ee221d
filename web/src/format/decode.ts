// SPDX-License-Identifier: Apache-2.0
// Undoes what makes the arrays compress well: byte planes and differences between frames.

/** First all low bytes, then all high bytes. */
export function joinBytePlanes(bytes: Uint8Array): Uint16Array {
  const count = bytes.length / 2;
  const values = new Uint16Array(count);
  for (let i = 0; i < count; ++i) values[i] = bytes[i] | (bytes[count + i] << 8);
  return values;
}

/** In place; the typed array itself wraps modulo 2^16 or 2^8. `start` and `length` pick one axis. */
export function sumFrames(values: Uint16Array | Uint8Array, perFrame: number, start: number, length: number): void {
  for (let i = start + perFrame; i < start + length; ++i) values[i] += values[i - perFrame];
}

/** Quantised positions, axis by axis, then frame by frame, then vertex by vertex. */
export function decodePositions(bytes: Uint8Array, frames: number, vertices: number): Uint16Array {
  const values = joinBytePlanes(bytes);
  const perAxis = frames * vertices;
  for (let axis = 0; axis < 3; ++axis) sumFrames(values, vertices, axis * perAxis, perAxis);
  return values;
}

export function decodeField(bytes: Uint8Array, frames: number, vertices: number): Uint8Array {
  const values = bytes.slice();
  sumFrames(values, vertices, 0, frames * vertices);
  return values;
}

/** Little-endian on every machine. */
export function decodeIndices(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const indices = new Uint32Array(bytes.byteLength / 4);
  for (let i = 0; i < indices.length; ++i) indices[i] = view.getUint32(4 * i, true);
  return indices;
}
