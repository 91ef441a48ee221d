// SPDX-License-Identifier: Apache-2.0
import { h } from '../core/dom';

export interface TableColumn {
  title: string;
  /** Numbers stand at the right. */
  numeric?: boolean;
  /** What the pointer tells about it. */
  hint?: string;
}

export type TableCell = string | HTMLElement | { text: string; class: string; hint?: string };

/** Rows under a heading; null: none is needed. */
export interface TableGroup {
  title: string | null;
  rows: TableCell[][];
}

function contentOf(cell: TableCell): string | HTMLElement {
  return typeof cell === 'string' || cell instanceof HTMLElement ? cell : cell.text;
}

function hintOf(cell: TableCell): string | undefined {
  return typeof cell === 'string' || cell instanceof HTMLElement ? undefined : cell.hint;
}

function classOf(cell: TableCell): string {
  return typeof cell === 'string' || cell instanceof HTMLElement ? '' : cell.class;
}

/** The first cell of every row is its heading. Wide tables scroll inside their frame. */
export function createTable(caption: string, columns: TableColumn[], groups: TableGroup[]): HTMLElement {
  const head = h('tr', {});
  for (const { title, numeric, hint } of columns) head.append(h('th', { scope: 'col', class: numeric ? 'numeric' : undefined, title: hint }, title));
  const body = h('tbody', {});
  for (const { title, rows } of groups) {
    if (title !== null) body.append(h('tr', { class: 'family' }, h('th', { scope: 'rowgroup', colspan: columns.length }, h('span', {}, title))));
    for (const row of rows) {
      body.append(h('tr', {}, ...row.map((cell, i) => {
        const style = [columns[i]?.numeric ? 'numeric' : '', classOf(cell)].join(' ').trim() || undefined;
        return i === 0 ? h('th', { scope: 'row', class: style }, contentOf(cell)) : h('td', { class: style, title: hintOf(cell) }, contentOf(cell));
      })));
    }
  }
  const table = h('table', {}, h('caption', { class: 'visually-hidden' }, caption), h('thead', {}, head), body);
  return h('div', { class: 'table-frame', tabindex: 0, role: 'region', 'aria-label': caption }, table);
}

export function plainTable(caption: string, columns: TableColumn[], rows: TableCell[][]): HTMLElement {
  return createTable(caption, columns, [{ title: null, rows }]);
}
