// SPDX-License-Identifier: Apache-2.0
// Where the time went.
import { h } from '../core/dom';
import { at, isObject, numberAt } from '../core/json';
import { showsModes } from '../core/modes';
import { formatCount, formatPercent, formatQuantity } from '../core/number_format';
import { runColour } from '../core/run_colours';
import type { ShownRuns } from '../core/shown_runs';
import type { Report, Run } from '../format/report';
import { panel } from './panel';
import { plainTable } from './table';

const PHASES = ['assemble', 'factorize', 'solve', 'modes', 'phi', 'contact', 'output'] as const;

interface Share {
  name: string;
  seconds: number;
  colour: string;
}

/** The phases and what the wall time has beyond them. */
function shares(run: Run): Share[] {
  // Modes are written after their wall time.
  const phases = showsModes(run.manifest) ? PHASES.filter((name) => name !== 'output') : PHASES;
  const list = phases.map((name): Share => ({ name, seconds: numberAt(run.manifest, 'seconds', name) ?? 0, colour: `--phase-${name}` }));
  const known = list.reduce((sum, share) => sum + share.seconds, 0);
  const wall = numberAt(run.manifest, 'seconds', 'wall');
  if (wall !== null && wall > known) list.push({ name: 'other', seconds: wall - known, colour: '--phase-other' });
  return list;
}

function wallSeconds(run: Run): number {
  return numberAt(run.manifest, 'seconds', 'wall') ?? shares(run).reduce((sum, share) => sum + share.seconds, 0);
}

function phaseBars(run: Run): HTMLElement {
  const list = shares(run);
  const wall = wallSeconds(run) || 1;
  const longest = Math.max(...list.map((share) => share.seconds), 1e-30);
  const rows = h('div', { class: 'bars', role: 'list' });
  for (const { name, seconds, colour } of list) {
    const bar = h('div', { class: 'bar' });
    bar.style.setProperty('--share', String(seconds / longest));
    bar.style.setProperty('--swatch', `var(${colour})`);
    rows.append(h(
      'div', { class: seconds > 0 ? 'bar-row' : 'bar-row zero', role: 'listitem' },
      h('span', { class: 'bar-name' }, name), h('div', { class: 'bar-track' }, bar),
      h('span', { class: 'bar-value' }, seconds > 0 ? formatQuantity(seconds, 's', 3) : '0'),
      h('span', { class: 'bar-share muted', title: 'of the wall time' }, seconds > 0 ? formatPercent(seconds / wall) : ''),
    ));
  }
  return rows;
}

function countTable(run: Run): HTMLElement | null {
  const counts = at(run.manifest, 'counts');
  if (!isObject(counts)) return null;
  const rows = Object.entries(counts)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    .map(([name, count]) => [name, formatCount(count)]);
  const steps = numberAt(run.manifest, 'steps', 'accepted');
  if (!steps) return plainTable('Counts', [{ title: 'Operation' }, { title: 'Count', numeric: true }], rows);
  return plainTable(
    'Counts', [{ title: 'Operation' }, { title: 'Count', numeric: true }, { title: 'Per accepted step', numeric: true }],
    rows.map(([name, text]) => [name, text, ((numberAt(counts, name) ?? 0) / steps).toFixed(2)]),
  );
}

/** Operations of all runs, a row each. */
function countsOfRuns(runs: Run[], shown: ShownRuns): HTMLElement {
  const names = [...new Set(runs.flatMap((run) => Object.keys(at(run.manifest, 'counts') ?? {})))];
  const rows = runs.map((run) => [run.label, ...names.map((name) => formatCount(numberAt(run.manifest, 'counts', name)))]);
  const table = plainTable('Operations of the runs', [{ title: 'Operations' }, ...names.map((title) => ({ title, numeric: true }))], rows);
  const elements = [...table.querySelectorAll<HTMLElement>('tbody tr')];
  shown.hidden.watch(() => elements.forEach((row, i) => (row.hidden = !shown.isShown(i))));
  return table;
}

/** One bar per run, as long as its wall time, divided into phases. */
function stackedBars(runs: Run[], shown: ShownRuns): HTMLElement {
  const longest = Math.max(...runs.map(wallSeconds), 1e-30);
  const rows = h('div', { class: 'bars stacked', role: 'list' });
  const used = new Map<string, string>();
  const elements = runs.map((run, i) => {
    const track = h('div', { class: 'bar-track' });
    for (const { name, seconds, colour } of shares(run)) {
      if (seconds / longest < 1e-4) continue;
      used.set(name, colour);
      const part = h('div', { class: 'bar part', title: `${run.name}: ${name} ${formatQuantity(seconds, 's', 3)}` });
      part.style.setProperty('--share', String(seconds / longest));
      part.style.setProperty('--swatch', `var(${colour})`);
      track.append(part);
    }
    const swatch = h('span', { class: 'swatch' });
    swatch.style.setProperty('--swatch', `var(${runColour(i, runs.length)})`);
    const row = h(
      'div', { class: 'bar-row', role: 'listitem' },
      h('span', { class: 'bar-name', title: run.name }, swatch, run.label), track,
      h('span', { class: 'bar-value' }, formatQuantity(wallSeconds(run) || null, 's', 3)),
    );
    rows.append(row);
    return row;
  });
  shown.hidden.watch(() => elements.forEach((row, i) => (row.hidden = !shown.isShown(i))));
  const key = h('div', { class: 'key' });
  for (const [name, colour] of used) {
    const swatch = h('span', { class: 'swatch' });
    swatch.style.setProperty('--swatch', `var(${colour})`);
    key.append(h('span', {}, swatch, name));
  }
  return h('div', {}, rows, key);
}

export function createCostPanel(report: Report, shown: ShownRuns): HTMLElement {
  const { runs } = report;
  if (report.mode === 'compare' && runs.length > 1) {
    return panel('cost', 'Cost', 'wall time by phase, output included', stackedBars(runs, shown), countsOfRuns(runs, shown));
  }
  const [run] = runs;
  const setup = numberAt(run.manifest, 'seconds', 'setup');
  const note = `wall ${formatQuantity(wallSeconds(run), 's', 3)}, shares of it${setup === null ? '' : `; set-up before that ${formatQuantity(setup, 's', 3)}`}`;
  return panel('cost', 'Cost', note, phaseBars(run), countTable(run));
}
