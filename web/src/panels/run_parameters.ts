// SPDX-License-Identifier: Apache-2.0
// What the runs of a sweep were made with: names, units and numbers of their parameters.
import { prettyUnit } from '../core/number_format';
import { unitFor } from '../core/units';
import { parseNumber } from '../format/csv';
import type { Run } from '../format/report';

export interface Parameter {
  /** The place in the scene, as dotted path or JSON pointer. */
  path: string;
  /** The end of the path, as long as that tells it from the others. */
  name: string;
  /** Empty where there is none or it is not known. */
  unit: string;
}

function partsOf(path: string): string[] {
  return path.split(/[./]/).filter((part) => part !== '' && !/^\d+$/.test(part));
}

/** What is named by a name is called after the thing: integrator.name is the integrator. */
function keyOf(path: string): string {
  const parts = partsOf(path);
  return (parts.length > 1 && parts.at(-1) === 'name' ? parts.at(-2) : parts.at(-1)) ?? path;
}

/** In SI, by the parts of the path. */
const UNITS: [RegExp, string][] = [
  [/(^| )young$/, 'Pa'], [/(^| )density$/, 'kg/m^3'], [/^time (dt|end)$/, 's'], [/^output fps$/, '1/s'],
  [/(^| )damping mass$/, '1/s'], [/(^| )damping stiffness$/, 's'], [/(^| )generator size$/, 'm'],
];

function unitOf(path: string): string {
  const parts = partsOf(path).join(' ');
  return unitFor(UNITS.find(([place]) => place.test(parts))?.[1] ?? '');
}

/** As axes and columns have it. */
export function titleWithUnit(name: string, unit: string): string {
  return unit === '' ? name : `${name} [${prettyUnit(unit)}]`;
}

/** In the order of the report. */
export function parametersOf(runs: Run[]): Parameter[] {
  const paths = [...new Set(runs.flatMap((run) => run.parameters.map(({ name }) => name)))];
  return paths.map((path) => {
    const key = keyOf(path);
    const isUnique = paths.filter((other) => keyOf(other) === key).length === 1;
    return { path, name: isUnique ? key : path, unit: unitOf(path) };
  });
}

/** As it was given; null where this run has no such parameter. */
export function valueOf(run: Run, { path }: Parameter): string | null {
  return run.parameters.find(({ name }) => name === path)?.value ?? null;
}

/** Whether all its values are finite numbers. */
export function isNumeric(parameter: Parameter, runs: Run[]): boolean {
  return runs.every((run) => Number.isFinite(parseNumber(valueOf(run, parameter) ?? '0')));
}
