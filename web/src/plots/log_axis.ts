// SPDX-License-Identifier: Apache-2.0
// A logarithmic axis: range, ticks, position.

export interface LogAxis {
  low: number;
  high: number;
  ticks: number[];
  /** 0 at `low`, 1 at `high`. */
  share(value: number): number;
}

/** Zero and powers of ten on both sides, as many as can be told apart; `linear`: where the logarithm sets in. */
export function signedLogTicks(low: number, high: number, linear: number): number[] {
  const first = Math.ceil(Math.log10(linear));
  const last = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high), linear)));
  const both = low < 0 && high > 0;
  const stride = Math.max(1, Math.ceil((last - first + 1) / (both ? 3 : 6)));
  const ticks = [0];
  for (let power = last; power >= first; power -= stride) ticks.push(10 ** power, -(10 ** power));
  return ticks.filter((tick) => tick >= low && tick <= high).sort((a, b) => a - b);
}

const HEADROOM = 0.12;

export function logAxis(values: number[]): LogAxis {
  const logs = values.filter((value) => value > 0).map(Math.log10);
  let low = Math.min(...logs);
  let high = Math.max(...logs);
  if (logs.length === 0) [low, high] = [0, 1];
  // Less than a decade would leave the axis without a tick.
  const missing = Math.max(0, 1 - (high - low)) / 2;
  const room = HEADROOM * Math.max(1, high - low) + missing;
  low -= room;
  high += room;
  const decades = Math.floor(high) - Math.ceil(low) + 1;
  const factors = decades <= 2 ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil(decades / 8));
  const ticks: number[] = [];
  for (let power = Math.floor(low); power <= high; ++power) {
    if (power % stride !== 0) continue;
    for (const factor of factors) {
      const at = Math.log10(factor) + power;
      if (at >= low && at <= high) ticks.push(factor * 10 ** power);
    }
  }
  return { low: 10 ** low, high: 10 ** high, ticks, share: (value) => (Math.log10(value) - low) / (high - low) };
}
