// SPDX-License-Identifier: Apache-2.0
// The CSV of a run directory: one header line, no quoting, numbers or single words.

export interface Table {
  readonly names: readonly string[];
  readonly rows: number;
  has(name: string): boolean;
  /** NaN where a cell is empty or no number; all NaN for a column that is not there. */
  numbers(name: string): Float64Array;
  texts(name: string): string[];
}

/** Numbers as C++ prints them: also inf and nan. */
export function parseNumber(cell: string): number {
  const text = cell.trim();
  if (text === '') return NaN;
  const value = Number(text);
  if (!Number.isNaN(value)) return value;
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  return NaN;
}

export function parseCsv(text: string): Table {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const names = (lines[0] ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '');
  const cells = lines.slice(1).map((line) => line.split(','));
  const numeric = new Map<string, Float64Array>();

  const column = (name: string): string[] => {
    const index = names.indexOf(name);
    return cells.map((row) => (index < 0 ? '' : (row[index] ?? '').trim()));
  };

  return {
    names,
    rows: cells.length,
    has: (name) => names.includes(name),
    numbers(name) {
      let values = numeric.get(name);
      if (!values) {
        values = Float64Array.from(column(name), parseNumber);
        numeric.set(name, values);
      }
      return values;
    },
    texts: column,
  };
}
