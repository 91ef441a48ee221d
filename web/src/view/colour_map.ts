// SPDX-License-Identifier: Apache-2.0
// Viridis: equal steps of the value look equal, also in grey and to colour-blind readers.

/** Samples of matplotlib's viridis (CC0) at 0, 1/32, ..., 1; linear in between (within 2/255). */
const ANCHORS =
  '440154 470d60 48186a 482374 472d7b 453681 424086 3f4989 3b528b 375a8d 33638d ' +
  '2f6a8e 2c728e 297a8e 26818e 23898e 21908c 1f988b 1f9f88 21a685 28ae80 31b57b ' +
  '3ebc74 4cc26c 5dc963 6ece58 82d34c 96d83f abdc32 c0df24 d5e21a eae51a fde725';

export type Rgb = [number, number, number];

function channels(hex: string): Rgb {
  const value = parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const SAMPLES = ANCHORS.split(' ').map(channels);

/** Colour of 0..1 (clamped), each channel 0..255. */
export function viridis(share: number): Rgb {
  const clamped = Math.min(1, Math.max(0, share));
  const place = clamped * (SAMPLES.length - 1);
  const index = Math.min(SAMPLES.length - 2, Math.floor(place));
  const weight = place - index;
  const [a, b] = [SAMPLES[index], SAMPLES[index + 1]];
  return [0, 1, 2].map((c) => Math.round(a[c] + weight * (b[c] - a[c]))) as Rgb;
}

/** RGBA rows for a texture. */
export function viridisTable(size: number): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(4 * size);
  for (let i = 0; i < size; ++i) table.set([...viridis(i / (size - 1)), 255], 4 * i);
  return table;
}

/** For the legend. */
export function viridisGradient(direction: string): string {
  const stops = SAMPLES.map(([r, g, b]) => `rgb(${r} ${g} ${b})`);
  return `linear-gradient(${direction}, ${stops.join(', ')})`;
}
