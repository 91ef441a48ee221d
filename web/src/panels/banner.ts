// SPDX-License-Identifier: Apache-2.0
// What the reader must not overlook: runs that did not finish, data that could not be read.
import { h } from '../core/dom';
import { textAt } from '../core/json';
import type { Run } from '../format/report';
import { statusOf, whereItEnded } from './run_status';

export type Tone = 'bad' | 'warn' | 'note';

const WORDS: Record<Tone, string> = { bad: 'Failed', warn: 'Attention', note: 'Note' };

export function banner(tone: Tone, title: string, text: string | null): HTMLElement {
  return h(
    'div', { class: `banner ${tone}`, role: tone === 'bad' ? 'alert' : 'status' },
    h('span', { class: 'visually-hidden' }, `${WORDS[tone]}: `),
    h('strong', {}, title), text ? h('p', {}, text) : null,
  );
}

/** The statement of a paper that the runs test. */
export function claimNote(claim: string | null): HTMLElement | null {
  return claim === null ? null : banner('note', 'Claim tested: ', claim);
}

export function runBanner(run: Run): HTMLElement | null {
  const where = whereItEnded(run);
  if (where === null) return null;
  const status = statusOf(run);
  const tone = status === 'failed' ? 'bad' : status === 'stopped' ? 'warn' : 'note';
  return banner(tone, where, textAt(run.manifest, 'reason'));
}
