// SPDX-License-Identifier: Apache-2.0
// Which columns of energy.csv are energies, how they look, and what they are counted from.
import { SHAPES } from '../core/run_colours';
import { unitFor } from '../core/units';
import type { Table } from '../format/csv';
import type { Run } from '../format/report';
import { isAllZero } from '../plots/columns';
import type { Curve, CurveGroup } from './curve_group';

type Look = Omit<Curve, 'of'>;

const DASH = [6, 4];

/** Stored energies are solid, sums since the start are dashed. */
const KNOWN: Look[] = [
  { name: 'kinetic', title: 'kinetic', colour: '--energy-kinetic' },
  { name: 'elastic', title: 'elastic', colour: '--energy-elastic' },
  { name: 'gravity', title: 'gravity, change since t = 0', colour: '--energy-gravity' },
  { name: 'contact', title: 'contact', colour: '--energy-contact' },
  { name: 'total', title: 'total', colour: '--ink', width: 2.2 },
  { name: 'external_work', title: 'external work', colour: '--energy-kinetic', dash: DASH },
  { name: 'damping_loss', title: 'damping loss', colour: '--energy-elastic', dash: DASH },
  { name: 'friction_loss', title: 'friction loss', colour: '--energy-gravity', dash: DASH },
  { name: 'plastic_loss', title: 'plastic loss', colour: '--energy-contact', dash: DASH },
  { name: 'numerical_loss', title: 'numerical loss', colour: '--energy-numerical', dash: DASH },
];

const NOT_ENERGIES = new Set(['step', 't', 'px', 'py', 'pz', 'lx', 'ly', 'lz']);

/** The zero of gravity is that of the coordinates: it and what contains it count from the start. */
const WITH_GRAVITY = new Set(['gravity', 'total']);

function energies(table: Table, name: string): Float64Array {
  const values = table.numbers(name);
  if (!WITH_GRAVITY.has(name) || !table.has('gravity')) return values;
  const start = table.numbers('gravity')[0];
  return Number.isFinite(start) ? values.map((value) => value - start) : values;
}

/** In the order of the file. A later version may append terms that are not known here. */
export function energyCurves(tables: Table[]): Curve[] {
  const names = [...new Set(tables.flatMap((table) => table.names))].filter((name) => !NOT_ENERGIES.has(name));
  let others = 0;
  return names.map((name): Curve => {
    const look = KNOWN.find((column) => column.name === name)
      ?? { name, title: name.replace(/_/g, ' '), colour: '--energy-other', dash: [2, 3], shape: SHAPES[others++ % SHAPES.length] };
    return { ...look, of: ({ energy }) => ({ times: energy.numbers('t'), values: energies(energy, name) }) };
  });
}

export function energyGroup(runs: Run[]): CurveGroup {
  const weighs = runs.some(({ energy }) => energy.has('gravity') && !isAllZero(energy.numbers('gravity')));
  return {
    name: 'energy', title: 'Energy', quantity: 'energy', unit: unitFor('J'), curves: energyCurves(runs.map((run) => run.energy)),
    ...(weighs ? { note: 'The zero of gravity is arbitrary: it counts from t = 0, and so does its part in the total.' } : {}),
  };
}
