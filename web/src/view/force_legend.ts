// SPDX-License-Identifier: Apache-2.0
// What the length of an arrow means: one of a round force, as long as it would be where the camera looks.
import { h } from '../core/dom';
import { formatQuantity } from '../core/number_format';
import { arrowLength, type ForceChoice } from './forces';
import { roundDown } from './ground_grid';
import type { ViewSettings } from './settings';
import type { Stage } from './stage';

const LONGEST_SAMPLE = 90;

export class ForceLegend {
  private readonly title = h('span', { class: 'legend-title' });
  private readonly sample = h('span', { class: 'arrow-sample' });
  private readonly text = h('span');
  private readonly end = h('span', { class: 'muted', title: 'Arrows of larger forces are not longer' });
  readonly element = h('div', { class: 'force-legend overlay-box' }, this.title, this.sample, this.text, this.end);
  private force: ForceChoice | null = null;

  constructor(forces: ForceChoice[], settings: ViewSettings) {
    settings.force.watch((name) => {
      this.force = forces.find((force) => force.name === name) ?? null;
      this.element.hidden = !this.force;
      if (!this.force) return;
      const { title, exceeded, limit, unit } = this.force;
      this.title.textContent = title;
      this.end.hidden = !exceeded;
      this.end.textContent = `cut off at ${formatQuantity(limit, unit, 2)}`;
    });
    // In the overlay arrows have the colours of their runs.
    settings.layout.watch((layout) => this.element.classList.toggle('overlaid', layout === 'overlay'));
  }

  /** After the camera has moved. */
  update({ size, pixelsPerMetre }: Stage): void {
    if (!this.force) return;
    const { limit, unit } = this.force;
    const pixels = (force: number): number => arrowLength(force, this.force!, size) * pixelsPerMetre;
    const shown = roundDown(limit * Math.min(1, LONGEST_SAMPLE / pixels(limit)));
    this.sample.style.width = `${pixels(shown)}px`;
    this.text.textContent = formatQuantity(shown, unit, 1);
  }
}
