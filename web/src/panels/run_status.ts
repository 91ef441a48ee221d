// SPDX-License-Identifier: Apache-2.0
// How a run ended, in words.
import { at, numberAt, textAt } from '../core/json';
import { formatPercent, formatTime } from '../core/number_format';
import type { Run } from '../format/report';

export type Status = 'finished' | 'failed' | 'stopped' | 'running' | 'unknown';

export function statusOf(run: Run): Status {
  const status = textAt(run.manifest, 'status');
  return status === 'finished' || status === 'failed' || status === 'stopped' || status === 'running' ? status : 'unknown';
}

/** Time of the last row of the ledger [s]. */
export function lastTime(run: Run): number | null {
  const times = run.energy.numbers('t');
  const last = times[times.length - 1];
  return Number.isFinite(last) ? last : null;
}

const VERBS: Record<Exclude<Status, 'finished' | 'unknown'>, string> = {
  failed: 'failed', stopped: 'was stopped', running: 'had not ended when this report was written',
};

/** One sentence on where the run ended, null where it just finished. */
export function whereItEnded(run: Run): string | null {
  const status = statusOf(run);
  if (status === 'finished' || status === 'unknown') return null;
  const time = lastTime(run);
  const end = numberAt(run.manifest, 'scene', 'time', 'end');
  const parts = [`${run.name} ${VERBS[status]}`];
  if (time !== null) {
    const goal = end ? ` of ${formatTime(end)} (${formatPercent(time / end)})` : '';
    parts.push(` at t = ${formatTime(time)}${goal}`);
  }
  const accepted = numberAt(run.manifest, 'steps', 'accepted');
  if (accepted !== null) parts.push(`, after ${accepted} accepted ${accepted === 1 ? 'step' : 'steps'}`);
  return `${parts.join('')}.`;
}

/** What a reader of the results must know, a sentence each. */
export function healthNotes(run: Run): string[] {
  const notes = at(run.manifest, 'health', 'notes');
  return Array.isArray(notes) ? notes.filter((note): note is string => typeof note === 'string') : [];
}

/** Steps that the guard made again in another way; null where there was no guard. */
export function redoneSteps(run: Run): number | null {
  const ways = ['projected', 'si', 'be'].map((way) => numberAt(run.manifest, 'guard', 'redone', way));
  if (ways.every((way) => way === null)) return null;
  return ways.reduce<number>((sum, way) => sum + (way ?? 0), 0);
}
