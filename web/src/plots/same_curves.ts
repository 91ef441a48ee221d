// SPDX-License-Identifier: Apache-2.0
// Curves that lie on each other: a legend has to say so, since only the last one is seen.
import { nearestIndex } from '../play/nearest';

export interface TimeCurve {
  times: ArrayLike<number>;
  values: ArrayLike<number>;
}

/** About the width of a line, as a part of the height of a plot. */
const SAME = 0.005;

function coincide(a: TimeCurve, b: TimeCurve, allowed: number): boolean {
  const last = a.times.length - 1;
  if (last < 0 || b.times.length === 0) return false;
  if (Math.abs(a.times[last] - b.times[b.times.length - 1]) > 1e-9 * Math.abs(a.times[last])) return false;
  for (let i = 0; i <= last; ++i) {
    const other = b.values[nearestIndex(b.times, a.times[i])];
    if (Number.isFinite(a.values[i]) !== Number.isFinite(other)) return false;
    if (Math.abs(a.values[i] - other) > allowed) return false;
  }
  return true;
}

/** For every curve the number of the first one that it coincides with, itself if there is none. */
export function firstAlike(curves: TimeCurve[], span: number): number[] {
  const first: number[] = [];
  curves.forEach((curve, i) => {
    const same = curves.findIndex((other, k) => k < i && first[k] === k && coincide(curve, other, SAME * span));
    first.push(same < 0 ? i : same);
  });
  return first;
}
