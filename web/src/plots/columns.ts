// SPDX-License-Identifier: Apache-2.0
// Numbers of tables in the shape that uPlot wants.

export type Column = (number | null)[];

/** What is not finite becomes a gap. */
export function toColumn(values: ArrayLike<number>): Column {
  return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

export function isAllZero(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; ++i) if (values[i] !== 0 && !Number.isNaN(values[i])) return false;
  return true;
}

/** Middle of the sizes of what is finite and not zero; 0 where there is nothing. */
export function typicalSize(columns: Column[]): number {
  const sizes: number[] = [];
  for (const column of columns) {
    for (const value of column) if (value !== null && value !== 0) sizes.push(Math.abs(value));
  }
  sizes.sort((a, b) => a - b);
  return sizes[sizes.length >> 1] ?? 0;
}

/** Largest size of what is finite. */
export function largestSize(columns: Column[]): number {
  let largest = 0;
  for (const column of columns) for (const value of column) if (value !== null) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/** A run that blew up makes everything else a flat line: values far above the typical ones. */
export function spansManyMagnitudes(columns: Column[]): boolean {
  const typical = typicalSize(columns);
  return columns.some((column) => column.some((value) => value !== null && Math.abs(value) > 1e4 * typical));
}
