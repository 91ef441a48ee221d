// SPDX-License-Identifier: Apache-2.0
// Column `rung` of steps.csv as spans of time: where the guard made steps in another way.
import type { Table } from '../format/csv';

export interface RungInterval {
  rung: number;
  /** [s] */
  from: number;
  to: number;
}

const NAMES = ['as asked', 'projected tangent', 'si with projected tangent', 'be', 'refused by all'];

/** What a rung means (docs/theory/guard.md). */
export function rungName(rung: number): string {
  return NAMES[rung] ?? `rung ${rung}`;
}

export const RUNG_COUNT = NAMES.length;

/** Of accepted steps, neighbours on the same rung joined; empty without a column `rung`. */
export function rungIntervals(steps: Table): RungInterval[] {
  const [ends, lengths, rungs, status] = [steps.numbers('t'), steps.numbers('dt'), steps.numbers('rung'), steps.texts('status')];
  const intervals: RungInterval[] = [];
  status.forEach((text, i) => {
    if (text !== 'accepted' || !Number.isFinite(rungs[i])) return;
    const last = intervals.at(-1);
    if (last?.rung === rungs[i]) {
      last.to = ends[i];
      return;
    }
    const from = ends[i] - lengths[i];
    // Rows between two that stayed were left out: they were on the rung of the first.
    if (last) last.to = Math.max(last.to, from);
    intervals.push({ rung: rungs[i], from, to: ends[i] });
  });
  return intervals;
}

/** Ends of attempts that no rung could save: the guard asked for shorter steps there [s]. */
export function refusedTimes(steps: Table): number[] {
  const [ends, rungs, status] = [steps.numbers('t'), steps.numbers('rung'), steps.texts('status')];
  return status.flatMap((text, i) => (text !== 'accepted' && rungs[i] === RUNG_COUNT - 1 ? [ends[i]] : []));
}
