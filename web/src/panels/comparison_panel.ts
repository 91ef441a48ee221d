// SPDX-License-Identifier: Apache-2.0
// All runs in one table, a column each.
import { numberAt, textAt } from '../core/json';
import { formatCount, formatNumber, formatQuantity } from '../core/number_format';
import { runColour } from '../core/run_colours';
import { unitFor } from '../core/units';
import type { Report, Run } from '../format/report';
import { panel } from './panel';
import { redoneSteps, statusOf } from './run_status';
import { createTable, type TableCell } from './table';

type Row = [title: string, cell: (run: Run) => TableCell];

const count = (...path: string[]) => (run: Run): string => formatCount(numberAt(run.manifest, ...path));

const rowsOfTable = (): Row[] => [
  ['Status', (run) => ({ text: statusOf(run), class: `status ${statusOf(run)}` })],
  ['Ended', (run) => ({ text: textAt(run.manifest, 'reason') || '–', class: 'reason' })],
  ['Integrator', (run) => textAt(run.manifest, 'integrator', 'name') ?? '–'],
  ['Step', (run) => formatQuantity(numberAt(run.manifest, 'dt'), unitFor('s'))],
  ['Wall time', (run) => formatQuantity(numberAt(run.manifest, 'seconds', 'wall'), 's')],
  ['Steps accepted', count('steps', 'accepted')],
  ['Steps rejected', count('steps', 'rejected')],
  ['Steps redone', (run) => formatCount(redoneSteps(run))],
  ['Factorizations', count('counts', 'factorizations')],
  ['Solves', count('counts', 'solves')],
  ['Krylov iterations', count('counts', 'krylov')],
  ['Newton iterations', count('counts', 'newton')],
  [`Final energy [${unitFor('J')}]`, (run) => formatNumber(numberAt(run.manifest, 'energy', 'final'))],
  [`Energy drift, max [${unitFor('J')}]`, (run) => formatNumber(numberAt(run.manifest, 'energy', 'drift_max'))],
];

export function createComparisonPanel(report: Report): HTMLElement {
  const { runs } = report;
  const columns = runs.map((run, i) => ({ title: run.name, numeric: true, colour: runColour(i, runs.length) }));
  const rows = rowsOfTable().map(([title, cell]) => [title, ...runs.map(cell)]);
  return panel('comparison', 'Comparison', `${runs.length} runs`, createTable('Comparison of the runs', [{ title: '' }, ...columns], rows));
}
