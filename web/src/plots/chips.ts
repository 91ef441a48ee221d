// SPDX-License-Identifier: Apache-2.0
// The legend of a plot: one button per series that shows or hides it, with its value at a time. Curves
// of runs are shown and hidden with their runs, on the whole page.
import { h } from '../core/dom';
import { formatNumber } from '../core/number_format';
import type { ShownRuns } from '../core/shown_runs';
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
  /** Heading that it stands under, with others of the same. */
  family?: string;
}

/** What marks without a line look like. */
const DISC = 'M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z';
/** From so many on chips are as narrow as they can be. */
const MANY = 9;

interface ChipParts {
  button: HTMLButtonElement;
  output: HTMLElement;
}

/** Beside the name of the family the rest is enough. */
function textOf({ series: { label }, family }: Chip): string {
  return family !== undefined && label.startsWith(`${family}-`) ? label.slice(family.length + 1) : label;
}

function chipParts(chip: Chip): ChipParts {
  const { series, sameAs } = chip;
  const output = h('span', { class: 'chip-value' });
  const look = series.marks ? { colour: series.colour, shape: DISC } : series;
  const name = h('span', { class: 'chip-name', title: series.label }, textOf(chip));
  if (sameAs !== undefined) name.append(h('small', { class: 'same', title: `lies on the curve of ${sameAs}` }, ` ≡ ${sameAs}`));
  const button = h('button', { type: 'button', class: 'chip', 'aria-pressed': String(series.show), 'aria-label': series.label }, lineSample(look, series.marks), name, output);
  return { button, output };
}

/** The place of each chip: in one grid, or in a row for each family. */
function places(chips: Chip[], element: HTMLElement): HTMLElement[] {
  // Columns as wide as the longest name needs, so that none is broken: sample, name, value.
  const name = Math.max(0, ...chips.map((chip) => textOf(chip).length));
  const whole = Math.max(0, ...chips.map((chip) => textOf(chip).length + (chip.family !== undefined && chip.sameAs ? chip.sameAs.length + 2 : 0)));
  element.style.setProperty('--chip-name', `${Math.round(6.9 * name)}px`);
  element.style.setProperty('--chip-whole', `${Math.round(6.9 * whole)}px`);
  const grid = (): HTMLElement => h('div', { class: chips.length >= MANY ? 'chips many' : 'chips' });
  let place = grid();
  return chips.map(({ family }, i) => {
    const isNew = i === 0 || family !== chips[i - 1].family;
    if (isNew) {
      place = grid();
      element.append(family === undefined ? place : h('div', { class: 'chip-family' }, h('span', {}, family), place));
    }
    return place;
  });
}

/** `runs`: where series i is run i. */
export function createChips(chips: Chip[], plot: TimePlot, clock: Clock | null, runs: ShownRuns | null = null): HTMLElement {
  const element = h('div', { class: 'legend-of-curves', role: 'group', 'aria-label': 'Curves' });
  const placed = places(chips, element);
  const parts = chips.map(chipParts);
  const press = (i: number, show: boolean): void => {
    parts[i].button.setAttribute('aria-pressed', String(show));
    plot.setShown(i, show);
  };
  parts.forEach(({ button }, i) => {
    button.addEventListener('click', () => {
      if (runs) runs.toggle(i);
      else press(i, button.getAttribute('aria-pressed') !== 'true');
    });
    placed[i].append(button);
  });
  if (runs) plot.own(runs.hidden.watch(() => plot.plot.batch(() => parts.forEach((_, i) => press(i, runs.isShown(i))))));

  let hovered: number | null = null;
  const update = (): void => {
    const time = hovered ?? clock?.time.value ?? null;
    chips.forEach(({ series, times, values }, i) => {
      // Marks are events: between them there is no value.
      const none = time === null || times.length === 0 || series.marks;
      parts[i].output.textContent = none ? '' : formatNumber(values[nearestIndex(times, time)], 4);
    });
  };
  if (clock) plot.own(clock.time.watch(update));
  plot.onHover = (time) => {
    hovered = time;
    update();
  };
  return element;
}
