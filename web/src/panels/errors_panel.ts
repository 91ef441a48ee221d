// SPDX-License-Identifier: Apache-2.0
// Distance to a reference solution against its price.
import { h } from '../core/dom';
import { formatNumber, prettyUnit } from '../core/number_format';
import type { ShownRuns } from '../core/shown_runs';
import { unitFor } from '../core/units';
import type { ErrorRow, Errors } from '../format/packed';
import type { Run } from '../format/report';
import { costOf, createWorkPrecision, timeTitle, WALL, workPrecisionLines } from '../plots/work_precision';
import { panel } from './panel';
import { runOfRow } from './run_numbers';
import { plainTable, type TableCell } from './table';

/** Why a row has no error: the run did not finish, or it shares no time with the reference. */
function missingError({ status }: ErrorRow): TableCell {
  return status === 'finished' ? 'no common time' : { text: status, class: `status ${status}` };
}

export function createErrorsPanel(errors: Errors, runs: Run[], shown: ShownRuns): HTMLElement {
  const { rows } = errors;
  const runOf = rows.map((row) => runOfRow(row, runs));
  // Rows without a run in this report cannot be hidden.
  const isShown = (row: number): boolean => runOf[row] < 0 || shown.isShown(runOf[row]);
  const time = timeTitle(rows);
  const columns = [
    { title: rows.every((row) => row.run === row.integrator) ? 'Run' : 'Integrator' }, { title: `dt [${unitFor('s')}]`, numeric: true },
    { title: `Error [${prettyUnit(unitFor('m'))}]`, numeric: true }, { title: `${time} [s]`, numeric: true },
  ];
  const cells = rows.map((row): TableCell[] => [
    row.integrator, formatNumber(row.dt), row.error === null ? missingError(row) : formatNumber(row.error), formatNumber(costOf(row, rows), 3),
  ]);
  const table = plainTable('Errors', columns, cells);
  const elements = [...table.querySelectorAll<HTMLElement>('tbody tr')];
  const picture = h('div', {});
  shown.hidden.watch(() => {
    elements.forEach((element, i) => (element.hidden = !isShown(i)));
    const lines = workPrecisionLines(rows, runOf, runs.length, isShown);
    const drawable = lines.some((line) => line.points.length > 0);
    picture.replaceChildren(drawable ? createWorkPrecision(lines, time) : h('p', { class: 'empty' }, 'No run on show has an error to draw.'));
  });
  const note = 'Error: root-mean-square distance to the reference, not relative. '
    + (time === WALL ? 'Time: wall time with output; this report does not say how much that was.' : 'Time: wall time minus that for files and the ledger.');
  return panel('errors', 'Work and precision', `reference: ${errors.reference}`, picture, h('p', { class: 'plot-note muted' }, note), table);
}
