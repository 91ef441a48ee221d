// SPDX-License-Identifier: Apache-2.0
// Shapes along a curve, so that curves with one colour, or on top of each other, can be told apart.
import type { Column } from './columns';

/** Between the marks of a curve [px]. */
export const MARK_DISTANCE = 90;

/**
 * Indices of the points that get a mark: about `distance` from each other in x, those of every
 * curve somewhere else. A curve has one at least.
 */
export function markedPoints(places: Column, values: Column, line: number, distance: number): number[] {
  const marked: number[] = [];
  let first: number | null = null;
  let next = 0;
  for (let i = 0; i < places.length; ++i) {
    const x = places[i];
    if (x === null || values[i] === null || values[i] === undefined) continue;
    if (first === null) {
      first = i;
      // The golden section spreads any number of offsets evenly.
      next = x + distance * ((0.618 * line) % 1);
    }
    if (x < next) continue;
    marked.push(i);
    while (next <= x) next += distance;
  }
  return marked.length > 0 || first === null ? marked : [first];
}
