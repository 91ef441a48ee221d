// SPDX-License-Identifier: Apache-2.0
// Numbers for people: few digits, SI prefixes where they read well, a dash where there is nothing.

import { unitFor } from './units';

export const MISSING = '–';

const SUPERSCRIPTS: Record<string, string> = { '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹' };

function superscript(text: string): string {
  return [...text].map((c) => SUPERSCRIPTS[c] ?? c).join('');
}

/** Up to `digits` significant digits; powers of ten outside 1e-3 .. 1e6. */
export function formatNumber(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return MISSING;
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) return formatPower(value, digits);
  return String(Number(value.toPrecision(digits))).replace(/^-/, '−');
}

/** Always with a power of ten: 2.5·10⁻⁷. */
export function formatPower(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  const power = `10${superscript(String(Number(exponent)))}`;
  const factor = Number(mantissa);
  if (Math.abs(factor) === 1) return factor < 0 ? `−${power}` : power;
  return `${String(factor).replace(/^-/, '−')}·${power}`;
}

/** A count with thin gaps between thousands. */
export function formatCount(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009').replace(/^-/, '−');
}

/** "J/m^3" as "J/m³". */
export function prettyUnit(unit: string): string {
  return unit.replace(/\^(-?\d+)/g, (_, power: string) => superscript(power)).replace(/\*/g, '·');
}

const PREFIXES: [number, string][] = [
  [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'],
];

// A prefix goes in front of the first unit only; "km/s" or "ms" of minutes would only confuse.
const PREFIXABLE = /^(Pa|J|W|N)(\/|$)|^s$/;

/** Factor and unit in which `size` has one to three digits before the point. */
export function scaledUnit(size: number, unit: string): { factor: number; unit: string } {
  const pretty = prettyUnit(unit);
  if (!PREFIXABLE.test(unit) || !Number.isFinite(size) || size === 0) return { factor: 1, unit: pretty };
  const magnitude = Math.abs(size);
  for (const [factor, prefix] of PREFIXES) {
    // "ks" is nobody's unit.
    if (unit === 's' && factor > 1) continue;
    if (magnitude >= factor * 0.9995) return { factor, unit: prefix + pretty };
  }
  return { factor: 1, unit: pretty };
}

export function formatQuantity(value: number | null | undefined, unit: string, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return MISSING;
  const scaled = scaledUnit(value, unit);
  return `${formatNumber(value / scaled.factor, digits)}\u202f${scaled.unit}`;
}

/** A moment of the simulation, always in one unit so that moments can be compared. */
export function formatTime(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? MISSING : `${formatNumber(seconds)}\u202f${unitFor('s')}`;
}

export function formatPercent(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '<0.1\u202f%';
  return `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)}\u202f%`;
}
