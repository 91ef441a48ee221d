// SPDX-License-Identifier: Apache-2.0
// The few numbers by which one recognises a run.
import { h } from '../core/dom';
import { numberAt, textAt } from '../core/json';
import { showsModes } from '../core/modes';
import { formatCount, formatPercent, formatQuantity, formatTime, MISSING } from '../core/number_format';
import { unitFor } from '../core/units';
import type { Run } from '../format/report';
import { numericalLoss, secondsWithoutOutput } from './run_numbers';
import { lastTime, redoneSteps, statusOf, type Status } from './run_status';

const TITLES: Record<Status, string> = {
  finished: 'Finished.', failed: 'Failed.', stopped: 'Stopped.', running: 'Not ended.', unknown: '',
};

type Fact = [name: string, value: string, aside?: string | undefined];

const size = ({ manifest }: Run): Fact[] => [
  ['Unknowns', formatCount(numberAt(manifest, 'dofs'))], ['Elements', formatCount(numberAt(manifest, 'elements'))],
];

function factsOfModes(run: Run): Fact[] {
  return [['Modes', formatCount(run.modes.rows)], ['Wall time', formatQuantity(numberAt(run.manifest, 'seconds', 'wall'), 's', 3)], ...size(run)];
}

function factsOfRun(run: Run): Fact[] {
  const { manifest } = run;
  const rejected = numberAt(manifest, 'steps', 'rejected'), redone = redoneSteps(run);
  const asides = [rejected ? `+ ${formatCount(rejected)} rejected` : '', redone ? `${formatCount(redone)} redone` : ''].filter(Boolean).join(', ');
  const facts: Fact[] = [
    ['Integrator', textAt(manifest, 'integrator', 'name') ?? MISSING],
    ['Step', formatQuantity(numberAt(manifest, 'dt'), unitFor('s'))],
    ['Simulated', formatTime(lastTime(run))],
    ['Wall time', formatQuantity(numberAt(manifest, 'seconds', 'wall'), 's', 3), `${formatQuantity(secondsWithoutOutput(run), 's', 3)} without output`],
    ['Steps', formatCount(numberAt(manifest, 'steps', 'accepted')), asides || undefined],
    ...size(run),
    ['Numerical loss, max', formatQuantity(numericalLoss(run), unitFor('J'), 3)],
  ];
  const strain = numberAt(manifest, 'largest_strain');
  if (strain) facts.push(['Largest strain, relative', formatPercent(strain)]);
  return facts;
}

export function createFacts(run: Run): HTMLElement {
  const { manifest } = run;
  const facts = showsModes(manifest) ? factsOfModes(run) : factsOfRun(run);
  const list = h('dl', { class: 'facts' });
  for (const [name, value, aside] of facts) {
    list.append(h('div', {}, h('dt', {}, name), h('dd', {}, value, aside ? h('small', {}, ` ${aside}`) : null)));
  }
  const description = textAt(manifest, 'scene', 'description');
  const status = statusOf(run);
  return h(
    'section', { class: 'panel', id: 'facts', 'aria-label': 'Summary' },
    h('p', { class: 'description' }, h('span', { class: `status ${status}` }, TITLES[status]), description ? ` ${description}` : ''), list,
  );
}
