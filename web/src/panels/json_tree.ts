// SPDX-License-Identifier: Apache-2.0
// JSON to read: objects fold, short lists stay on one line. Children are built when first opened.
import { h } from '../core/dom';
import { isObject, type Json } from '../core/json';

const SHORT_LINE = 60;

function isScalar(value: Json): boolean {
  return value === null || typeof value !== 'object';
}

function inline(value: Json): string | null {
  if (isScalar(value)) return JSON.stringify(value);
  if (Array.isArray(value) && value.every(isScalar)) {
    const text = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    return text.length <= SHORT_LINE ? text : null;
  }
  return Object.keys(value as object).length === 0 ? '{}' : null;
}

function kind(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function entries(value: Json): [string, Json][] {
  return isObject(value) ? Object.entries(value) : (value as Json[]).map((item, i) => [String(i), item]);
}

function summaryText(value: Json): string {
  const size = entries(value).length;
  return Array.isArray(value) ? `${size} ${size === 1 ? 'entry' : 'entries'}` : `${size} ${size === 1 ? 'key' : 'keys'}`;
}

function node(name: string, value: Json, open: number): HTMLElement {
  const line = inline(value);
  const key = h('span', { class: 'json-key' }, name);
  if (line !== null) return h('div', { class: 'json-line' }, key, ' ', h('span', { class: `json-value ${kind(value)}` }, line));
  const details = h('details', { open: open > 0 }, h('summary', {}, key, ' ', h('span', { class: 'muted' }, summaryText(value))));
  const fill = (): void => {
    if (!details.open || details.childElementCount > 1) return;
    details.append(h('div', { class: 'json-children' }, ...entries(value).map(([k, v]) => node(k, v, open - 1))));
  };
  details.addEventListener('toggle', fill);
  fill();
  return details;
}

/** `open`: how many levels are unfolded at first. */
export function jsonTree(name: string, value: Json, open: number): HTMLElement {
  return h('div', { class: 'json' }, node(name, value, open));
}
