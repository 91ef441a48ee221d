// SPDX-License-Identifier: Apache-2.0
// Energies over time: all terms of one run, or one term of all runs.
import uPlot from 'uplot';
import { h } from '../core/dom';
import { unitFor } from '../core/units';
import { runStyle } from '../core/run_colours';
import type { Report, Run } from '../format/report';
import type { Clock } from '../play/clock';
import { createChips, type Chip } from '../plots/chips';
import { isAllZero, largestSize, spansManyMagnitudes, toColumn, type Column } from '../plots/columns';
import { firstAlike } from '../plots/same_curves';
import { TimePlot, type YScale } from '../plots/time_plot';
import { energyColumns } from './energy_columns';
import { addControl, panel } from './panel';
import { statusOf } from './run_status';
import { createSelect } from './select';

const HEIGHT = 250;

interface Curves {
  data: [Column, ...Column[]];
  chips: Chip[];
  description: string;
}

function termsOfRun(run: Run): Curves {
  const times = run.energy.numbers('t');
  const chips = energyColumns(run.energy).map((column): Chip => {
    const values = run.energy.numbers(column.name);
    const { title: label, colour, width, dash, shape } = column;
    return { series: { label, colour, width, dash, ...(shape ? { shape } : {}), show: !isAllZero(values) }, times, values };
  });
  const data: Curves['data'] = [toColumn(times), ...chips.map((chip) => toColumn(chip.values))];
  return { data, chips, description: `Energies of ${run.name} over time` };
}

function termOfRuns(runs: Run[], name: string): Curves {
  const curves = runs.map((run) => ({ times: run.energy.numbers('t'), values: run.energy.numbers(name) }));
  const alike = firstAlike(curves, spanOf(runs, name));
  const chips = runs.map((run, i): Chip => ({
    series: { label: run.name, ...runStyle(i, runs.length), width: 1.8, show: true },
    ...curves[i],
    ...(alike[i] === i ? {} : { sameAs: runs[alike[i]].name }),
  }));
  const tables = chips.map((chip): uPlot.AlignedData => [toColumn(chip.times) as number[], toColumn(chip.values)]);
  const data = uPlot.join(tables) as unknown as Curves['data'];
  return { data, chips, description: `${name} of all runs over time` };
}

/** What the axis spans; runs that did not finish are left out where others did. */
function spanOf(runs: Run[], name: string): number {
  const finished = runs.filter((run) => statusOf(run) === 'finished');
  const columns = (finished.length > 0 ? finished : runs).map((run) => toColumn(run.energy.numbers(name)));
  const values = columns.flat().filter((value): value is number => value !== null);
  const [low, high] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
  return high > low ? high - low : 0;
}

/**
 * Runs that finished set the scale: the size from which on the others leave the picture. Undefined
 * where nothing needs to be cut.
 */
function limitOf(runs: Run[], name: string): number | undefined {
  const sizes = (some: Run[]): number => largestSize(some.map((run) => toColumn(run.energy.numbers(name))));
  const finished = runs.filter((run) => statusOf(run) === 'finished');
  const limit = 2 * sizes(finished);
  return limit > 0 && sizes(runs) > limit ? limit : undefined;
}

export interface EnergyPanel {
  element: HTMLElement;
  /** The plot on show, for tests. */
  current(): { plot: TimePlot; chips: Chip[] } | null;
}

export function createEnergyPanel(report: Report, clock: Clock | null): EnergyPanel {
  const { runs } = report;
  const compare = report.mode === 'compare' && runs.length > 1;
  const body = h('div', {});
  const element = panel('energy', 'Energy', `${unitFor('J')} over ${unitFor('s')}`, body);
  let current: { plot: TimePlot; chips: Chip[] } | null = null;

  if (runs.every((run) => run.energy.rows === 0)) {
    body.append(h('p', { class: 'empty' }, 'The energy ledger is empty.'));
    return { element, current: () => null };
  }

  let column = 'total';
  let scale: YScale | null = null;

  const show = (): void => {
    const { data, chips, description } = compare ? termOfRuns(runs, column) : termsOfRun(runs[0]);
    const shown = data.slice(1).filter((_, i) => chips[i].series.show);
    const limit = compare ? limitOf(runs, column) : undefined;
    const yScale = scale ?? (limit === undefined && spansManyMagnitudes(shown) ? 'signed-log' : 'linear');
    current?.plot.destroy();
    const plot = new TimePlot({ data, series: chips.map((chip) => chip.series), yScale, limit, height: HEIGHT, description, clock });
    current = { plot, chips };
    body.replaceChildren(plot.element, createChips(chips, plot, clock));
    logBox.checked = yScale !== 'linear';
    if (limit !== undefined && yScale === 'linear') {
      body.append(h('p', { class: 'empty' }, 'The scale is that of the runs that finished; the log scale shows all values.'));
    }
  };

  const logBox = h('input', { type: 'checkbox' });
  logBox.addEventListener('change', () => {
    scale = logBox.checked ? 'signed-log' : 'linear';
    show();
  });
  if (compare) {
    const names = new Map(runs.flatMap((run) => energyColumns(run.energy)).map((c) => [c.name, c.title]));
    const filled = [...names].filter(([name]) => name === 'total' || runs.some((run) => run.energy.has(name) && !isAllZero(run.energy.numbers(name))));
    addControl(element, createSelect('Term', filled.map(([value, text]) => ({ value, text })), column, (value) => {
      column = value;
      scale = null;
      show();
    }));
  }
  addControl(element, h('label', { class: 'check', title: 'Logarithmic on both sides of zero' }, logBox, 'log'));
  show();
  return { element, current: () => current };
}
