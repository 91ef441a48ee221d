// SPDX-License-Identifier: Apache-2.0
// The legend of a plot: one button per series that shows or hides it, with its value at a time.
import { h } from '../core/dom';
import { formatNumber } from '../core/number_format';
import type { Clock } from '../play/clock';
import { nearestIndex } from '../play/nearest';
import { lineSample } from './line_sample';
import type { Series, TimePlot } from './time_plot';

export interface Chip {
  series: Series;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
  /** Name of an earlier curve that this one lies on. */
  sameAs?: string;
}

/** What marks without a line look like. */
const DISC = 'M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z';

export function createChips(chips: Chip[], plot: TimePlot, clock: Clock | null): HTMLElement {
  const element = h('div', { class: 'chips', role: 'group', 'aria-label': 'Curves' });
  // Columns as wide as the longest name needs, so that none is broken: sample, name, value.
  const longest = Math.max(0, ...chips.map(({ series }) => series.label.length));
  element.style.setProperty('--chip-width', `${Math.max(178, Math.round(6.9 * longest + 112))}px`);
  const outputs = chips.map(({ series, sameAs }, i) => {
    const output = h('span', { class: 'chip-value' });
    const look = series.marks ? { colour: series.colour, shape: DISC } : series;
    const name = h('span', { class: 'chip-name' }, series.label);
    if (sameAs !== undefined) name.append(h('small', { class: 'same', title: `lies on the curve of ${sameAs}` }, ` ≡ ${sameAs}`));
    const button = h('button', { type: 'button', class: 'chip', 'aria-pressed': String(series.show) }, lineSample(look, series.marks), name, output);
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
