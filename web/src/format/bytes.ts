// SPDX-License-Identifier: Apache-2.0
// BYTES of the format: base64 of a zlib stream.
import { DataError } from './data_error';
import type { Bytes } from './packed';

function fromBase64(text: Bytes, what: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new DataError(`${what}: the base64 text is damaged or cut off.`);
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Unpacks and checks the length, so that nobody reads past the end of truncated data. */
export async function unpack(text: Bytes, length: number, what: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = fromBase64(text, what);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new DataError(`${what}: the zlib stream is damaged or cut off.`);
  }
  if (bytes.length !== length) {
    throw new DataError(`${what}: ${bytes.length} bytes where ${length} are expected.`);
  }
  return bytes;
}
