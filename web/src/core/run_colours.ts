// SPDX-License-Identifier: Apache-2.0
// One colour per run, the same in 3D, plots and tables. Two runs: cyan against pink. More: the
// palette of Okabe and Ito, which stays distinct for colour-blind readers; then dashes repeat it.

export const PALETTE_SIZE = 8;

/** Name of the custom property in the style sheet. */
export function runColour(run: number, runs: number): string {
  if (runs === 1) return '--body';
  return runs === 2 ? `--pair-${run}` : `--safe-${run % PALETTE_SIZE}`;
}

const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

export function runDash(run: number): number[] {
  return DASHES[Math.floor(run / PALETTE_SIZE) % DASHES.length];
}
