// SPDX-License-Identifier: Apache-2.0
import { h } from '../core/dom';
import { iconButton, setIcon } from '../core/icons';
import { textAt } from '../core/json';
import { theme, toggleTheme } from '../core/theme';
import type { Report } from '../format/report';

/** More names than this are not read in a line. */
const MOST_NAMED = 8;

export function createHeader(report: Report, onHelp: () => void): HTMLElement {
  const { runs } = report;
  const version = textAt(runs[0].manifest, 'version');
  const what = runs.length > MOST_NAMED ? `${runs.length} runs` : runs.map((run) => run.name).join(', ');
  const themeButton = iconButton('moon', 'Dark colours');
  themeButton.addEventListener('click', toggleTheme);
  theme.watch((value) => {
    if (value === 'dark') setIcon(themeButton, 'sun', 'Light colours');
    else setIcon(themeButton, 'moon', 'Dark colours');
  });
  const help = iconButton('help', 'Keys and mouse', '?');
  help.addEventListener('click', onHelp);
  return h(
    'header', { class: 'page-head' },
    h('div', { class: 'page-title' }, h('h1', {}, report.title), h('span', { class: 'muted' }, what)),
    version ? h('span', { class: 'version muted' }, `Sinew ${version}`) : null,
    h('div', { class: 'button-group' }, themeButton, help),
  );
}
