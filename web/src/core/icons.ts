// SPDX-License-Identifier: Apache-2.0
// Line icons on a 16 x 16 grid.
import { h, svg } from './dom';

const PATHS = {
  play: 'M4.5 2.5v11l9-5.5z',
  pause: 'M4.5 2.5v11M11.5 2.5v11',
  previous: 'M12.5 3v10L5.5 8zM3.5 3v10',
  next: 'M3.5 3v10l7-5zM12.5 3v10',
  loop: 'M3 8a4 4 0 0 1 4-4h6m-2.5-2.5L13 4l-2.5 2.5M13 8a4 4 0 0 1-4 4H3m2.5 2.5L3 12l2.5-2.5',
  wireframe: 'M2.5 3.5h11v9h-11zM2.5 8h11M8 3.5v9M2.5 8 8 3.5M8 12.5 13.5 8M2.5 12.5 13.5 3.5',
  grid: 'M5 4.5h6l3.5 7.5h-13zM3.2 8.2h9.6M8 4.5V12',
  frame: 'M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3M6 6h4v4H6z',
  overlay: 'M2.5 2.5h7.5V10H2.5zM6 6h7.5v7.5H6z',
  side: 'M2.5 3.5h4.5v9H2.5zM9 3.5h4.5v9H9z',
  sun: 'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.3v1.4M8 13.3v1.4M1.3 8h1.4M13.3 8h1.4M3.3 3.3l1 1M11.7 11.7l1 1M12.7 3.3l-1 1M4.3 11.7l-1 1',
  moon: 'M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6z',
  help: 'M5.8 6a2.2 2.2 0 1 1 3.3 1.9c-.7.4-1.1.8-1.1 1.7M8 12v.2',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  return svg('svg', { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name] }));
}

/** A button that shows an icon only; the label is what screen readers and tooltips say. */
export function iconButton(name: IconName, label: string, key?: string): HTMLButtonElement {
  const title = key ? `${label} (${key})` : label;
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title }, icon(name));
}

export function setIcon(button: HTMLButtonElement, name: IconName, label: string, key?: string): void {
  button.replaceChildren(icon(name));
  button.setAttribute('aria-label', label);
  button.title = key ? `${label} (${key})` : label;
}
