// SPDX-License-Identifier: Apache-2.0
// Several runs in the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv } from '../../src/format/csv';
import { compareReport, crowdedReport, manyReport } from '../fixtures';
import { pageWith } from '../page';
import { lookAtCanvas, open } from './browser';

test('two runs: one clock, side by side and overlaid in cyan and pink', async () => {
  const { page, complaints } = await open(pageWith(compareReport()));
  assert.deepEqual(await page.locator('.cell-label').allTextContents(), ['sdirk2', 'be']);
  await lookAtCanvas(page);
  await page.evaluate(() => window.sinew.clock!.seekFrame(26));
  assert.deepEqual(await page.evaluate(() => window.sinew.viewer!.stage.meshes.map((mesh) => mesh.shownFrame)), [26, 26]);
  assert.ok((await lookAtCanvas(page)).changed > 3000);

  await page.getByRole('button', { name: 'Overlay the runs' }).click();
  const tints = await page.evaluate(() => {
    const { data } = window.sinew.viewer!.stage.pixels();
    let cyan = 0, pink = 0, both = 0;
    for (let i = 0; i < data.length; i += 4) {
      // Bodies are denser than the grid and its smoothed edges.
      if (data[i + 3] < 180) continue;
      const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
      if (b - r > 60 && g - r > 60) cyan++;
      else if (r - g > 60 && b - g > 20 && data[i + 3] < 220) pink++;
      else if (data[i + 3] > 220) both++;
    }
    return { cyan, pink, both };
  });
  assert.ok(tints.cyan > 1000 && tints.pink > 1000 && tints.both > 1000, JSON.stringify(tints));
  assert.ok(await page.getByRole('combobox', { name: 'Colour by' }).isDisabled());
  await page.keyboard.press('o');
  assert.ok(await page.getByRole('combobox', { name: 'Colour by' }).isEnabled());
  assert.deepEqual(complaints, []);
});

test('two runs: plots and tables', async () => {
  const report = compareReport();
  const { page, complaints } = await open(pageWith(report));
  /** Column of run i without the gaps that come from the other run's times. */
  const plotted = (i: number) => page.evaluate((n) => {
    const [times, ...columns] = window.sinew.energy!.current()!.plot.plot.data;
    return Array.from(times).flatMap((t, k) => (typeof columns[n][k] === 'number' ? [[t, columns[n][k]]] : []));
  }, i);
  const expected = (i: number, name: string) => {
    const table = parseCsv(report.runs[i].energy);
    return [...table.numbers('t')].map((t, k) => [t, table.numbers(name)[k]]);
  };
  for (const i of [0, 1]) assert.deepEqual(await plotted(i), expected(i, 'total'));
  await page.locator('#energy').getByRole('combobox', { name: 'Term' }).selectOption('kinetic');
  for (const i of [0, 1]) assert.deepEqual(await plotted(i), expected(i, 'kinetic'));

  const table = page.locator('#comparison table');
  const heads = ['Run', 'Error [m]', 'Numerical loss, max [J]', 'Time without output [s]', 'Step [s]', 'Steps', 'Rejected', 'Redone'];
  assert.deepEqual(await table.locator('thead th').allTextContents(), heads);
  const row = async (name: string) => (await table.locator('tbody tr', { hasText: name }).locator('td').allTextContents()).slice(2);
  assert.deepEqual(await row('sdirk2'), ['1.6', '0.01', '130', '0', '0']);
  assert.deepEqual(await row('be'), ['0.844', '0.02', '65', '0', '0']);
  // Without knowing the output of every row, none leaves it out.
  assert.match((await page.locator('#errors thead').textContent()) ?? '', /wall time \[s\]/);

  assert.equal(await page.locator('#cost .bars .bar-row').count(), 2);
  assert.equal(await page.locator('#errors .diagram-line').count(), 5);
  assert.equal(await page.locator('#errors .diagram-line .marker').count(), 18);
  assert.equal(await page.locator('#errors tbody tr').count(), 20);
  assert.equal(await page.locator('#errors tbody .failed').count(), 2);

  await page.locator('#steps').getByRole('combobox', { name: 'Run' }).selectOption('be');
  const dts = await page.evaluate(() => [...new Set(window.sinew.steps!.current()!.dt.plot.data[1])]);
  assert.deepEqual(dts, [0.02]);
  await page.locator('#manifest').getByRole('combobox', { name: 'Run' }).selectOption('be');
  assert.match((await page.locator('#manifest').textContent()) ?? '', /dt 0\.02/);
  assert.deepEqual(complaints, []);
});

test('four runs, one of which failed early', async () => {
  const { page, complaints } = await open(pageWith(crowdedReport()));
  assert.match((await page.getByRole('alert').textContent()) ?? '', /verlet failed/);
  await page.keyboard.press('End');
  assert.deepEqual(await page.evaluate(() => window.sinew.viewer!.stage.meshes.map((mesh) => mesh.shownFrame)), [39, 39, 39, 26]);
  assert.match((await page.locator('.cell-label').last().textContent()) ?? '', /verlet ended at 0\.8667/);
  // All runs share the range of the colours; those that finished set it.
  await page.keyboard.press('2');
  const highs = crowdedReport().runs.map((run) => run.frames!.fields[0].high);
  assert.ok(highs[3] > Math.max(...highs.slice(0, 3)));
  const range = await page.evaluate(() => window.sinew.viewer!.fields[0].full);
  assert.deepEqual(range, { low: 0, high: Math.max(...highs.slice(0, 3)) });
  assert.match((await page.locator('.legend-ends').textContent()) ?? '', /colours end at 2\.1\d*, peaks reach 2\.\d+/);
  await lookAtCanvas(page);
  await page.keyboard.press('o');
  assert.ok((await lookAtCanvas(page)).changed > 3000);
  assert.deepEqual(complaints, []);
});

test('twenty runs: every legend is complete and no two entries look alike', async () => {
  const report = manyReport();
  const { page, complaints } = await open(pageWith(report));
  for (const legend of ['#energy .chip', '#errors .key > *']) {
    const entries = await page.locator(legend).evaluateAll((elements) => elements.map((element) => {
      const box = element.getBoundingClientRect();
      const name = element.getAttribute('aria-label') ?? element.textContent!;
      const sample = element.querySelector('.line-sample')!;
      return {
        name,
        look: sample.getAttribute('style')! + sample.innerHTML,
        inside: box.left >= 0 && box.right <= document.documentElement.clientWidth && element.scrollWidth <= element.clientWidth + 1,
      };
    }));
    const names = legend.startsWith('#energy') ? report.runs.map((run) => run.name) : [...new Set(report.errors!.rows.map((row) => row.integrator))];
    assert.deepEqual(entries.map((entry) => entry.name.replace(' (nothing to draw)', '')), names);
    assert.equal(new Set(entries.map((entry) => entry.look)).size, names.length);
    assert.ok(entries.every((entry) => entry.inside), JSON.stringify(entries));
  }
  const same = page.locator('#energy .chip[aria-label="beere-0.02"] .same');
  assert.match((await same.textContent()) ?? '', /≡ be-0\.0/);
  assert.match((await page.locator('#errors tbody tr').last().textContent()) ?? '', /stopped/);
  const cut = await page.locator('#cost .bar-name').evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth + 1).length);
  assert.equal(cut, 0);
  assert.deepEqual(complaints, []);
});

test('runs are hidden in one place, and everything follows', async () => {
  const { page, complaints } = await open(pageWith(manyReport()));
  const look = () => page.evaluate(async () => {
    // The diagram is drawn when its width is known.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const { energy, probes, momentum, viewer } = window.sinew;
    const seen = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.offsetHeight > 0).length;
    return {
      plots: [energy, probes, momentum].map((panel) => panel!.current()!.plot.plot.series.slice(1).filter((series) => series.show).length),
      cells: viewer!.stage.cells.length, labels: seen('.cell-label'), bars: seen('#cost .bar-row'), points: document.querySelectorAll('#errors .diagram-line .marker').length,
      rows: seen('#errors tbody tr'),
    };
  });
  assert.deepEqual(await look(), { plots: [20, 20, 20], cells: 20, labels: 20, bars: 20, points: 20, rows: 21 });
  await page.getByRole('checkbox', { name: 'Show be-0.01' }).uncheck();
  await page.locator('#energy .chip[aria-label="be-0.02"]').click();
  // The reference row of another method stays: no run belongs to it.
  assert.deepEqual(await look(), { plots: [18, 18, 18], cells: 18, labels: 18, bars: 18, points: 18, rows: 19 });
  assert.equal(await page.getByRole('checkbox', { name: 'Show be-0.02' }).isChecked(), false);
  await page.getByRole('button', { name: 'hht-0.02' }).first().click();
  assert.deepEqual(await look(), { plots: [1, 1, 1], cells: 1, labels: 1, bars: 1, points: 1, rows: 2 });
  assert.ok((await lookAtCanvas(page)).drawn > 1000);
  await page.keyboard.press('o');
  assert.ok((await lookAtCanvas(page)).drawn > 1000);
  await page.getByRole('button', { name: 'Show all' }).click();
  assert.equal((await look()).labels, 20);
  assert.deepEqual(complaints, []);
});

test('a dozen runs are rows that fit a phone', async () => {
  const { page, complaints } = await open(pageWith(manyReport()), { width: 390, height: 844 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  const frame = (await page.locator('#comparison .table-frame').boundingBox())!;
  // Name, error, loss and time are seen without scrolling; no row is higher than three lines.
  for (const column of [1, 2, 3, 4]) {
    const cell = (await page.locator(`#comparison thead th:nth-child(${column})`).boundingBox())!;
    assert.ok(cell.x + cell.width <= frame.x + frame.width + 1, `column ${column}`);
  }
  const heights = await page.locator('#comparison tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  assert.ok(Math.max(...heights) < 64, String(heights));
  assert.deepEqual(complaints, []);
});

test('the comparison says how every run ended', async () => {
  const { page } = await open(pageWith(crowdedReport()));
  const rows = page.locator('#comparison tbody tr');
  assert.deepEqual(await rows.locator('td:nth-last-child(2)').allTextContents(), ['finished', 'finished', 'finished', 'failed']);
  const ended = await rows.locator('td:last-child').allTextContents();
  assert.equal(ended[0], '');
  assert.match(ended[3], /the energy is not finite/);
});
