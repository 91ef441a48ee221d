// SPDX-License-Identifier: Apache-2.0
// Quantities over time: all curves of a group for one run, or one of them for all runs.
import { h } from '../core/dom';
import { prettyUnit } from '../core/number_format';
import type { ShownRuns } from '../core/shown_runs';
import type { Report, Run } from '../format/report';
import type { Clock } from '../play/clock';
import { createChips, type Chip } from '../plots/chips';
import { spansManyMagnitudes, toColumn } from '../plots/columns';
import { runCurves, type PlotData } from '../plots/run_curves';
import { TimePlot, type YScale } from '../plots/time_plot';
import { splitZero, type Curve, type CurveGroup } from './curve_group';
import { addControl, panel } from './panel';
import { families } from './run_numbers';
import { statusOf } from './run_status';
import { createSelect } from './select';

const HEIGHT = 260;

export interface CurvesPanel {
  element: HTMLElement;
  /** The plot on show, for tests. */
  current(): { plot: TimePlot; chips: Chip[] } | null;
}

interface Shown {
  data: PlotData;
  chips: Chip[];
  limit: number | undefined;
  description: string;
}

function groupOfRun(run: Run, group: CurveGroup, curves: Curve[]): Shown {
  const chips = curves.map(({ title, colour, width = 1.5, dash = [], shape, of }): Chip => ({
    series: { label: title, colour, width, dash, ...(shape ? { shape } : {}), show: true }, ...of(run),
  }));
  const data: PlotData = [toColumn(chips[0]?.times ?? []), ...chips.map((chip) => toColumn(chip.values))];
  return { data, chips, limit: undefined, description: `${group.title} of ${run.name} over time` };
}

function curveOfRuns(report: Report, curve: Curve, shown: ShownRuns): Shown {
  const { runs } = report;
  const grouped = families(runs);
  const curves = runs.map((run, i) => {
    const family = grouped?.find((one) => one.runs.includes(i))?.method;
    return { name: run.label, finished: statusOf(run) === 'finished', ...(family === undefined ? {} : { family }), ...curve.of(run) };
  });
  return { ...runCurves(curves, shown), description: `${curve.title} of all runs over time` };
}

export interface CurvesOptions {
  id: string;
  title: string;
  groups: CurveGroup[];
  /** Curve that a comparison begins with. */
  first: string;
  /** Where there is nothing to draw. */
  empty: string;
}

export function createCurvesPanel(report: Report, clock: Clock | null, shown: ShownRuns, options: CurvesOptions): CurvesPanel {
  const { groups, first, empty } = options;
  const { runs } = report;
  const compare = report.mode === 'compare' && runs.length > 1;
  const body = h('div', {});
  const element = panel(options.id, options.title, null, body);
  let current: { plot: TimePlot; chips: Chip[] } | null = null;
  let group = groups[0];
  let curveName = first;
  let scale: YScale | null = null;

  const logBox = h('input', { type: 'checkbox' });
  logBox.addEventListener('change', () => {
    scale = logBox.checked ? 'signed-log' : 'linear';
    show();
  });
  const curveControl = h('span', {});

  const show = (): void => {
    const { filled, zero } = splitZero(group.curves, runs);
    current?.plot.destroy();
    current = null;
    const curve = filled.find(({ name }) => name === curveName) ?? filled[0];
    curveControl.replaceChildren();
    if (!curve) {
      const isEmpty = runs.every((run) => group.curves.every((one) => one.of(run).times.length === 0));
      body.replaceChildren(h('p', { class: 'empty' }, isEmpty ? empty : `${group.title}: zero throughout.`));
      return;
    }
    if (compare) {
      curveControl.append(createSelect('Term', filled.map(({ name, title }) => ({ value: name, text: title })), curve.name, (value) => {
        curveName = value;
        scale = null;
        show();
      }));
    }
    const { data, chips, limit, description } = compare ? curveOfRuns(report, curve, shown) : groupOfRun(runs[0], group, filled);
    const yScale = scale ?? (limit === undefined && spansManyMagnitudes(data.slice(1)) ? 'signed-log' : 'linear');
    const yLabel = `${compare && group.curves.length > 1 ? curve.title : group.quantity} [${prettyUnit(group.unit)}]`;
    const plot = new TimePlot({ data, series: chips.map((chip) => chip.series), yScale, limit, height: HEIGHT, yLabel, description, clock });
    current = { plot, chips };
    body.replaceChildren(plot.element, createChips(chips, plot, clock, compare ? shown : null));
    logBox.checked = yScale !== 'linear';
    const notes = [
      limit !== undefined && yScale === 'linear' ? 'The scale is that of the runs that finished; the log scale shows all values.' : '',
      group.note ?? '',
      zero.length > 0 ? `Zero throughout: ${zero.join(', ')}.` : '',
    ].filter(Boolean);
    if (notes.length > 0) body.append(h('p', { class: 'plot-note muted' }, notes.join(' ')));
  };

  if (groups.length > 1) {
    addControl(element, createSelect('Show', groups.map(({ name, title }) => ({ value: name, text: title })), group.name, (value) => {
      group = groups.find(({ name }) => name === value) ?? group;
      scale = null;
      show();
    }));
  }
  if (compare) addControl(element, curveControl);
  addControl(element, h('label', { class: 'check', title: 'Logarithmic on both sides of zero' }, logBox, 'log'));
  show();
  return { element, current: () => current };
}
