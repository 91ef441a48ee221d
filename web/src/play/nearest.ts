// SPDX-License-Identifier: Apache-2.0

/** Index of the value nearest to `x` in an ascending list; the earlier one of two equally near. */
export function nearestIndex(sorted: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= x) low = middle;
    else high = middle;
  }
  return high > low && sorted[high] - x < x - sorted[low] ? high : low;
}
