// SPDX-License-Identifier: Apache-2.0
// What was run, to read and to copy.
import { copyText } from '../core/clipboard';
import { h } from '../core/dom';
import { icon } from '../core/icons';
import type { Json, JsonObject } from '../core/json';
import type { Report, Run } from '../format/report';
import { jsonTree } from './json_tree';
import { addControl, panel } from './panel';
import { createSelect } from './select';

function copyButton(what: string, value: Json): HTMLElement {
  const label = h('span', {}, `Copy ${what}`);
  const button = h('button', { type: 'button', class: 'text-button' }, icon('copy'), label);
  button.addEventListener('click', () => {
    void copyText(JSON.stringify(value, null, 2)).then((done) => {
      label.textContent = done ? 'Copied' : 'Not allowed here';
      setTimeout(() => (label.textContent = `Copy ${what}`), 1500);
    });
  });
  return button;
}

function trees(run: Run): HTMLElement[] {
  const { scene, ...rest } = run.manifest;
  const blocks = [h('div', { class: 'json-block' }, copyButton('manifest', run.manifest), jsonTree('manifest', rest as JsonObject, 1))];
  if (scene !== undefined) blocks.push(h('div', { class: 'json-block' }, copyButton('scene', scene), jsonTree('scene', scene, 1)));
  return blocks;
}

export function createManifestPanel(report: Report): HTMLElement {
  const body = h('div', {});
  const element = panel('manifest', 'Manifest and scene', null, body);
  const show = (run: Run): void => body.replaceChildren(...trees(run));
  const { runs } = report;
  if (runs.length > 1) {
    const options = runs.map((run, i) => ({ value: String(i), text: run.name }));
    addControl(element, createSelect('Run', options, '0', (value) => show(runs[Number(value)])));
  }
  show(runs[0]);
  return element;
}
