// SPDX-License-Identifier: Apache-2.0
import { h } from '../core/dom';

export interface Option {
  value: string;
  text: string;
}

export function createSelect(label: string, options: Option[], chosen: string, onChange: (value: string) => void): HTMLElement {
  const select = h('select', { 'aria-label': label });
  for (const { value, text } of options) select.append(h('option', { value, selected: value === chosen }, text));
  select.addEventListener('change', () => onChange(select.value));
  return h('label', { class: 'select' }, h('span', {}, label), select);
}
