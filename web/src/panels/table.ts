// SPDX-License-Identifier: Apache-2.0
import { h } from '../core/dom';

export interface TableColumn {
  title: string;
  /** Numbers stand at the right. */
  numeric?: boolean;
  /** Custom property of the colour of the run the column belongs to. */
  colour?: string;
}

export type TableCell = string | { text: string; class: string };

/** The first cell of every row is its heading. Wide tables scroll inside their frame. */
export function createTable(caption: string, columns: TableColumn[], rows: TableCell[][]): HTMLElement {
  const head = h('tr', {});
  for (const column of columns) {
    const cell = h('th', { scope: 'col', class: column.numeric ? 'numeric' : undefined });
    if (column.colour) {
      const swatch = h('span', { class: 'swatch' });
      swatch.style.setProperty('--swatch', `var(${column.colour})`);
      cell.append(swatch);
    }
    cell.append(column.title);
    head.append(cell);
  }
  const body = h('tbody', {});
  for (const row of rows) {
    const line = h('tr', {});
    row.forEach((content, i) => {
      const text = typeof content === 'string' ? content : content.text;
      const extra = typeof content === 'string' ? '' : content.class;
      const style = [columns[i]?.numeric ? 'numeric' : '', extra].join(' ').trim() || undefined;
      line.append(i === 0 ? h('th', { scope: 'row', class: style }, text) : h('td', { class: style }, text));
    });
    body.append(line);
  }
  const table = h('table', {}, h('caption', { class: 'visually-hidden' }, caption), h('thead', {}, head), body);
  return h('div', { class: 'table-frame', tabindex: 0, role: 'region', 'aria-label': caption }, table);
}
