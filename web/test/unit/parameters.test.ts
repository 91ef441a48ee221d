// SPDX-License-Identifier: Apache-2.0
// Sweeps: their parameters, and results over them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useUnits } from '../../src/core/units';
import { readReport, type Run } from '../../src/format/report';
import { parameterDiagram } from '../../src/panels/parameter_lines';
import { isNumeric, parametersOf, titleWithUnit, valueOf } from '../../src/panels/run_parameters';
import { families } from '../../src/panels/run_numbers';
import { resultsOf } from '../../src/panels/run_results';
import { categoryAxis, fittingAxis, linearAxis } from '../../src/plots/axes';
import { runReport, sweepReport } from '../fixtures';

const { runs } = readReport(JSON.stringify(sweepReport()));
const parameters = parametersOf(runs);
const [young, integrator, dt] = parameters;
const results = resultsOf(runs);
const result = (name: string) => results.find((one) => one.name === name)!;
const everyRun = () => true;

function withParameters(...lists: Record<string, string>[]): Run[] {
  return lists.map((list, i) => ({ ...runs[i], parameters: Object.entries(list).map(([name, value]) => ({ name, value })) }));
}

test('parameters have the shortest names that tell them apart, and units', () => {
  assert.deepEqual(parameters.map(({ name, unit }) => titleWithUnit(name, unit)), ['young [Pa]', 'integrator', 'dt [s]']);
  assert.deepEqual(runs.slice(0, 2).map((run) => parameters.map((one) => valueOf(run, one))), [['1e4', 'si', '0.01'], ['1e4', 'si', '0.02']]);
  const alike = parametersOf(withParameters({ 'bodies.0.material.young': '1', 'bodies.1.material.young': '2', '/bodies/0/mesh/cells/2': '3' }));
  assert.deepEqual(alike.map(({ name }) => name), ['bodies.0.material.young', 'bodies.1.material.young', 'cells']);
  assert.deepEqual(parametersOf(readReport(JSON.stringify(runReport())).runs), []);
});

test('parameters of molecules have their units', () => {
  useUnits('md');
  assert.deepEqual(parametersOf(runs).map(({ unit }) => unit), ['kJ/mol/nm^3', '', 'ps']);
  useUnits(null);
});

test('what is no list of names and values is no parameter', () => {
  const report = { ...runReport(), runs: [{ ...runReport().runs[0], parameters: [{ name: 'dt' }, 7, { name: 'dt', value: '1' }] }] };
  assert.deepEqual(readReport(JSON.stringify(report)).runs[0].parameters, [{ name: 'dt', value: '1' }]);
});

test('words are no numbers, one word makes words of all', () => {
  assert.deepEqual(parameters.map((one) => isNumeric(one, runs)), [true, false, true]);
  const mixed = withParameters({ a: '1', b: '-2e-3' }, { a: '[1, 2]', b: 'inf' }, { a: '3' });
  assert.deepEqual(parametersOf(mixed).map((one) => isNumeric(one, mixed)), [false, false]);
});

test('a line for each combination of the other parameters, in the order of numbers', () => {
  const { lines, pointsOnly, titles } = parameterDiagram([...runs].reverse(), parameters, young, result('Newton iterations'), everyRun);
  assert.deepEqual(lines.map(({ name }) => name), ['be', 'si'].flatMap((name) => ['0.02', '0.01'].map((step) => `integrator = ${name}, dt = ${step}`)));
  for (const { points } of lines) assert.deepEqual(points.map(({ x }) => x), [1e4, 1e5, 1e6]);
  assert.equal(new Set(lines.map(({ colour }) => colour)).size, 4);
  assert.equal(pointsOnly, false);
  assert.deepEqual(titles, { x: 'young [Pa]', y: 'Newton iterations' });
  const run = runs[0];
  assert.equal(lines[3].points[0].y, (run.manifest.counts as { newton: number }).newton);
  assert.match(lines[3].points[0].title, /^young = 1e4, integrator = si, dt = 0\.01: Newton iterations \d+$/);
});

test('over words there are points in categories', () => {
  const { lines, pointsOnly, x } = parameterDiagram(runs, parameters, integrator, result('energy at the end'), everyRun);
  assert.equal(pointsOnly, true);
  assert.deepEqual(x.labels, ['si', 'be']);
  // Beside each other within the place of the word.
  const places = lines.map(({ points }) => points.map((point) => point.x));
  assert.deepEqual(places.map(([first]) => Math.round(100 * first)), [-25, -15, -5, 5, 15, 25]);
  assert.ok(places.every(([first, second]) => second === undefined || Math.abs(second - first - 1) < 1e-12));
  assert.equal(lines[0].name, 'young = 1e4, dt = 0.01');
});

test('runs that are left out change neither places of words nor looks', () => {
  const all = parameterDiagram(runs, parameters, integrator, results[0], everyRun);
  const some = parameterDiagram(runs, parameters, integrator, results[0], (run) => run >= 6);
  assert.deepEqual(some.x.labels, all.x.labels);
  assert.deepEqual(some.lines.map(({ colour, shape, name }) => [colour, shape, name]), all.lines.map(({ colour, shape, name }) => [colour, shape, name]));
  assert.deepEqual(some.lines.map(({ points }) => points.length), [0, 0, 1, 1, 2, 2]);
});

test('lines on each other are named', () => {
  const flat = { name: 'flat', unit: '', of: (run: Run) => (run.manifest.dt === 0.01 ? 1 : 2) };
  const { lines } = parameterDiagram(runs, parameters, young, flat, everyRun);
  assert.deepEqual(lines.map(({ sameAs }) => sameAs), [undefined, undefined, lines[0].name, lines[1].name]);
});

test('legends have the values of a run, and no families', () => {
  assert.equal(runs[1].label, '1e4, si, 0.02');
  assert.equal(readReport(JSON.stringify(runReport())).runs[0].label, 'sdirk2');
  assert.equal(families(runs), null);
});

test('probes at the end are results, and one parameter has one line', () => {
  const end = result('tip: z at the end');
  assert.equal(end.unit, 'm');
  assert.equal(end.of(runs[0]), runs[0].probes.numbers('tip_z').at(-1));
  const { lines } = parameterDiagram(runs.slice(0, 2), [dt], dt, end, everyRun);
  assert.deepEqual(lines.map(({ name, points }) => [name, points.length]), [['all runs', 2]]);
});

test('axes: linear within a factor of 20, else powers, categories in slots', () => {
  assert.deepEqual(fittingAxis([1, 20]).labels, ['0', '5', '10', '15', '20']);
  assert.deepEqual(fittingAxis([1e4, 1e5, 1e6]).labels.filter((label) => label.startsWith('10')), ['10⁴', '10⁵', '10⁶']);
  assert.deepEqual(linearAxis([-1, 0.5]).labels, ['−1.0', '−0.5', '0', '0.5']);
  // Not positive: no logarithm.
  assert.ok(fittingAxis([-1, 0, 100]).ticks.includes(0));
  for (const values of [[3, 3], [0], []]) {
    const axis = linearAxis(values);
    assert.ok(axis.ticks.length >= 2 && axis.share(values[0] ?? 0.5) > 0.3 && axis.share(values[0] ?? 0.5) < 0.7, String(values));
  }
  assert.deepEqual(['a', 'b'].map((_, k) => categoryAxis(['a', 'b']).share(k)), [0.25, 0.75]);
});
