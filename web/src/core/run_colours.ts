// SPDX-License-Identifier: Apache-2.0
// One look per run. Two runs: cyan against pink. More: first the palette of Okabe and Ito, which stays
// distinct for colour-blind readers, then 24 colours that are as far as possible from each other and
// from these. Dashes and shapes differ besides: bodies in 3D and swatches have the colour only.

export const PALETTE_SIZE = 32;

/** Name of the custom property in the style sheet. */
export function runColour(run: number, runs: number): string {
  if (runs === 1) return '--body';
  return runs === 2 ? `--pair-${run}` : `--safe-${run % PALETTE_SIZE}`;
}

const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
/** So many lines share a dash before the next one comes. */
const DASH_ROUND = 8;

// Drawn around the origin, about as large as each other.
export const SHAPES = [
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z', 'M-3.6-3.6h7.2v7.2h-7.2z', 'M0-4.8 4.4 3.2h-8.8z',
  'M0-5 5 0 0 5-5 0z', 'M0 4.8 4.4-3.2h-8.8z', 'M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z',
];

export interface LineStyle {
  /** Custom property of the style sheet. */
  colour: string;
  dash: number[];
  /** An SVG path. */
  shape: string;
}

/** The first 192 differ in colour and dash, or in shape; neighbours in colour and shape. */
export function lineStyle(line: number): LineStyle {
  const eighth = Math.floor(line / DASH_ROUND);
  const round = Math.floor(line / PALETTE_SIZE);
  return {
    colour: `--safe-${line % PALETTE_SIZE}`, dash: DASHES[(eighth + round) % DASHES.length],
    shape: SHAPES[(line + eighth + Math.floor(round / DASHES.length)) % SHAPES.length],
  };
}

/** As `lineStyle`, in the colours of the runs. */
export function runStyle(run: number, runs: number): LineStyle {
  return { ...lineStyle(run), colour: runColour(run, runs) };
}
