// SPDX-License-Identifier: Apache-2.0
import { h } from '../core/dom';

const KEYS: [keys: string[], text: string][] = [
  [['space'], 'play or pause'],
  [['←', '→'], 'previous, next frame'],
  [['home', 'end'], 'first, last frame'],
  [['1', '…', '5'], 'colouring: plain, then the fields'],
  [['a'], 'arrows: one kind of force after another, then none'],
  [['w'], 'wireframe'],
  [['g'], 'ground grid'],
  [['f'], 'frame everything'],
  [['r'], 'camera as at the start'],
  [['l'], 'loop'],
  [['o'], 'runs side by side or overlaid'],
  [['?'], 'this help'],
];

export function createHelp(): HTMLDialogElement {
  const list = h('dl', { class: 'keys' });
  for (const [keys, text] of KEYS) {
    list.append(h('div', {}, h('dt', {}, ...keys.map((key) => (key === '…' ? '…' : h('kbd', {}, key)))), h('dd', {}, text)));
  }
  const close = h('button', { type: 'button', class: 'text-button' }, 'Close');
  const dialog = h(
    'dialog', { class: 'help', 'aria-labelledby': 'help-title' },
    h('h2', { id: 'help-title' }, 'Keys and mouse'), list,
    h('p', { class: 'muted' }, '3D: drag to orbit, right-drag or two fingers to pan, scroll or pinch to zoom.'),
    h('p', { class: 'muted' }, 'Plots: click to go to that time, drag to zoom, double-click to see everything again.'),
    h('p', { class: 'muted' }, 'Runs: the ticks of the comparison hide and show them everywhere; a click on a name shows one alone.'),
    close,
  );
  close.addEventListener('click', () => dialog.close());
  // A click outside the content lands on the dialog itself.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

export function toggleHelp(dialog: HTMLDialogElement): void {
  if (dialog.open) dialog.close();
  else dialog.showModal();
}
