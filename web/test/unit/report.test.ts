// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReport } from '../../src/format/report';
import { redoneSteps } from '../../src/panels/run_status';
import { breakingReport, compareReport, runReport } from '../fixtures';

const read = (value: unknown) => readReport(JSON.stringify(value));

test('a good report', () => {
  const report = read(compareReport());
  assert.equal(report.mode, 'compare');
  assert.deepEqual(report.runs.map((run) => run.name), ['sdirk2', 'be']);
  assert.equal(report.runs[0].motion?.frames.times.length, 40);
  assert.equal(report.errors?.rows.length, 20);
});

test('what is wrong with the whole is said', () => {
  assert.throws(() => readReport(null), /missing/);
  assert.throws(() => readReport('null'), /holds no run/);
  assert.throws(() => readReport('{"format": 1'), /not valid JSON/);
  assert.throws(() => read(3), /not a JSON object/);
  assert.throws(() => read({ ...runReport(), format: 2 }), /format 2; this page reads format 1/);
  assert.throws(() => read({ runs: [] }), /format none/);
  assert.throws(() => read({ ...runReport(), runs: [] }), /no runs/);
  assert.throws(() => read({ ...runReport(), runs: [null] }), /Run 1/);
  assert.throws(() => read({ ...runReport(), runs: [{ name: 'x' }] }), /no manifest/);
});

test('steps that the guard redid are added up', () => {
  const report = JSON.parse(JSON.stringify(runReport()));
  delete report.runs[0].manifest.guard;
  assert.equal(redoneSteps(read(report).runs[0]), null);
  report.runs[0].manifest.guard = { policy: 'ladder', redone: { projected: 3, si: 0, be: 2 } };
  assert.equal(redoneSteps(read(report).runs[0]), 5);
});

test('what is wrong with frames leaves the rest of the run', () => {
  const damaged = (change: (frames: Record<string, unknown>) => void) => {
    const report = JSON.parse(JSON.stringify(runReport()));
    change(report.runs[0].frames);
    const [run] = read(report).runs;
    assert.equal(run.motion, null);
    assert.equal(run.energy.rows, 131);
    return run.problems.join();
  };
  assert.match(damaged((frames) => (frames.low = [0, null, 0])), /"low"/);
  assert.match(damaged((frames) => (frames.times = [0, 'a'])), /"times"/);
  assert.match(damaged((frames) => (frames.times = [1, 0])), /ascend/);
  assert.match(damaged((frames) => delete frames.positions), /"positions"/);
});

test('surfaces of a topology that changes begin in order', () => {
  assert.deepEqual(read(breakingReport()).runs[0].motion?.surfaces.map(({ first }) => first), [0, 20]);
  assert.deepEqual(read(runReport()).runs[0].motion?.surfaces.map(({ first }) => first), [0]);
  for (const firsts of [[1, 20], [0, 0], [0, 40], [0, 'a'], [0, -1]]) {
    const report = JSON.parse(JSON.stringify(breakingReport()));
    firsts.forEach((first, i) => (report.runs[0].surface[i].first = first));
    const [run] = read(report).runs;
    assert.equal(run.motion, null);
    assert.match(run.problems.join(), /surface:.*first/);
  }
});

test('a field without a range costs its colouring only', () => {
  const report = JSON.parse(JSON.stringify(runReport({ frames: 2 })));
  // What JSON makes of infinity.
  report.runs[0].frames.fields[2].high = null;
  const [run] = read(report).runs;
  assert.deepEqual(run.motion?.frames.fields.map((field) => field.name), ['speed', 'displacement', 'energy_density']);
  assert.match(run.problems.join(), /field von_mises/);
});

test('a run without frames, with none at all, with few keys', () => {
  assert.equal(read(runReport({ withFrames: false })).runs[0].motion, null);
  assert.deepEqual(read(runReport({ withFrames: false })).runs[0].problems, []);
  const [run] = read({ format: 1, runs: [{ manifest: {} }] }).runs;
  assert.equal(run.name, 'run 1');
  assert.equal(run.energy.rows, 0);
});
