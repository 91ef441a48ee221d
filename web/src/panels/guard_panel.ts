// SPDX-License-Identifier: Apache-2.0
// Which steps the guard made in another way than asked for, as a strip over time for each run.
import { h, svg } from '../core/dom';
import { numberAt, textAt } from '../core/json';
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

/** Strip from 0 to `end`; what is left of the run is grey, what it did not reach is empty. */
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
  return parts.length === 0 ? 'all steps as asked' : `${parts.join(', ')} of ${formatCount(accepted)} steps`;
}

/** Null where no guard had anything to do. */
export function createGuardPanel(report: Report, clock: Clock | null, shown: ShownRuns): HTMLElement | null {
  const { runs } = report;
  const busy = runs.some((run) => (redoneSteps(run) ?? 0) > 0 || rungIntervals(run.steps).some(({ rung }) => rung > 0) || refusedTimes(run.steps).length > 0);
  if (!busy) return null;
  const end = Math.max(...runs.map((run) => lastTime(run) ?? 0), 1e-300);
  const rows = h('div', { class: 'rungs', role: 'list' });
  const elements = runs.map((run) => {
    const policy = textAt(run.manifest, 'guard', 'policy');
    const marker = h('div', { class: 'time-marker', 'aria-hidden': 'true' });
    clock?.time.watch((time) => (marker.style.left = `${(100 * Math.min(time, end)) / end}%`));
    const row = h(
      'div', { class: 'rung-row', role: 'listitem' },
      h('div', { class: 'rung-head' }, h('strong', {}, run.name), h('span', { class: 'muted' }, policy === 'ladder' || policy === null ? redoneText(run) : `guard: ${policy}`)),
      h('div', { class: 'rung-track' }, strip(run, end), clock ? marker : null),
    );
    rows.append(row);
    return row;
  });
  shown.hidden.watch(() => elements.forEach((row, i) => (row.hidden = !shown.isShown(i))));
  const key = h('div', { class: 'key' });
  for (let rung = 0; rung < RUNG_COUNT; ++rung) key.append(h('span', {}, swatch(rung), `${rung} ${rungName(rung)}`));
  return panel('guard', 'Guard', `rung of each step, 0 to ${formatTime(end)}`, rows, key);
}
