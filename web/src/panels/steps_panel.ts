// SPDX-License-Identifier: Apache-2.0
// How the steps went: their length, their iterations, and those that were thrown away.
import { h } from '../core/dom';
import { formatCount, formatNumber } from '../core/number_format';
import { unitFor } from '../core/units';
import type { Report, Run } from '../format/report';
import type { Clock } from '../play/clock';
import { createChips, type Chip } from '../plots/chips';
import { isAllZero, toColumn } from '../plots/columns';
import { joinTables } from '../plots/run_curves';
import { TimePlot, type YScale } from '../plots/time_plot';
import { addControl, panel } from './panel';
import { createSelect } from './select';
import { plainTable } from './table';

const HEIGHT = 150;
const ROWS_AT_FIRST = 50;
/** Step lengths that differ by more than this need a logarithmic axis. */
const WIDE_SPREAD = 20;

interface Attempts {
  t: number[];
  dt: number[];
  status: string[];
  newton: number[];
  krylov: number[];
  strain: number[];
}

function attempts(run: Run, accepted: boolean): Attempts {
  const { steps } = run;
  const status = steps.texts('status');
  const rows = status.map((_, i) => i).filter((i) => (status[i] === 'accepted') === accepted);
  const pick = (name: string): number[] => {
    const values = steps.numbers(name);
    return rows.map((i) => values[i]);
  };
  return { t: pick('t'), dt: pick('dt'), newton: pick('newton'), krylov: pick('krylov'), strain: pick('largest_strain'), status: rows.map((i) => status[i]) };
}

/** uPlot wants times in order; a rejected attempt ends later than the accepted one that follows it. */
function byTime(times: number[], values: number[]): [number[], number[]] {
  const order = times.map((_, i) => i).sort((a, b) => times[a] - times[b]);
  return [order.map((i) => times[i]), order.map((i) => values[i])];
}

function spreadScale(values: number[]): YScale {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return 'linear';
  const low = positive.reduce((a, b) => Math.min(a, b));
  const high = positive.reduce((a, b) => Math.max(a, b));
  return high / low > WIDE_SPREAD ? 'log' : 'linear';
}

function rejectedTable(rejected: Attempts): HTMLElement {
  const total = rejected.t.length;
  if (total === 0) return h('p', { class: 'empty' }, 'No step was rejected.');
  const columns = [{ title: `t [${unitFor('s')}]`, numeric: true }, { title: `dt [${unitFor('s')}]`, numeric: true }, { title: 'Status' }, { title: 'Newton', numeric: true }];
  const build = (rows: number): HTMLElement => plainTable(
    'Rejected steps', columns,
    rejected.t.slice(0, rows).map((t, i) => [
      formatNumber(t, 7), formatNumber(rejected.dt[i]), { text: rejected.status[i], class: 'status failed' }, formatCount(rejected.newton[i]),
    ]),
  );
  const box = h('div', { class: 'rejected' }, h('h3', {}, `Rejected steps (${formatCount(total)})`), build(ROWS_AT_FIRST));
  if (total > ROWS_AT_FIRST) {
    const more = h('button', { type: 'button', class: 'text-button' }, `Show all ${formatCount(total)}`);
    more.addEventListener('click', () => {
      box.querySelector('.table-frame')?.replaceWith(build(total));
      more.remove();
    });
    box.append(more);
  }
  return box;
}

export interface StepPlots {
  dt: TimePlot;
  iterations: TimePlot | null;
  strain: TimePlot | null;
}

export interface StepsPanel {
  element: HTMLElement;
  current(): StepPlots | null;
}

export function createStepsPanel(report: Report, clock: Clock | null): StepsPanel {
  const body = h('div', {});
  const element = panel('steps', 'Steps', null, body);
  let current: StepPlots | null = null;

  const show = (run: Run): void => {
    current?.dt.destroy();
    current?.iterations?.destroy();
    current?.strain?.destroy();
    current = null;
    if (run.steps.rows === 0) {
      body.replaceChildren(h('p', { class: 'empty' }, 'No step was attempted.'));
      return;
    }
    const accepted = attempts(run, true);
    const rejected = attempts(run, false);

    const chips: Chip[] = [
      { series: { label: `step dt [${unitFor('s')}]`, colour: '--energy-kinetic', stepped: true, show: true }, times: accepted.t, values: accepted.dt },
    ];
    if (rejected.t.length > 0) {
      const [times, values] = byTime(rejected.t, rejected.dt);
      chips.push({ series: { label: 'rejected', colour: '--bad', marks: true, show: true }, times, values });
    }
    const dt = new TimePlot({
      data: joinTables(chips.map((chip) => [chip.times, chip.values])),
      series: chips.map((chip) => chip.series), yScale: spreadScale([...accepted.dt, ...rejected.dt]), fromZero: true,
      height: HEIGHT, yLabel: `dt [${unitFor('s')}]`, description: `Length of the steps of ${run.name} over time`, clock,
    });

    const iterationChips: Chip[] = [
      { series: { label: 'Newton per step', colour: '--energy-elastic', width: 1.25, show: !isAllZero(accepted.newton) }, times: accepted.t, values: accepted.newton },
      { series: { label: 'Krylov per step', colour: '--energy-gravity', width: 1.25, show: !isAllZero(accepted.krylov) }, times: accepted.t, values: accepted.krylov },
    ];
    const iterated = iterationChips.some((chip) => chip.series.show);
    const iterations = iterated ? new TimePlot({
      data: [toColumn(accepted.t), ...iterationChips.map((chip) => toColumn(chip.values))],
      series: iterationChips.map((chip) => chip.series), yScale: 'linear', fromZero: true,
      height: HEIGHT, yLabel: 'per step', description: `Iterations per step of ${run.name} over time`, clock,
    }) : null;

    // Percent, of the spring that is furthest from rest; runs without springs have none.
    const percent = accepted.strain.map((strain) => 100 * strain);
    const strainChips: Chip[] = [
      { series: { label: 'largest strain, relative [%]', colour: '--energy-elastic', show: true }, times: accepted.t, values: percent },
    ];
    const strain = percent.some((value) => value > 0) ? new TimePlot({
      data: [toColumn(accepted.t), toColumn(percent)], series: strainChips.map((chip) => chip.series), yScale: 'linear', fromZero: true,
      height: HEIGHT, yLabel: 'relative [%]', description: `Largest strain of a spring of ${run.name} over time`, clock,
    }) : null;

    current = { dt, iterations, strain };
    body.replaceChildren(dt.element, createChips(chips, dt, clock));
    if (iterations) body.append(iterations.element, createChips(iterationChips, iterations, clock));
    else body.append(h('p', { class: 'empty' }, 'No iterations: no step needed Newton or Krylov.'));
    if (strain) body.append(strain.element, createChips(strainChips, strain, clock));
    body.append(rejectedTable(rejected));
  };

  const { runs } = report;
  if (runs.length > 1) {
    const options = runs.map((run, i) => ({ value: String(i), text: run.name }));
    addControl(element, createSelect('Run', options, '0', (value) => show(runs[Number(value)])));
  }
  show(runs[0]);
  return { element, current: () => current };
}
