// SPDX-License-Identifier: Apache-2.0
// Names of the runs on top of the picture: one per cell, or a key in a corner of the overlay.
import type { Box3 } from 'three';
import { h } from '../core/dom';
import { runColour } from '../core/run_colours';
import type { ShownRuns } from '../core/shown_runs';
import type { Clock } from '../play/clock';
import type { Actor } from './stage';
import { runsAway } from './bounds';
import { isSmall, type Cell } from './cells';

export class CellLabels {
  readonly element = h('div', { class: 'cell-labels' });
  private readonly boxes: { run: number; cell: HTMLElement; end: HTMLElement; away: string; last: number }[];

  constructor(actors: Actor[], private readonly shown: ShownRuns, clock: Clock, box: Box3, timeText: (time: number) => string) {
    this.boxes = actors.map((actor) => {
      const end = h('span', { class: 'muted' });
      const label = h('div', { class: 'cell-label overlay-box' }, h('span', { class: 'swatch' }), actor.name, end);
      label.style.setProperty('--swatch', `var(${runColour(actor.run, shown.count)})`);
      const cell = h('div', { class: 'cell' }, label);
      this.element.append(cell);
      // An empty cell needs a reason.
      const away = runsAway(actor.animation, box) ? ' far outside the picture' : '';
      return { run: actor.run, cell, end, away, last: actor.animation.times[actor.animation.times.length - 1] };
    });
    // A run that ended early stands still: say so, it is not at rest.
    const patience = clock.duration / Math.max(1, clock.frames.length - 1);
    clock.time.watch((time) => {
      for (const { end, away, last } of this.boxes) {
        end.textContent = away || (time > last + patience ? ` ended at ${timeText(last)}` : '');
      }
    });
  }

  /** `cells` are those of the shown runs, or one for all. */
  place(cells: Cell[]): void {
    const visible = this.boxes.filter(({ run }) => this.shown.isShown(run));
    const overlaid = cells.length < visible.length;
    this.element.classList.toggle('stacked', overlaid);
    this.element.classList.toggle('small', !overlaid && isSmall(cells[0]));
    for (const { cell } of this.boxes) cell.hidden = true;
    visible.forEach(({ cell }, i) => {
      const place = overlaid ? null : cells[i];
      cell.hidden = false;
      cell.style.cssText = place ? `left:${place.left}px;top:${place.top}px;width:${place.width}px;height:${place.height}px` : '';
    });
  }
}
