// SPDX-License-Identifier: Apache-2.0
// Data that cannot be shown: a readable message, never a blank page or an exception.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { PackedReport } from '../../src/format/packed';
import { compareReport, runReport } from '../fixtures';
import { pageWith, pageWithText } from '../page';
import { lookAtCanvas, open } from './browser';

test('nothing to show at all', async () => {
  const cases: [html: string, message: RegExp][] = [
    [readFileSync('dist/report.html', 'utf8'), /empty template/],
    [readFileSync('dist/report.html', 'utf8').replace('id="sinew-data"', ''), /"sinew-data" is missing/],
    [pageWith({ ...runReport({ frames: 2 }), format: 7 }), /format 7; this page reads format 1/],
    [pageWithText('{"format": 1, "runs": ['), /not valid JSON/],
    [pageWithText(''), /not valid JSON/],
    [pageWith({ format: 1, runs: [] }), /holds no runs/],
    [pageWith([]), /not a JSON object/],
  ];
  for (const [html, message] of cases) {
    const { page, complaints } = await open(html);
    const alert = page.getByRole('alert');
    assert.ok(await alert.isVisible());
    assert.match((await alert.textContent()) ?? '', message);
    assert.deepEqual(complaints, []);
  }
});

test('damaged frames: a note, and everything else works', async () => {
  const changes: [name: string, change: (report: PackedReport) => void, message: RegExp][] = [
    ['truncated base64', ({ runs: [{ frames }] }) => (frames!.positions = frames!.positions.slice(0, 1001)), /positions: the base64/],
    ['truncated zlib', ({ runs: [{ frames }] }) => (frames!.positions = frames!.positions.slice(0, 1000)), /positions: the zlib/],
    ['not zlib', ({ runs: [{ surface }] }) => ([surface!].flat()[0].indices = 'bm90IHpsaWI='), /triangles: the zlib/],
    ['too short', ({ runs: [{ surface }] }) => ([surface!].flat()[0].vertices += 1), /positions: \d+ bytes where/],
    ['a box of nothing', ({ runs: [{ frames }] }) => (frames!.low = [0, 0, null as unknown as number]), /"low" is not three finite numbers/],
  ];
  for (const [name, change, message] of changes) {
    const report = runReport({ frames: 5 });
    change(report);
    const { page, complaints } = await open(pageWith(report));
    assert.match((await page.locator('.banner').textContent()) ?? '', message, name);
    assert.match((await page.locator('.no-frames').textContent()) ?? '', /motion cannot be shown/, name);
    assert.ok(await page.locator('#energy canvas').isVisible(), name);
    assert.deepEqual(complaints, [], name);
  }
});

test('a damaged field costs its colouring, a damaged run its picture', async () => {
  const report = compareReport();
  report.runs[0].frames!.fields[0].data = '';
  report.runs[1].frames!.positions = 'AAAA';
  const { page, complaints } = await open(pageWith(report));
  const text = (await page.locator('.banner').textContent()) ?? '';
  assert.match(text, /sdirk2: field speed/);
  assert.match(text, /be: positions/);
  assert.deepEqual(await page.locator('.cell-label').allTextContents(), ['sdirk2']);
  assert.ok((await lookAtCanvas(page)).drawn > 10_000);
  assert.deepEqual(complaints, []);
});

test('a manifest with hardly anything in it', async () => {
  const { page, complaints } = await open(pageWith({ format: 1, title: 'bare', mode: 'run', runs: [{ name: 'bare', manifest: {} }], errors: null }));
  assert.match((await page.locator('#energy').textContent()) ?? '', /ledger is empty/);
  assert.match((await page.locator('#steps').textContent()) ?? '', /No step was attempted/);
  assert.deepEqual(complaints, []);
});

test('names and reasons are text, whatever they contain', async () => {
  const evil = '</script><img src="http://example.invalid/x.png" onerror="document.title=1"><b>name</b>';
  const report = runReport({ name: evil, reason: evil, status: 'failed', frames: 3 });
  report.title = evil;
  const { page, complaints } = await open(pageWith(report));
  assert.equal(await page.locator('h1').textContent(), evil);
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(complaints, []);
});

/** energy.csv with totals that grow beyond all numbers from row 40 on. */
function blownUp(csv: string): string {
  const grown = (line: string, i: number): string => {
    const cells = line.split(',');
    if (i > 40) cells[6] = i > 60 ? 'inf' : `1e${i}`;
    return cells.join();
  };
  return csv.trim().split('\n').map(grown).join('\n');
}

test('energies of a run that blew up', async () => {
  const report = compareReport();
  report.runs[1].energy = blownUp(report.runs[1].energy);
  const scale = () => page.evaluate(() => {
    const { plot } = window.sinew.energy!.current()!.plot;
    const { distr, max } = plot.scales.y;
    return { finite: plot.data.slice(1).every((column) => [...column].every((v) => v == null || Number.isFinite(v))), distr, max };
  });
  // Both finished: the scale has to show everything.
  const { page, complaints } = await open(pageWith(report));
  assert.deepEqual({ ...(await scale()), max: 0 }, { finite: true, distr: 4, max: 0 });
  assert.ok(await page.locator('#energy').getByRole('checkbox', { name: 'log' }).isChecked());
  await page.locator('#energy').getByRole('checkbox', { name: 'log' }).uncheck();
  assert.ok((await scale()).max! >= 1e60);
  assert.deepEqual(complaints, []);
});

test('a failed run does not squash the energies of the others', async () => {
  const report = compareReport();
  report.runs[1].energy = blownUp(report.runs[1].energy);
  report.runs[1].manifest.status = 'failed';
  const { page, complaints } = await open(pageWith(report));
  const top = await page.evaluate(() => window.sinew.energy!.current()!.plot.plot.scales.y.max!);
  assert.ok(top < 10, `the axis ends at ${top}`);
  assert.match((await page.locator('#energy').textContent()) ?? '', /runs that finished/);
  await page.locator('#energy').getByRole('checkbox', { name: 'log' }).check();
  assert.ok((await page.evaluate(() => window.sinew.energy!.current()!.plot.plot.scales.y.max!)) >= 1e60);
  assert.deepEqual(complaints, []);
});

test('the page cannot load anything, even if it tried', async () => {
  const { page, complaints } = await open(pageWith(runReport({ withFrames: false })));
  assert.deepEqual(complaints, []);
  await page.evaluate(() => new Promise((done) => {
    const image = new Image();
    image.onload = image.onerror = done;
    image.src = 'http://example.invalid/x.png';
  }));
  assert.match(complaints.join(), /Content Security Policy/);
});
