// SPDX-License-Identifier: Apache-2.0
// Distance to a reference solution against its price.
import { h } from '../core/dom';
import { formatNumber, formatQuantity, prettyUnit } from '../core/number_format';
import { unitFor } from '../core/units';
import type { ErrorRow, Errors } from '../format/packed';
import { createWorkPrecision, workPrecisionLines } from '../plots/work_precision';
import { panel } from './panel';
import { createTable, type TableCell } from './table';

/** Why a row has no error: the run did not finish, or it shares no time with the reference. */
function missingError({ status }: ErrorRow): TableCell {
  return status === 'finished' ? 'no common time' : { text: status, class: `status ${status}` };
}

export function createErrorsPanel(errors: Errors): HTMLElement {
  const lines = workPrecisionLines(errors.rows);
  const drawable = lines.some((line) => line.points.length > 0);
  const columns = [
    { title: 'Integrator' }, { title: 'dt', numeric: true }, { title: `Error [${prettyUnit(unitFor('m'))}]`, numeric: true }, { title: 'Wall time', numeric: true },
  ];
  const rows = errors.rows.map((row): TableCell[] => [
    row.integrator, formatQuantity(row.dt, unitFor('s')),
    row.error === null ? missingError(row) : formatNumber(row.error),
    formatQuantity(row.seconds, 's', 3),
  ]);
  return panel(
    'errors', 'Work and precision', `reference: ${errors.reference}`,
    drawable ? createWorkPrecision(lines) : h('p', { class: 'empty' }, 'No run has an error to draw.'),
    createTable('Errors', columns, rows),
  );
}
