// SPDX-License-Identifier: Apache-2.0
// Numbers by which runs are compared, and which of them belong together.
import { numberAt, textAt } from '../core/json';
import type { ErrorRow } from '../format/packed';
import type { Run } from '../format/report';

/** Wall time without what went into files and the ledger: what the method itself took [s]. */
export function secondsWithoutOutput(run: Run): number | null {
  const wall = numberAt(run.manifest, 'seconds', 'wall');
  return wall === null ? null : Math.max(0, wall - (numberAt(run.manifest, 'seconds', 'output') ?? 0));
}

/** The numerical loss that was largest by size; negative: energy was made. Older runs have its size only. */
export function numericalLoss(run: Run): number | null {
  return numberAt(run.manifest, 'energy', 'drift') ?? numberAt(run.manifest, 'energy', 'drift_max');
}

/** The method of a run. */
export function methodOf(run: Run): string {
  return textAt(run.manifest, 'integrator', 'name') ?? run.name;
}

/** Number of the run that a row of errors is about; -1: it is not in this report. */
export function runOfRow(row: ErrorRow, runs: Run[]): number {
  if (row.run) return runs.findIndex((run) => run.name === row.run);
  return runs.findIndex((run) => methodOf(run) === row.integrator && numberAt(run.manifest, 'dt') === row.dt);
}

export interface Family {
  method: string;
  /** Numbers of its runs. */
  runs: number[];
}

/** Runs of one method with several step sizes; null where no method has several, and in a sweep, whose values say more. */
export function families(runs: Run[]): Family[] | null {
  if (runs.some((run) => run.parameters.length > 0)) return null;
  const found: Family[] = [];
  runs.forEach((run, i) => {
    const method = methodOf(run);
    const family = found.find((one) => one.method === method);
    if (family) family.runs.push(i);
    else found.push({ method, runs: [i] });
  });
  return found.length < runs.length ? found : null;
}
