// SPDX-License-Identifier: Apache-2.0
// Modes of vibration and their frequencies.
import { formatNumber } from '../core/number_format';
import { unitFor } from '../core/units';
import type { Run } from '../format/report';
import { panel } from './panel';
import { plainTable } from './table';

/** Null for what is no directory of modes. */
export function createModesPanel({ modes }: Run): HTMLElement | null {
  if (modes.rows === 0) return null;
  const [numbers, kinds] = [modes.numbers('mode'), modes.texts('kind')];
  const columns = [
    { title: 'Mode' }, { title: 'Kind' }, { title: `Frequency [1/${unitFor('s')}]`, numeric: true }, { title: `ω [rad/${unitFor('s')}]`, numeric: true },
    { title: 'Residual, relative', numeric: true }, { title: 'Damping ratio', numeric: true },
  ];
  const rows = kinds.map((kind, i) => [
    kind === 'rigid' ? 'rigid' : `mode ${numbers[i]}`, kind,
    ...['frequency', 'omega', 'residual', 'damping_ratio'].map((name) => formatNumber(modes.numbers(name)[i])),
  ]);
  return panel('modes', 'Modes', 'from the lowest', plainTable('Modes', columns, rows));
}
