// SPDX-License-Identifier: Apache-2.0
// Which steps the guard made in another way than asked for, as a strip over time for each run.
import { h, svg } from '../core/dom';
import { numberAt } from '../core/json';
import { formatCount, formatTime } from '../core/number_format';
import type { ShownRuns } from '../core/shown_runs';
import type { Report, Run } from '../format/report';
import type { Clock } from '../play/clock';
import { panel } from './panel';
import { refusedTimes, rungIntervals, rungName, RUNG_COUNT } from './rung_intervals';
import { lastTime, redoneSteps } from './run_status';

const WIDTH = 1000, HEIGHT = 16;
/** Short intervals stay visible. */
const THINNEST = 3;

function swatch(rung: number): HTMLElement {
  const element = h('span', { class: 'swatch' });
  element.style.setProperty('--swatch', `var(--rung-${rung})`);
  return element;
}

/** Strip from 0 to `end`; what the run did not reach is empty. */
function strip(run: Run, end: number): SVGElement {
  const picture = svg('svg', { class: 'rung-strip', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Rungs of the guard in ${run.name} over time` });
  const bar = (rung: number, from: number, to: number, title: string): void => {
    const x = (WIDTH * from) / end;
    const width = Math.max(rung > 0 ? THINNEST : 0, (WIDTH * (to - from)) / end);
    picture.append(svg('rect', { x, y: 0, width, height: HEIGHT, style: `fill: var(--rung-${rung})` }, svg('title', {}, title)));
  };
  // What is rarer lies on top.
  for (const { rung, from, to } of rungIntervals(run.steps).sort((a, b) => a.rung - b.rung)) {
    bar(rung, from, to, `${rungName(rung)}: ${formatTime(from)} to ${formatTime(to)}`);
  }
  for (const time of refusedTimes(run.steps)) bar(RUNG_COUNT - 1, time, time, `${rungName(RUNG_COUNT - 1)}: step to ${formatTime(time)} halved`);
  return picture;
}

/** "12 projected tangent, 3 be": of the accepted steps that were made again. */
function redoneText(run: Run): string {
  const counts = [1, 2, 3].map((rung) => numberAt(run.manifest, 'guard', 'redone', ['projected', 'si', 'be'][rung - 1]) ?? 0);
  const parts = counts.flatMap((count, i) => (count > 0 ? [`${formatCount(count)} ${rungName(i + 1)}`] : []));
  const accepted = numberAt(run.manifest, 'steps', 'accepted');
  return parts.length === 0 ? 'no accepted step' : `${parts.join(', ')} of ${formatCount(accepted)} steps`;
}

/** Whether anything is to be seen in its strip. */
function isRedone(run: Run): boolean {
  return (redoneSteps(run) ?? 0) > 0 || rungIntervals(run.steps).some(({ rung }) => rung > 0) || refusedTimes(run.steps).length > 0;
}

function createRow(run: Run, end: number, clock: Clock | null): HTMLElement {
  const track = h('div', { class: 'rung-track' }, strip(run, end));
  if (clock) {
    const marker = h('div', { class: 'time-marker', 'aria-hidden': 'true' });
    clock.time.watch((time) => (marker.style.left = `${(100 * Math.min(time, end)) / end}%`));
    track.append(marker);
  }
  const head = h('div', { class: 'rung-head' }, h('strong', {}, run.label), h('span', { class: 'muted' }, redoneText(run)));
  return h('div', { class: 'rung-row', role: 'listitem' }, head, track);
}

/** Null where no guard had anything to do. */
export function createGuardPanel({ runs }: Report, clock: Clock | null, shown: ShownRuns): HTMLElement | null {
  if (!runs.some(isRedone)) return null;
  const end = Math.max(...runs.map((run) => lastTime(run) ?? 0), 1e-300);
  const rows = h('div', { class: 'rungs', role: 'list' });
  const others = h('p', { class: 'plot-note muted' });
  const elements = runs.map((run) => (isRedone(run) ? createRow(run, end, clock) : null));
  rows.append(...elements.filter((row) => row !== null));
  shown.hidden.watch(() => {
    elements.forEach((row, i) => {
      if (row) row.hidden = !shown.isShown(i);
    });
    const calm = runs.filter((_, i) => elements[i] === null && shown.isShown(i)).map(({ name }) => name);
    others.textContent = calm.length > 0 ? `All steps as asked: ${calm.join(', ')}.` : '';
  });
  const key = h('div', { class: 'key' });
  for (let rung = 0; rung < RUNG_COUNT; ++rung) key.append(h('span', {}, swatch(rung), `${rung} ${rungName(rung)}`));
  return panel('guard', 'Guard', `rung of each step, 0 to ${formatTime(end)}`, rows, key, others);
}
