// SPDX-License-Identifier: Apache-2.0
// Controls of the picture itself: colouring, arrows, wireframe, grid, framing, arrangement.
import { h } from '../core/dom';
import { iconButton, setIcon } from '../core/icons';
import type { Value } from '../core/value';
import type { FieldChoice } from './fields';
import type { ForceChoice } from './forces';
import type { ViewSettings } from './settings';

function toggleButton(button: HTMLButtonElement, value: Value<boolean>): HTMLButtonElement {
  button.addEventListener('click', () => (value.value = !value.value));
  value.watch((on) => button.setAttribute('aria-pressed', String(on)));
  return button;
}

function colourSelect(fields: FieldChoice[], settings: ViewSettings): HTMLElement {
  const select = h('select', { 'aria-label': 'Colour by', title: 'Colour by (1–5)' }, h('option', { value: '' }, 'Plain'));
  for (const field of fields) select.append(h('option', { value: field.name }, field.title));
  select.addEventListener('change', () => (settings.field.value = select.value || null));
  settings.field.watch((name) => (select.value = name ?? ''));
  settings.layout.watch((layout) => {
    select.disabled = layout === 'overlay';
    select.title = layout === 'overlay' ? 'In the overlay colours tell the runs apart' : 'Colour by (1–5)';
  });
  return h('label', { class: 'select' }, h('span', {}, 'Colour'), select);
}

function forceSelect(forces: ForceChoice[], settings: ViewSettings): HTMLElement {
  const select = h('select', { 'aria-label': 'Arrows', title: 'Arrows (a)' }, h('option', { value: '' }, 'No forces'));
  for (const force of forces) select.append(h('option', { value: force.name }, force.title));
  select.addEventListener('change', () => (settings.force.value = select.value || null));
  settings.force.watch((name) => (select.value = name ?? ''));
  return h('label', { class: 'select' }, h('span', {}, 'Arrows'), select);
}

export function createToolbar(
  fields: FieldChoice[], forces: ForceChoice[], settings: ViewSettings, bodies: number, fit: () => void,
): HTMLElement {
  const toolbar = h('div', { class: 'toolbar', role: 'toolbar', 'aria-label': '3D view' });
  if (fields.length > 0) toolbar.append(colourSelect(fields, settings));
  if (forces.length > 0) toolbar.append(forceSelect(forces, settings));
  const buttons = h('div', { class: 'button-group' });
  if (bodies > 1) {
    const layout = iconButton('overlay', 'Overlay the runs', 'o');
    layout.addEventListener('click', () => {
      settings.layout.value = settings.layout.value === 'overlay' ? 'side' : 'overlay';
    });
    settings.layout.watch((value) => {
      layout.setAttribute('aria-pressed', String(value === 'overlay'));
      setIcon(layout, value === 'overlay' ? 'overlay' : 'side', 'Overlay the runs', 'o');
    });
    buttons.append(layout);
  }
  buttons.append(
    toggleButton(iconButton('wireframe', 'Wireframe', 'w'), settings.wireframe),
    toggleButton(iconButton('grid', 'Ground grid', 'g'), settings.grid),
  );
  const frame = iconButton('frame', 'Frame everything', 'f');
  frame.addEventListener('click', fit);
  buttons.append(frame);
  toolbar.append(buttons);
  return toolbar;
}
