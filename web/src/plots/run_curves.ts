// SPDX-License-Identifier: Apache-2.0
// One quantity of all runs in one plot.
import uPlot from 'uplot';
import { runStyle } from '../core/run_colours';
import type { ShownRuns } from '../core/shown_runs';
import type { Chip } from './chips';
import { largestSize, toColumn, type Column } from './columns';
import { firstAlike, type TimeCurve } from './same_curves';

export interface RunCurve extends TimeCurve {
  name: string;
  finished: boolean;
  family?: string;
}

export type PlotData = [Column, ...Column[]];

export interface RunCurves {
  data: PlotData;
  chips: Chip[];
  /** The size from which on values leave the picture; undefined where nothing needs to be cut. */
  limit: number | undefined;
}

/** Runs with different steps share one list of times, with gaps. */
export function joinTables(tables: [ArrayLike<number>, ...ArrayLike<number>[]][]): PlotData {
  return uPlot.join(tables.map((table) => table.map(toColumn) as unknown as uPlot.AlignedData)) as unknown as PlotData;
}

/** Those that finished set scales; where none did, all. */
function scaling(curves: RunCurve[]): RunCurve[] {
  const finished = curves.filter((curve) => curve.finished);
  return finished.length > 0 ? finished : curves;
}

function spanOf(curves: RunCurve[]): number {
  let low = Infinity, high = -Infinity;
  for (const { values } of scaling(curves)) {
    for (const value of toColumn(values)) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return high > low ? high - low : 0;
}

function limitOf(curves: RunCurve[]): number | undefined {
  const size = (some: RunCurve[]): number => largestSize(some.map(({ values }) => toColumn(values)));
  const limit = 2 * size(curves.filter((curve) => curve.finished));
  return limit > 0 && size(curves) > limit ? limit : undefined;
}

export function runCurves(curves: RunCurve[], shown: ShownRuns): RunCurves {
  const alike = firstAlike(curves, spanOf(curves));
  const chips = curves.map(({ name, family, times, values }, i): Chip => ({
    series: { label: name, ...runStyle(i, curves.length), width: 1.8, show: shown.isShown(i) },
    times, values,
    ...(family === undefined ? {} : { family }),
    ...(alike[i] === i ? {} : { sameAs: curves[alike[i]].name }),
  }));
  return { data: joinTables(curves.map(({ times, values }) => [times, values])), chips, limit: limitOf(curves) };
}
