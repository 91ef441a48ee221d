// SPDX-License-Identifier: Apache-2.0
// All runs in one table, a row each, and the place where runs are hidden and shown.
import { h } from '../core/dom';
import { numberAt, textAt } from '../core/json';
import { formatCount, formatNumber, MISSING, prettyUnit } from '../core/number_format';
import { runStyle } from '../core/run_colours';
import type { ShownRuns } from '../core/shown_runs';
import { unitFor } from '../core/units';
import type { Report, Run } from '../format/report';
import { lineSample } from '../plots/line_sample';
import { addControl, panel } from './panel';
import { families, numericalLoss, runOfRow, secondsWithoutOutput } from './run_numbers';
import { isNumeric, parametersOf, titleWithUnit, valueOf } from './run_parameters';
import { redoneSteps, statusOf } from './run_status';
import { createTable, type TableCell, type TableColumn } from './table';

const DIGITS = 3;

/** Error of every run, null where there is none. */
function errorsOf(report: Report): (number | null)[] {
  const errors = report.runs.map((): number | null => null);
  for (const row of report.errors?.rows ?? []) {
    const run = runOfRow(row, report.runs);
    if (run >= 0) errors[run] = row.error;
  }
  return errors;
}

function nameCell(run: Run, i: number, report: Report, shown: ShownRuns): HTMLElement {
  const box = h('input', { type: 'checkbox', 'aria-label': `Show ${run.name}` });
  box.addEventListener('change', () => shown.toggle(i));
  const sample = lineSample(runStyle(i, report.runs.length));
  const name = h('button', { type: 'button', class: 'run-name', title: `Show only ${run.name}; once more shows all` }, run.label);
  name.addEventListener('click', () => (shown.hidden.value.size === shown.count - 1 && shown.isShown(i) ? shown.all() : shown.only(i)));
  shown.hidden.watch((hidden) => {
    box.checked = shown.isShown(i);
    box.disabled = box.checked && hidden.size === shown.count - 1;
  });
  return h('span', { class: 'run-cell' }, box, sample, name);
}

export function createComparisonPanel(report: Report, shown: ShownRuns): HTMLElement {
  const { runs } = report;
  const errors = errorsOf(report);
  const parameters = parametersOf(runs);
  const metre = prettyUnit(unitFor('m')), joule = prettyUnit(unitFor('J')), second = unitFor('s');
  const columns: TableColumn[] = [
    { title: 'Run' },
    ...parameters.map((parameter) => ({
      title: titleWithUnit(parameter.name, parameter.unit), hint: parameter.path, numeric: isNumeric(parameter, runs),
    })),
    ...(report.errors ? [{ title: `Error [${metre}]`, numeric: true }] : []),
    { title: `Numerical loss, max [${joule}]`, numeric: true },
    { title: 'Time without output [s]', numeric: true },
    { title: `Step [${second}]`, numeric: true },
    { title: 'Steps', numeric: true }, { title: 'Rejected', numeric: true }, { title: 'Redone', numeric: true },
    ...(runs.some((run) => statusOf(run) !== 'finished') ? [{ title: 'Status' }, { title: 'Ended' }] : []),
  ];
  const number = (value: number | null): string => formatNumber(value, DIGITS);
  const row = (run: Run, i: number): TableCell[] => {
    const status = statusOf(run);
    const reason = status === 'finished' ? '' : (textAt(run.manifest, 'reason') || MISSING);
    const cells: TableCell[] = [nameCell(run, i, report, shown)];
    for (const parameter of parameters) {
      const value = valueOf(run, parameter) ?? MISSING;
      cells.push({ text: value, class: 'parameter', hint: value });
    }
    if (report.errors) cells.push(status === 'finished' ? number(errors[i]) : { text: status, class: `status ${status}` });
    cells.push(
      number(numericalLoss(run)), number(secondsWithoutOutput(run)), number(numberAt(run.manifest, 'dt')),
      formatCount(numberAt(run.manifest, 'steps', 'accepted')), formatCount(numberAt(run.manifest, 'steps', 'rejected')), formatCount(redoneSteps(run)),
      { text: status, class: `status ${status}` },
      { text: reason, class: 'reason', hint: reason },
    );
    return cells.slice(0, columns.length);
  };
  const grouped = families(runs);
  const groups = grouped?.map(({ method, runs: members }) => ({ title: method, rows: members.map((i) => row(runs[i], i)) }));
  const table = createTable('Comparison of the runs', columns, groups ?? [{ title: null, rows: runs.map(row) }]);
  table.classList.add('comparison');
  table.classList.toggle('swept', parameters.length > 0);
  const rows = [...table.querySelectorAll('tbody tr:not(.family)')];
  const order = grouped?.flatMap((family) => family.runs) ?? runs.map((_, i) => i);
  const count = h('span', { class: 'muted' });
  const all = h('button', { type: 'button', class: 'text-button' }, 'Show all');
  all.addEventListener('click', () => shown.all());
  shown.hidden.watch((hidden) => {
    rows.forEach((element, place) => element.classList.toggle('hidden-run', hidden.has(order[place])));
    count.textContent = hidden.size > 0 ? `${runs.length - hidden.size} of ${runs.length} runs shown` : `${runs.length} runs`;
    all.hidden = hidden.size === 0;
  });
  const element = panel('comparison', 'Comparison', null, table, h(
    'p', { class: 'plot-note muted' },
    'A tick shows a run everywhere on this page, a click on its name shows it alone. ',
    report.errors ? 'Error: root-mean-square distance to the reference over vertices and frames, not relative. ' : '',
    'Numerical loss: the largest by size, not relative; negative where energy was made. Time: wall time minus that for files and the ledger.',
  ));
  element.querySelector('.panel-head')?.append(count);
  addControl(element, all);
  return element;
}
