// SPDX-License-Identifier: Apache-2.0
// Labels of axes: as many digits as the distance of the ticks needs, no more.
import { formatNumber, formatPower } from '../core/number_format';

type Ticks = (number | null)[];

function label(ticks: Ticks, write: (value: number) => string): string[] {
  return ticks.map((tick) => (tick === null ? '' : tick === 0 ? '0' : write(tick)));
}

/** Fewest decimals that write `step` exactly: 1 for 2.5, 2 for 0.25. */
function decimalsOf(step: number): number {
  let decimals = 0;
  while (decimals < 12 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6 * step * 10 ** decimals) ++decimals;
  return decimals;
}

export function axisText(ticks: Ticks, increment: number): string[] {
  const largest = Math.max(0, ...ticks.map((tick) => Math.abs(tick ?? 0)));
  const step = increment > 0 ? increment : largest || 1;
  if (largest >= 1e5 || (largest > 0 && largest < 1e-3)) {
    const digits = Math.min(12, Math.max(1, Math.ceil(Math.log10(largest / step) - 1e-9) + 1));
    return label(ticks, (value) => formatPower(value, digits));
  }
  const decimals = decimalsOf(step);
  return label(ticks, (value) => (Number(value.toFixed(decimals)) === 0 ? '0' : value.toFixed(decimals).replace(/^-/, '−')));
}

/** For axes whose steps are not equal. */
export function powerText(ticks: Ticks): string[] {
  const plain = ticks.every((tick) => tick === null || tick === 0 || (Math.abs(tick) >= 1e-3 && Math.abs(tick) < 1e5));
  return label(ticks, (value) => (plain ? formatNumber(value, 2) : formatPower(value, 2)));
}
