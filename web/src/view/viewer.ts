// SPDX-License-Identifier: Apache-2.0
// The 3D view with everything around it.
import type { Vector3 } from 'three';
import { h } from '../core/dom';
import { modeText } from '../core/modes';
import { formatQuantity, formatTime } from '../core/number_format';
import type { ShownRuns } from '../core/shown_runs';
import { unitFor } from '../core/units';
import type { Clock } from '../play/clock';
import { CellLabels } from './cell_labels';
import { fieldChoices, type FieldChoice } from './fields';
import { ForceLegend } from './force_legend';
import { forceChoices, type ForceChoice } from './forces';
import { createLegend } from './legend';
import { ViewSettings } from './settings';
import { Stage, type Actor } from './stage';
import { createToolbar } from './toolbar';
import { createTransport } from './transport';
import { Triad } from './triad';

export interface Viewer {
  element: HTMLElement;
  stage: Stage;
  settings: ViewSettings;
  fields: FieldChoice[];
  forces: ForceChoice[];
}

export function hasWebGl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null;
}

export interface ViewOptions {
  /** A unit vector. */
  up: Vector3;
  /** The clock shows modes, not seconds. */
  modes: boolean;
}

export function createViewer(actors: Actor[], clock: Clock, shown: ShownRuns, { up, modes }: ViewOptions): Viewer {
  const timeText = modes ? modeText : formatTime;
  const settings = new ViewSettings();
  const fields = fieldChoices(actors);
  const forces = forceChoices(actors);
  const stage = new Stage(actors, shown, clock, settings, fields, forces, up);
  const { canvas } = stage;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `Moving surface of ${actors.map((actor) => actor.name).join(', ')}. Drag to orbit, right-drag to pan, scroll to zoom.`);

  const triad = new Triad();
  const forceLegend = new ForceLegend(forces, settings);
  const spacing = h('div', { class: 'grid-caption' }, `grid ${formatQuantity(stage.ground.spacing, unitFor('m'), 2)}`);
  settings.grid.watch((on) => (spacing.hidden = !on));
  const frame = h('div', { class: 'stage' }, canvas);
  const labels = shown.count > 1 ? new CellLabels(actors, shown, clock, stage.box, timeText) : null;
  if (labels) {
    frame.append(labels.element);
    settings.layout.watch(() => labels.place(stage.cells));
    shown.hidden.watch(() => labels.place(stage.cells));
  }
  frame.append(
    h('div', { class: 'legends' }, forceLegend.element, createLegend(fields, settings, clock, timeText)),
    h('div', { class: 'corner' }, triad.element, spacing),
  );
  stage.onDraw = () => {
    triad.update(stage.camera);
    forceLegend.update(stage);
  };
  new ResizeObserver(() => {
    stage.resize(frame.clientWidth, frame.clientHeight);
    labels?.place(stage.cells);
  }).observe(frame);

  const element = h(
    'section', { class: 'viewer', 'aria-label': 'Playback' },
    createToolbar(fields, forces, settings, actors.length, () => stage.fit()), frame, createTransport(clock, modes),
  );
  return { element, stage, settings, fields, forces };
}
