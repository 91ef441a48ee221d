// SPDX-License-Identifier: Apache-2.0
// Which columns of energy.csv are energies, and how they look.
import { SHAPES } from '../core/run_colours';
import type { Table } from '../format/csv';

export interface EnergyColumn {
  name: string;
  title: string;
  colour: string;
  width: number;
  dash: number[];
  shape?: string;
}

const DASH = [6, 4];

/** Stored energies are solid, sums since the start are dashed. */
const KNOWN: EnergyColumn[] = [
  { name: 'kinetic', title: 'kinetic', colour: '--energy-kinetic', width: 1.5, dash: [] },
  { name: 'elastic', title: 'elastic', colour: '--energy-elastic', width: 1.5, dash: [] },
  { name: 'gravity', title: 'gravity', colour: '--energy-gravity', width: 1.5, dash: [] },
  { name: 'contact', title: 'contact', colour: '--energy-contact', width: 1.5, dash: [] },
  { name: 'total', title: 'total', colour: '--ink', width: 2.2, dash: [] },
  { name: 'external_work', title: 'external work', colour: '--energy-kinetic', width: 1.5, dash: DASH },
  { name: 'damping_loss', title: 'damping loss', colour: '--energy-elastic', width: 1.5, dash: DASH },
  { name: 'friction_loss', title: 'friction loss', colour: '--energy-gravity', width: 1.5, dash: DASH },
  { name: 'plastic_loss', title: 'plastic loss', colour: '--energy-contact', width: 1.5, dash: DASH },
  { name: 'numerical_loss', title: 'numerical loss', colour: '--energy-numerical', width: 1.5, dash: DASH },
];

const NOT_ENERGIES = new Set(['step', 't', 'px', 'py', 'pz', 'lx', 'ly', 'lz']);

/** In the order of the file. A later version may append terms that are not known here. */
export function energyColumns(table: Table): EnergyColumn[] {
  let others = 0;
  return table.names
    .filter((name) => !NOT_ENERGIES.has(name))
    .map((name) => KNOWN.find((column) => column.name === name)
      ?? { name, title: name.replace(/_/g, ' '), colour: '--energy-other', width: 1.5, dash: [2, 3], shape: SHAPES[others++ % SHAPES.length] });
}
