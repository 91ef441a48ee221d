// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareReport, sweepReport } from '../fixtures';
import { pageWith } from '../page';
import { open } from './browser';

test('a sweep: columns of its parameters, and results over them', async () => {
  const { page, complaints } = await open(pageWith(sweepReport()));
  const table = page.locator('#comparison table');
  assert.deepEqual((await table.locator('thead th').allTextContents()).slice(0, 5), ['Run', 'young [Pa]', 'integrator', 'dt [s]', 'Numerical loss, max [J]']);
  assert.equal(await table.locator('thead th').nth(1).getAttribute('title'), 'bodies.0.material.young');
  assert.deepEqual((await table.locator('tbody tr').nth(3).locator('td').allTextContents()).slice(0, 3), ['1e4', 'be', '0.02']);
  assert.equal(await page.locator('.cell-label').nth(3).textContent(), '1e4, be, 0.02');

  const panel = page.locator('#parameters');
  const look = () => page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const count = (selector: string) => document.querySelectorAll(`#parameters ${selector}`).length;
    return {
      lines: count('.diagram-line polyline'), points: count('.marker') - count('.key .marker'), key: count('.key > span'),
      titles: [...document.querySelectorAll('#parameters .axis-title')].map((title) => title.textContent),
    };
  });
  // The run that failed is in none of them.
  assert.deepEqual(await look(), { lines: 4, points: 11, key: 4, titles: ['young [Pa]', 'energy at the end [J]'] });
  assert.match((await panel.textContent()) ?? '', /1 of 12 runs did not finish/);
  await panel.getByRole('combobox', { name: 'Over' }).selectOption({ label: 'integrator' });
  await panel.getByRole('combobox', { name: 'Result' }).selectOption({ label: 'tip: z at the end' });
  assert.deepEqual(await look(), { lines: 0, points: 11, key: 6, titles: ['integrator', 'tip: z at the end [m]'] });
  await page.getByRole('checkbox', { name: 'Show young=1e4_name=si_dt=0.01' }).uncheck();
  assert.equal((await look()).points, 10);
  assert.deepEqual(complaints, []);
});

test('a sweep fits a phone: words at an axis are within the picture', async () => {
  const report = sweepReport();
  const names = ['str-sbdf2ere', 'generalized-alpha', 'implicit-midpoint', 'trapezoidal', 'a-name-that-is-far-too-long-for-any-axis', 'be'];
  report.runs.forEach((run, i) => (run.parameters = [{ name: 'integrator.name', value: names[i % 6] }, { name: 'time.end', value: String(i < 6) }]));
  const { page, complaints } = await open(pageWith(report), { width: 390, height: 844 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  const outside = await page.locator('#parameters .diagram').evaluate((picture) => {
    const frame = picture.getBoundingClientRect();
    return [...picture.querySelectorAll('text')].filter((text) => {
      const box = text.getBoundingClientRect();
      return box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
    }).map((text) => text.textContent);
  });
  assert.deepEqual(outside, []);
  assert.deepEqual(complaints, []);
});

test('without parameters there is no panel for them', async () => {
  const { page } = await open(pageWith(compareReport()));
  assert.equal(await page.locator('#parameters').count(), 0);
});
