// SPDX-License-Identifier: Apache-2.0
// Numbers that a run ended with, for plots over the parameters of a sweep.
import { numberAt } from '../core/json';
import { unitFor } from '../core/units';
import type { Run } from '../format/report';
import { numericalLoss, secondsWithoutOutput } from './run_numbers';
import { probeNames } from './vector_curves';

export interface Result {
  name: string;
  /** Empty for counts. */
  unit: string;
  of(run: Run): number | null;
}

function lastOf(run: Run, column: string): number | null {
  const last = run.probes.numbers(column).at(-1);
  return last !== undefined && Number.isFinite(last) ? last : null;
}

export function resultsOf(runs: Run[]): Result[] {
  const count = (key: string) => (run: Run): number | null => numberAt(run.manifest, 'counts', key);
  return [
    { name: 'energy at the end', unit: unitFor('J'), of: (run) => numberAt(run.manifest, 'energy', 'final') },
    { name: 'numerical loss, max', unit: unitFor('J'), of: numericalLoss },
    { name: 'time without output', unit: 's', of: secondsWithoutOutput },
    { name: 'Newton iterations', unit: '', of: count('newton') },
    { name: 'factorisations', unit: '', of: count('factorizations') },
    ...probeNames(runs.map((run) => run.probes)).flatMap((probe) => ['x', 'y', 'z'].map((axis): Result => ({
      name: `${probe}: ${axis} at the end`, unit: unitFor('m'), of: (run) => lastOf(run, `${probe}_${axis}`),
    }))),
  ];
}
