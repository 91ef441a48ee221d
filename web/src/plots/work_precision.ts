// SPDX-License-Identifier: Apache-2.0
// Error against seconds, both logarithmic, one line per integrator.
import { formatNumber, formatQuantity, prettyUnit } from '../core/number_format';
import { lineStyle, runStyle, type LineStyle } from '../core/run_colours';
import { unitFor } from '../core/units';
import type { ErrorRow } from '../format/packed';
import { logarithmicAxis } from './axes';
import { createDiagram } from './diagram';

export interface Line extends LineStyle {
  integrator: string;
  points: { dt: number | null; error: number; seconds: number }[];
}

export const WALL = 'wall time';

/** Reports of 0.1.0 do not say what went into output: then no row can leave it out. */
function knowsOutput(rows: ErrorRow[]): boolean {
  return rows.every(({ seconds, output }) => seconds === null || (output !== null && output !== undefined));
}

/** What the price of a row is: the same for all. */
export function timeTitle(rows: ErrorRow[]): string {
  return knowsOutput(rows) ? 'time without output' : WALL;
}

/** [s] */
export function costOf({ seconds, output }: ErrorRow, rows: ErrorRow[]): number | null {
  return seconds === null || !knowsOutput(rows) ? seconds : Math.max(0, seconds - (output ?? 0));
}

/**
 * From the cheapest to the dearest; rows without an error or a time cannot be drawn, others are not
 * on show. A line looks like the first run of its method (`runOf` a row, -1: none of the `runs`).
 */
export function workPrecisionLines(rows: ErrorRow[], runOf: number[], runs: number, isShown: (row: number) => boolean): Line[] {
  const names = [...new Set(rows.map((row) => row.integrator))];
  let strangers = runs;
  return names.flatMap((integrator): Line[] => {
    const places = rows.flatMap((row, i) => (row.integrator === integrator ? [i] : []));
    const first = Math.min(...places.map((i) => runOf[i]).filter((run) => run >= 0));
    const style = first === Infinity ? lineStyle(strangers++) : runStyle(first, runs);
    const points = places.filter(isShown).flatMap((i) => {
      const { dt, error } = rows[i];
      const seconds = costOf(rows[i], rows);
      return error && seconds && error > 0 && seconds > 0 ? [{ dt, error, seconds }] : [];
    });
    points.sort((a, b) => (b.dt ?? 0) - (a.dt ?? 0) || a.seconds - b.seconds);
    return places.some(isShown) ? [{ integrator, ...style, points }] : [];
  });
}

export function createWorkPrecision(lines: Line[], time: string): HTMLElement {
  const points = lines.flatMap((line) => line.points);
  return createDiagram({
    x: logarithmicAxis(points.map((point) => point.seconds)),
    y: logarithmicAxis(points.map((point) => point.error)),
    titles: { x: `${time} [s]`, y: `error [${prettyUnit(unitFor('m'))}]` },
    lines: lines.map(({ integrator, points: own, ...style }) => ({
      ...style, name: integrator,
      points: own.map(({ dt, error, seconds }) => ({
        x: seconds, y: error,
        title: `${integrator}, dt ${formatQuantity(dt, unitFor('s'))}: error ${formatNumber(error)} ${unitFor('m')} in ${formatQuantity(seconds, 's')}`,
      })),
    })),
    label: `Error against ${time}, both logarithmic. The numbers are in the table below.`,
  });
}
