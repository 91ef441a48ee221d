// SPDX-License-Identifier: Apache-2.0
// What the colours of a field mean.
import { h } from '../core/dom';
import { formatNumber, scaledUnit } from '../core/number_format';
import { viridisGradient } from './colour_map';
import type { FieldChoice } from './fields';
import type { ViewSettings } from './settings';

const TICKS = 5;

export function createLegend(fields: FieldChoice[], settings: ViewSettings): HTMLElement {
  const title = h('span', { class: 'legend-title' });
  const clip = h('button', { type: 'button', class: 'legend-clip', title: 'Leave the highest 1 % of the values out of the colour range' }, '99 %');
  const bar = h('div', { class: 'legend-bar' });
  bar.style.background = viridisGradient('to right');
  const ticks = h('div', { class: 'legend-ticks' });
  const legend = h('div', { class: 'legend overlay-box' }, h('div', { class: 'legend-head' }, title, clip), bar, ticks);
  clip.addEventListener('click', () => (settings.clipped.value = !settings.clipped.value));

  const update = (): void => {
    const field = fields.find((candidate) => candidate.name === settings.field.value);
    legend.hidden = !field || settings.layout.value === 'overlay';
    if (!field) return;
    const clipped = settings.clipped.value;
    const range = clipped ? field.clipped : field.full;
    const scaled = scaledUnit(Math.max(Math.abs(range.low), Math.abs(range.high)), field.unit);
    title.textContent = scaled.unit ? `${field.title} [${scaled.unit}]` : field.title;
    clip.setAttribute('aria-pressed', String(clipped));
    ticks.replaceChildren(
      ...Array.from({ length: TICKS }, (_, i) => {
        const value = range.low + ((range.high - range.low) * i) / (TICKS - 1);
        const more = (clipped || field.exceeded) && i === TICKS - 1 ? '≥\u202f' : '';
        return h('span', {}, more + formatNumber(value / scaled.factor, 3));
      }),
    );
  };
  settings.field.watch(update);
  settings.clipped.watch(update);
  settings.layout.watch(update);
  return legend;
}
