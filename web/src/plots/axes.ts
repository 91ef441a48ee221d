// SPDX-License-Identifier: Apache-2.0
// Axes of diagrams: range, ticks with their texts, position.
import { axisText, powerText } from './axis_text';
import { logAxis } from './log_axis';

export interface Axis {
  ticks: number[];
  /** One per tick. */
  labels: string[];
  /** From 0 to 1 along the axis. */
  share(value: number): number;
}

export function logarithmicAxis(values: number[]): Axis {
  const { ticks, share } = logAxis(values);
  return { ticks, labels: powerText(ticks), share };
}

const HEADROOM = 0.06;
const STEPS = 5;

export function linearAxis(values: number[]): Axis {
  let low = values.length > 0 ? Math.min(...values) : 0;
  let high = values.length > 0 ? Math.max(...values) : 1;
  const size = Math.max(Math.abs(low), Math.abs(high)) || 1;
  // Numbers that agree to rounding are one place in the middle.
  const room = high - low > 1e-12 * size ? HEADROOM * (high - low) : 0.1 * size;
  low -= room;
  high += room;
  const least = (high - low) / STEPS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= least) ?? 10 * power;
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; ++k) ticks.push(k * step);
  return { ticks, labels: axisText(ticks, step), share: (value) => (value - low) / (high - low) };
}

/** Positive numbers further apart than this are seen better by their powers. */
const WIDE = 20;

export function fittingAxis(values: number[]): Axis {
  const isWide = values.length > 0 && Math.min(...values) > 0 && Math.max(...values) > WIDE * Math.min(...values);
  return isWide ? logarithmicAxis(values) : linearAxis(values);
}

/** For words; value k is the k-th of them. */
export function categoryAxis(labels: string[]): Axis {
  return { ticks: labels.map((_, k) => k), labels, share: (value) => (value + 0.5) / labels.length };
}
