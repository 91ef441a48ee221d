// SPDX-License-Identifier: Apache-2.0
// Side by side: one cell of the picture per run.

export interface Cell {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Below so many pixels a cell has its label above the picture, not on it. */
const SMALL = 220;
const LABEL = 22;

export function isSmall(cell: Cell): boolean {
  return cell.height < SMALL;
}

/** The part of a labelled cell that the body is drawn in. */
export function pictureIn(cell: Cell): Cell {
  const label = isSmall(cell) ? Math.min(LABEL, cell.height / 3) : 0;
  return { ...cell, top: cell.top + label, height: cell.height - label };
}

// Slightly wide cells suit most bodies.
const IDEAL_ASPECT = 1.3;

export function cellGrid(count: number, width: number, height: number): Cell[] {
  let columns = 1;
  let best = Infinity;
  for (let c = 1; c <= count; ++c) {
    const rows = Math.ceil(count / c);
    const stretch = Math.abs(Math.log(width / c / (height / rows) / IDEAL_ASPECT));
    const waste = (rows * c - count) / count;
    if (stretch + waste < best) {
      best = stretch + waste;
      columns = c;
    }
  }
  const rows = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, i) => ({
    left: ((i % columns) * width) / columns,
    top: (Math.floor(i / columns) * height) / rows,
    width: width / columns,
    height: height / rows,
  }));
}
