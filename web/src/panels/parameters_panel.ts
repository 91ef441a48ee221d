// SPDX-License-Identifier: Apache-2.0
// Results of a sweep over its parameters.
import { h } from '../core/dom';
import type { ShownRuns } from '../core/shown_runs';
import { Value } from '../core/value';
import type { Run } from '../format/report';
import { createDiagram } from '../plots/diagram';
import { addControl, panel } from './panel';
import { parameterDiagram } from './parameter_lines';
import { isNumeric, parametersOf } from './run_parameters';
import { resultsOf } from './run_results';
import { statusOf } from './run_status';
import { createSelect } from './select';

/** Null where the runs have no parameters. */
export function createParametersPanel(runs: Run[], shown: ShownRuns): HTMLElement | null {
  const parameters = parametersOf(runs);
  if (parameters.length === 0) return null;
  const results = resultsOf(runs).filter((result) => runs.some((run) => result.of(run) !== null));
  if (results.length === 0) return null;
  const along = new Value(parameters.find((parameter) => isNumeric(parameter, runs)) ?? parameters[0]);
  const result = new Value(results[0]);
  const finished = runs.map((run) => statusOf(run) === 'finished');
  const unfinished = finished.filter((one) => !one).length;

  const picture = h('div', {});
  const update = (): void => {
    const diagram = parameterDiagram(runs, parameters, along.value, result.value, (run) => finished[run] && shown.isShown(run));
    const drawable = diagram.lines.some((line) => line.points.length > 0);
    picture.replaceChildren(drawable ? createDiagram(diagram) : h('p', { class: 'empty' }, 'No run on show has this result.'));
  };
  for (const value of [along, result, shown.hidden]) (value as Value<unknown>).watch(update);

  const left = unfinished === 0 ? null : h('p', { class: 'plot-note muted' }, `${unfinished} of ${runs.length} runs did not finish and are left out.`);
  const element = panel('parameters', 'Parameters', null, picture, left);
  addControl(element, createSelect('Result', results.map(({ name }) => ({ value: name, text: name })), result.value.name, (name) => {
    result.value = results.find((one) => one.name === name) ?? result.value;
  }));
  addControl(element, createSelect('Over', parameters.map(({ path, name }) => ({ value: path, text: name })), along.value.path, (path) => {
    along.value = parameters.find((one) => one.path === path) ?? along.value;
  }));
  return element;
}
