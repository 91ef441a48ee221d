// SPDX-License-Identifier: Apache-2.0
// What is drawn of the tables of runs, and of which runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShownRuns } from '../../src/core/shown_runs';
import { modeText, showsModes } from '../../src/core/modes';
import { parseCsv } from '../../src/format/csv';
import { readReport, type Run } from '../../src/format/report';
import { splitZero } from '../../src/panels/curve_group';
import { energyGroup } from '../../src/panels/energy_columns';
import { families, numericalLoss, runOfRow, secondsWithoutOutput } from '../../src/panels/run_numbers';
import { refusedTimes, rungIntervals, rungName } from '../../src/panels/rung_intervals';
import { momentumGroups, probeGroups, probeNames } from '../../src/panels/vector_curves';
import { runCurves } from '../../src/plots/run_curves';
import { costOf, timeTitle, workPrecisionLines } from '../../src/plots/work_precision';
import { manyReport, runReport, STEPS_HEADER } from '../fixtures';

const read = (report: object) => readReport(JSON.stringify(report));
const many = read(manyReport());

function withEnergy(csv: string): Run {
  return { ...read(runReport({ withFrames: false })).runs[0], energy: parseCsv(csv) };
}

test('gravity counts from the start, and its part in the total; what is zero is named, not drawn', () => {
  const run = withEnergy('step,t,kinetic,elastic,gravity,contact,total,numerical_loss\n0,0,0,2,500,0,502,0\n1,1,3,1,497,0,501,1\n');
  const { curves, note } = energyGroup([run]);
  const values = Object.fromEntries(curves.map((curve) => [curve.name, Array.from(curve.of(run).values)]));
  assert.deepEqual(values.gravity, [0, -3]);
  assert.deepEqual(values.total, [2, 1]);
  assert.deepEqual(values.kinetic, [0, 3]);
  assert.deepEqual(values.elastic, [2, 1]);
  for (const i of [0, 1]) assert.equal(values.kinetic[i] + values.elastic[i] + values.gravity[i], values.total[i]);
  assert.match(curves.find(({ name }) => name === 'gravity')!.title, /change since t = 0/);
  assert.match(note ?? '', /arbitrary/);
  const { filled, zero } = splitZero(curves, [run]);
  assert.deepEqual(filled.map(({ name }) => name), ['kinetic', 'elastic', 'gravity', 'total', 'numerical_loss']);
  assert.deepEqual(zero, ['contact']);
  assert.equal(energyGroup([withEnergy('step,t,kinetic,gravity,total\n0,0,1,0,1\n')]).note, undefined);
});

test('probes: components and magnitudes, displacement from the start', () => {
  const probes = parseCsv('t,a_b_x,a_b_y,a_b_z,a_b_vx,a_b_vy,a_b_vz\n0,1,2,3,0,0,0\n0.5,4,6,3,3,0,-4\n');
  assert.deepEqual(probeNames([probes, parseCsv('')]), ['a_b']);
  const run = { ...withEnergy('step,t\n'), probes };
  const groups = probeGroups([run]);
  assert.deepEqual(groups.map(({ title, unit }) => `${title} ${unit}`), ['a_b: displacement m', 'a_b: velocity m/s', 'a_b: position m']);
  const values = (group: number, name: string) => Array.from(groups[group].curves.find((curve) => curve.name === name)!.of(run).values);
  assert.deepEqual(values(0, 'x'), [0, 3]);
  assert.deepEqual(values(0, 'magnitude'), [0, 5]);
  assert.deepEqual(values(1, 'z'), [0, -4]);
  assert.deepEqual(values(1, 'magnitude'), [0, 5]);
  assert.deepEqual(values(2, 'y'), [2, 6]);
});

test('numerical loss has its sign; reports of older runs have its size', () => {
  const run = withEnergy('step,t\n');
  assert.equal(numericalLoss({ ...run, manifest: { energy: { drift: -2.5, drift_max: 2.5 } } }), -2.5);
  assert.equal(numericalLoss({ ...run, manifest: { energy: { drift_max: 2.5 } } }), 2.5);
  assert.equal(numericalLoss({ ...run, manifest: { energy: { drift: null, drift_max: null } } }), null);
});

test('momenta: linear and angular, of energy.csv', () => {
  const run = withEnergy('step,t,px,py,pz,lx,ly,lz\n0,0,3,4,12,0,0,1\n');
  const [linear, angular] = momentumGroups();
  const at = (group: typeof linear) => group.curves.map((curve) => curve.of(run).values[0]);
  assert.deepEqual(at(linear), [3, 4, 12, 13]);
  assert.deepEqual(at(angular), [0, 0, 1, 1]);
});

test('rungs as spans of time', () => {
  const row = (t: number, dt: number, status: string, rung: number) => [1, t, dt, status, 0, 0, 0, 0, 0, rung, 0, 0, 'inf', 0, 0, 0].join();
  const steps = parseCsv([
    STEPS_HEADER, row(0.1, 0.1, 'accepted', 0), row(0.2, 0.1, 'accepted', 1), row(0.3, 0.1, 'accepted', 1),
    row(0.4, 0.1, 'energy-rose', 4), row(0.35, 0.05, 'accepted', 3), row(0.4, 0.05, 'accepted', 0),
    // Rows in between were left out.
    row(0.9, 0.1, 'accepted', 2), row(1, 0.1, 'accepted', 2),
  ].join('\n'));
  const round = (x: number) => Math.round(1e6 * x) / 1e6;
  assert.deepEqual(rungIntervals(steps).map(({ rung, from, to }) => [rung, round(from), round(to)]), [
    [0, 0, 0.1], [1, 0.1, 0.3], [3, 0.3, 0.35], [0, 0.35, 0.8], [2, 0.8, 1],
  ]);
  assert.deepEqual(refusedTimes(steps), [0.4]);
  assert.deepEqual([0, 1, 2, 3, 4].map(rungName), ['as asked', 'projected tangent', 'si with projected tangent', 'be', 'refused by all']);
  assert.deepEqual(rungIntervals(parseCsv('step,t,dt,status\n1,1,1,accepted\n')), []);
});

test('runs are hidden and shown, one is always left', () => {
  const shown = new ShownRuns(3);
  const seen: number[][] = [];
  shown.hidden.watch((hidden) => seen.push([...hidden]));
  shown.toggle(0);
  shown.toggle(2);
  shown.toggle(1);
  assert.deepEqual([0, 1, 2].map((run) => shown.isShown(run)), [false, true, false]);
  shown.toggle(0);
  shown.only(2);
  shown.all();
  assert.deepEqual(seen, [[], [0], [0, 2], [2], [0, 1], []]);
});

test('hidden runs leave the plots, the others keep their looks', () => {
  const curves = many.runs.map((run) => ({ name: run.name, finished: true, times: run.energy.numbers('t'), values: run.energy.numbers('total') }));
  const shown = new ShownRuns(curves.length);
  const before = runCurves(curves, shown).chips;
  shown.toggle(3);
  const after = runCurves(curves, shown).chips;
  assert.deepEqual(after.map(({ series }) => series.show), curves.map((_, i) => i !== 3));
  assert.deepEqual(after.map(({ series }) => series.colour), before.map(({ series }) => series.colour));

  const { rows } = many.errors!;
  const runOf = rows.map((row) => runOfRow(row, many.runs));
  const lines = (isShown: (row: number) => boolean) => workPrecisionLines(rows, runOf, many.runs.length, isShown);
  const all = lines(() => true), fewer = lines((row) => runOf[row] !== 0 && runOf[row] !== 2 && runOf[row] !== 3);
  assert.deepEqual(fewer.map(({ integrator, points }) => [integrator, points.length]).slice(0, 3), [['str-sbdf2ere', 1], ['sdirk2', 2], ['bdf2', 2]]);
  for (const line of fewer) assert.equal(line.colour, all.find(({ integrator }) => integrator === line.integrator)!.colour);
  // A method has the look of its first run.
  assert.equal(all[1].colour, before[2].series.colour);
});

test('times leave output out, unless a report does not know it', () => {
  const rows = many.errors!.rows;
  assert.equal(timeTitle(rows), 'time without output');
  assert.equal(costOf(rows[0], rows), rows[0].seconds! - rows[0].output!);
  const old = rows.map(({ output, ...row }) => row);
  assert.equal(timeTitle(old), 'wall time');
  assert.equal(costOf(old[0], old), rows[0].seconds);
  const run = many.runs[0];
  assert.ok(Math.abs(secondsWithoutOutput(run)! - 0.87 * 1.84) < 1e-12);
});

test('rows of errors find their runs, also those of files that do not name them', () => {
  const { rows } = many.errors!;
  assert.deepEqual(rows.slice(0, 2).map((row) => many.runs[runOfRow(row, many.runs)].name), ['str-sbdf2ere-0.02', 'str-sbdf2ere-0.01']);
  assert.equal(many.runs[runOfRow({ ...rows[2], run: null }, many.runs)].name, 'be-0.02');
  assert.equal(runOfRow(rows.at(-1)!, many.runs), -1);
});

test('runs of one method with several steps are a family', () => {
  const found = families(many.runs)!;
  assert.equal(found.length, 10);
  assert.deepEqual(found[1], { method: 'be', runs: [2, 3] });
  assert.equal(families([many.runs[0], many.runs[2]]), null);
});

test('modes are named as modes', () => {
  assert.equal(modeText(3), 'mode 3');
  assert.equal(modeText(2.25), 'mode 2, 25\u202f% of its period');
  assert.ok(showsModes({ integrator: { name: 'modes' } }));
  assert.ok(!showsModes(many.runs[0].manifest));
});

test('a report may say which claim it tests', () => {
  assert.equal(read({ ...runReport(), claim: 'SI loses energy.' }).claim, 'SI loses energy.');
  assert.equal(read(runReport()).claim, null);
});
