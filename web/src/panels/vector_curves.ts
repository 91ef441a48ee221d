// SPDX-License-Identifier: Apache-2.0
// Vectors over time as curves: components and magnitude of what probes and momenta record.
import { unitFor } from '../core/units';
import type { Table } from '../format/csv';
import type { Run } from '../format/report';
import type { Curve, CurveGroup } from './curve_group';

const AXES = ['x', 'y', 'z'] as const;
const COLOURS = ['--axis-x', '--axis-y', '--axis-z'];

interface Vector {
  name: string;
  title: string;
  quantity: string;
  unit: string;
  /** Names of the columns of x, y and z. */
  columns: [string, string, string];
  table(run: Run): Table;
  /** From the value at the start on. */
  fromStart?: boolean;
  note?: string;
}

function component(table: Table, column: string, fromStart: boolean): Float64Array {
  const values = table.numbers(column);
  return fromStart ? values.map((value) => value - values[0]) : values;
}

export function magnitudes(columns: Float64Array[]): Float64Array {
  return columns[0].map((_, i) => Math.hypot(...columns.map((column) => column[i])));
}

function vectorGroup({ name, title, quantity, unit, columns, table, fromStart = false, note }: Vector): CurveGroup {
  const of = (run: Run, pick: (parts: Float64Array[]) => Float64Array): { times: Float64Array; values: Float64Array } => ({
    times: table(run).numbers('t'), values: pick(columns.map((column) => component(table(run), column, fromStart))),
  });
  const curves = AXES.map((axis, i): Curve => ({
    name: axis, title: `${quantity} ${axis}`, colour: COLOURS[i], of: (run) => of(run, (parts) => parts[i]),
  }));
  curves.push({ name: 'magnitude', title: `${quantity}, magnitude`, colour: '--ink', width: 2, dash: [6, 4], of: (run) => of(run, magnitudes) });
  return { name, title, quantity, unit, curves, ...(note === undefined ? {} : { note }) };
}

/** NAME of every probe of a table with the columns NAME_x, ..., NAME_vz. */
export function probeNames(tables: Table[]): string[] {
  const names = tables.flatMap((table) => table.names.filter((name) => name.endsWith('_x')).map((name) => name.slice(0, -2)));
  return [...new Set(names)];
}

export function probeGroups(runs: Run[]): CurveGroup[] {
  const table = (run: Run): Table => run.probes;
  return probeNames(runs.map(table)).flatMap((probe): CurveGroup[] => {
    const columns = (prefix: string): [string, string, string] => [`${probe}_${prefix}x`, `${probe}_${prefix}y`, `${probe}_${prefix}z`];
    const of = (quantity: string, si: string, prefix: string, more: Partial<Vector> = {}): CurveGroup => vectorGroup({
      name: `${probe} ${quantity}`, title: `${probe}: ${quantity}`, quantity, unit: unitFor(si), columns: columns(prefix), table, ...more,
    });
    return [
      of('displacement', 'm', '', { fromStart: true, note: 'Displacement is the change of the mean position since t = 0.' }),
      of('velocity', 'm/s', 'v'),
      of('position', 'm', ''),
    ];
  });
}

export function momentumGroups(): CurveGroup[] {
  const table = (run: Run): Table => run.energy;
  return [
    vectorGroup({ name: 'linear', title: 'Linear momentum', quantity: 'linear momentum', unit: unitFor('kg*m/s'), columns: ['px', 'py', 'pz'], table, note: 'Of the free vertices.' }),
    vectorGroup({ name: 'angular', title: 'Angular momentum', quantity: 'angular momentum', unit: unitFor('kg*m^2/s'), columns: ['lx', 'ly', 'lz'], table, note: 'Of the free vertices, about the origin.' }),
  ];
}
