// SPDX-License-Identifier: Apache-2.0
// Labels of axes: as many digits as it takes to write every tick as it is, no more. A rounded tick
// would be a wrong number.
import { formatNumber, formatPower } from '../core/number_format';

type Ticks = (number | null)[];

const MOST_DIGITS = 15;

function label(ticks: Ticks, write: (value: number) => string): string[] {
  return ticks.map((tick) => (tick === null ? '' : tick === 0 ? '0' : write(tick)));
}

/** Fewest decimals that write all of them to within `allowed`. */
function decimalsOf(values: number[], allowed: number): number {
  let decimals = 0;
  while (decimals < MOST_DIGITS && values.some((value) => Math.abs(Number(value.toFixed(decimals)) - value) > allowed)) ++decimals;
  return decimals;
}

/** Fewest significant digits that write all of them to within `allowed`. */
function digitsOf(values: number[], allowed: number): number {
  let digits = 1;
  while (digits < MOST_DIGITS && values.some((value) => Math.abs(Number(value.toPrecision(digits)) - value) > allowed)) ++digits;
  return digits;
}

/** `increment`: the distance of the ticks. */
export function axisText(ticks: Ticks, increment: number): string[] {
  const values = ticks.filter((tick): tick is number => tick !== null);
  const largest = Math.max(0, ...values.map(Math.abs));
  // Sums of increments are never exact.
  const allowed = 1e-6 * (increment > 0 ? increment : largest);
  if (largest >= 1e5 || (largest > 0 && largest < 1e-3)) {
    const digits = digitsOf(values, allowed);
    return label(ticks, (value) => formatPower(value, digits));
  }
  const decimals = decimalsOf(values, allowed);
  return label(ticks, (value) => (Number(value.toFixed(decimals)) === 0 ? '0' : value.toFixed(decimals).replace(/^-/, '−')));
}

/** For axes whose steps are not equal. */
export function powerText(ticks: Ticks): string[] {
  const values = ticks.filter((tick): tick is number => tick !== null);
  const plain = values.every((tick) => tick === 0 || (Math.abs(tick) >= 1e-3 && Math.abs(tick) < 1e5));
  const digits = Math.max(1, ...values.map((value) => digitsOf([value], 1e-6 * Math.abs(value))));
  return label(ticks, (value) => (plain ? formatNumber(value, digits) : formatPower(value, digits)));
}
