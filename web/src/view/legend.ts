// SPDX-License-Identifier: Apache-2.0
// What the colours of a field mean, and at what time.
import { h } from '../core/dom';
import { formatNumber, scaledUnit } from '../core/number_format';
import type { Clock } from '../play/clock';
import { axisText } from '../plots/axis_text';
import { viridisGradient } from './colour_map';
import type { FieldChoice } from './fields';
import { roundDown } from './ground_grid';
import type { ViewSettings } from './settings';

const INTERVALS = 4;

/** Round numbers within a range, at least two: a tick stands at its place and is not rounded. */
export function roundTicks(low: number, high: number): { ticks: number[]; step: number } {
  if (!(high > low)) return { ticks: [low], step: 0 };
  let step = roundDown((high - low) / INTERVALS);
  if ((high - low) / step > 1.5 * INTERVALS) step *= 2;
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return { ticks: Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step), step };
}

export function createLegend(fields: FieldChoice[], settings: ViewSettings, clock: Clock, timeText: (time: number) => string): HTMLElement {
  const title = h('span', { class: 'legend-title' });
  const time = h('span', { class: 'muted' });
  const clip = h('button', { type: 'button', class: 'legend-clip', title: 'Colours up to the value that 99 % of the vertices stay below, or up to the largest' }, '99 %');
  const bar = h('div', { class: 'legend-bar' });
  bar.style.background = viridisGradient('to right');
  const ticks = h('div', { class: 'legend-ticks' });
  const ends = h('div', { class: 'legend-ends muted' });
  const legend = h('div', { class: 'legend overlay-box' }, h('div', { class: 'legend-head' }, title, time, clip), bar, ticks, ends);
  clip.addEventListener('click', () => (settings.clipped.value = !settings.clipped.value));
  clock.time.watch((now) => (time.textContent = timeText(now)));

  const update = (): void => {
    const field = fields.find((candidate) => candidate.name === settings.field.value);
    legend.hidden = !field || settings.layout.value === 'overlay';
    if (!field) return;
    const clipped = settings.clipped.value;
    const { low, high } = clipped ? field.clipped : field.full;
    const scaled = scaledUnit(Math.max(Math.abs(low), Math.abs(high)), field.unit);
    title.textContent = `${field.title} [${scaled.unit || 'relative'}]`;
    clip.setAttribute('aria-pressed', String(clipped));
    const round = roundTicks(low / scaled.factor, high / scaled.factor);
    const texts = axisText(round.ticks, round.step);
    ticks.replaceChildren(...round.ticks.map((tick, i) => {
      const share = high > low ? (tick * scaled.factor - low) / (high - low) : 0;
      return h('span', { style: `left: ${100 * share}%` }, texts[i]);
    }));
    // Where the colours end, and what they leave out.
    const end = (value: number): string => formatNumber(value / scaled.factor, 3);
    const beyond = [
      field.largest > high ? `colours end at ${end(high)}, peaks reach ${end(field.largest)}` : '',
      field.smallest < low ? `colours begin at ${end(low)}, the lowest is ${end(field.smallest)}` : '',
    ].filter(Boolean);
    ends.textContent = beyond.join('; ');
    ends.hidden = beyond.length === 0;
  };
  settings.field.watch(update);
  settings.clipped.watch(update);
  settings.layout.watch(update);
  return legend;
}
