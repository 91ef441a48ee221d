// SPDX-License-Identifier: Apache-2.0
import { h, type Child } from '../core/dom';

/** A titled part of the page; `controls` stand beside the title. */
export function panel(id: string, title: string, note: string | null, ...content: Child[]): HTMLElement {
  const heading = h('h2', { id: `${id}-title` }, title);
  const head = h('div', { class: 'panel-head' }, heading, note ? h('span', { class: 'muted' }, note) : null);
  return h('section', { class: 'panel', id, 'aria-labelledby': `${id}-title` }, head, ...content);
}

export function addControl(section: HTMLElement, control: HTMLElement): void {
  section.querySelector('.panel-head')?.append(h('div', { class: 'panel-controls' }, control));
}
