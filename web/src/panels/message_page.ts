// SPDX-License-Identifier: Apache-2.0
// Instead of everything else, when there is nothing to show.
import { h } from '../core/dom';

export function messagePage(title: string, text: string): HTMLElement {
  return h(
    'main', { class: 'message-page' },
    h('div', { class: 'message', role: 'alert' },
      h('h1', {}, title), h('p', {}, text),
      h('p', { class: 'muted' }, 'The page itself works; only the data inside it cannot be shown. Writing the report again from the run directory should help.')),
  );
}
