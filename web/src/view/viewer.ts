// SPDX-License-Identifier: Apache-2.0
// The 3D view with everything around it.
import { h } from '../core/dom';
import { formatQuantity } from '../core/number_format';
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

export function createViewer(actors: Actor[], runs: number, clock: Clock): Viewer {
  const settings = new ViewSettings();
  const fields = fieldChoices(actors);
  const forces = forceChoices(actors);
  const stage = new Stage(actors, runs, clock, settings, fields, forces);
  const { canvas } = stage;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `Moving surface of ${actors.map((actor) => actor.name).join(', ')}. Drag to orbit, right-drag to pan, scroll to zoom.`);

  const triad = new Triad();
  const forceLegend = new ForceLegend(forces, settings);
  const spacing = h('div', { class: 'grid-caption' }, `grid ${formatQuantity(stage.ground.spacing, unitFor('m'), 2)}`);
  settings.grid.watch((on) => (spacing.hidden = !on));
  const frame = h('div', { class: 'stage' }, canvas);
  const labels = runs > 1 ? new CellLabels(actors, runs, clock, stage.box) : null;
  if (labels) {
    frame.append(labels.element);
    settings.layout.watch(() => labels.place(stage.cells));
  }
  frame.append(
    h('div', { class: 'legends' }, forceLegend.element, createLegend(fields, settings)),
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
    createToolbar(fields, forces, settings, actors.length, () => stage.fit()), frame, createTransport(clock),
  );
  return { element, stage, settings, fields, forces };
}
