// SPDX-License-Identifier: Apache-2.0
// Directories of `sinew modes` are shown as runs are, but what stands where the time of a run would is
// the number of a mode, plus the part of its period.
import { textAt, type JsonObject } from './json';

export function showsModes(manifest: JsonObject): boolean {
  return textAt(manifest, 'integrator', 'name') === 'modes';
}

/** "mode 3", or "mode 3, 25 % of its period". */
export function modeText(place: number): string {
  const number = Math.floor(place + 1e-9);
  const part = Math.round(100 * (place - number));
  return part > 0 ? `mode ${number}, ${part}\u202f% of its period` : `mode ${number}`;
}
