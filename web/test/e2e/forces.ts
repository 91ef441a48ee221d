// SPDX-License-Identifier: Apache-2.0
// Arrows of forces in the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { runReport, supportedReport } from '../fixtures';
import { pageWith } from '../page';
import { lookAtCanvas, open } from './browser';

const TOUCHING = 13;

const seek = (page: Page, frame: number): Promise<void> => page.evaluate((f) => window.sinew.clock!.seekFrame(f), frame);

test('arrows are off at first, chosen by name or key, and follow the frames', async () => {
  const { page, complaints } = await open(pageWith(runReport({ supported: true })));
  const select = page.getByRole('combobox', { name: 'Arrows' });
  const legend = page.locator('.force-legend');
  await seek(page, TOUCHING);
  await lookAtCanvas(page);
  assert.ok(await legend.isHidden());
  await select.selectOption('Contact force');
  assert.ok((await lookAtCanvas(page)).changed > 500);
  assert.match((await legend.textContent()) ?? '', /Contact force.*[125]0*\u202fN/);
  const sample = await page.locator('.arrow-sample').boundingBox();
  assert.ok(sample && sample.width > 30 && sample.width <= 91, JSON.stringify(sample));

  await select.blur();
  const chosen = () => page.evaluate(() => window.sinew.viewer!.settings.force.value);
  for (const name of ['friction_force', null, 'contact_force']) {
    await page.keyboard.press('a');
    assert.equal(await chosen(), name);
    assert.ok((await lookAtCanvas(page)).changed > 500);
  }
  // Nothing is touched in the first frame.
  await seek(page, 0);
  await lookAtCanvas(page);
  await page.keyboard.press('a');
  assert.equal((await lookAtCanvas(page)).changed, 0);
  assert.deepEqual(complaints, []);
});

test('arrows of two runs, side by side and overlaid', async () => {
  const { page, complaints } = await open(pageWith(supportedReport()));
  for (const layout of ['side', 'overlay']) {
    await seek(page, TOUCHING);
    await lookAtCanvas(page);
    await page.keyboard.press('a');
    assert.ok((await lookAtCanvas(page)).changed > 500, layout);
    await page.keyboard.press('a');
    await page.keyboard.press('a');
    await page.keyboard.press('o');
  }
  assert.deepEqual(complaints, []);
});

test('without forces there is no choice of arrows, with damaged ones a note', async () => {
  const { page } = await open(pageWith(runReport()));
  assert.equal(await page.getByRole('combobox', { name: 'Arrows' }).count(), 0);
  await page.keyboard.press('a');
  const report = runReport({ supported: true });
  report.runs[0].frames!.vectors![1].data = '';
  const { complaints } = await open(pageWith(report));
  assert.deepEqual(await page.getByRole('combobox', { name: 'Arrows' }).locator('option').allTextContents(), ['No forces', 'Contact force']);
  assert.match((await page.locator('.banner').textContent()) ?? '', /vectors friction_force/);
  assert.ok((await lookAtCanvas(page)).drawn > 10_000);
  assert.deepEqual(complaints, []);
});
