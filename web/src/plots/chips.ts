// SPDX-License-Identifier: Apache-2.0
// The legend of a plot: one button per series that shows or hides it, with its value at a time.
import { h } from '../core/dom';
import { formatNumber } from '../core/number_format';
import type { Clock } from '../play/clock';
import { nearestIndex } from '../play/nearest';
import type { Series, TimePlot } from './time_plot';

export interface Chip {
  series: Series;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
}

export function createChips(chips: Chip[], plot: TimePlot, clock: Clock | null): HTMLElement {
  const element = h('div', { class: 'chips', role: 'group', 'aria-label': 'Curves' });
  const outputs = chips.map(({ series }, i) => {
    const output = h('span', { class: 'chip-value' });
    const swatch = h('span', { class: series.dash && series.dash.length > 0 ? 'swatch line dashed' : 'swatch line' });
    const button = h('button', { type: 'button', class: 'chip', 'aria-pressed': String(series.show) }, swatch, h('span', {}, series.label), output);
    button.style.setProperty('--swatch', `var(${series.colour})`);
    button.addEventListener('click', () => {
      const show = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(show));
      plot.setShown(i, show);
    });
    element.append(button);
    return output;
  });

  let hovered: number | null = null;
  const update = (): void => {
    const time = hovered ?? clock?.time.value ?? null;
    chips.forEach(({ series, times, values }, i) => {
      // Marks are events: between them there is no value.
      const none = time === null || times.length === 0 || series.marks;
      outputs[i].textContent = none ? '' : formatNumber(values[nearestIndex(times, time)], 4);
    });
  };
  if (clock) plot.own(clock.time.watch(update));
  plot.onHover = (time) => {
    hovered = time;
    update();
  };
  return element;
}
