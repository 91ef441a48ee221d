// SPDX-License-Identifier: Apache-2.0
// Runs whose triangles change on the way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { breakingReport, halfBrokenReport } from '../fixtures';
import { pageWith } from '../page';
import { lookAtCanvas, open } from './browser';

// A box of a x b x c cells has 4 (a b + b c + c a) triangles; the bar has 24 x 4 x 4, a half 12 x 4 x 4.
const WHOLE = 4 * (24 * 4 + 4 * 4 + 4 * 24);
const HALVES = 2 * 4 * (12 * 4 + 4 * 4 + 4 * 12);

/** Triangles that the graphics card was asked for by the last picture, of the last run drawn. */
const drawnTriangles = (page: Page): Promise<number> => page.evaluate(() => {
  const { stage } = window.sinew.viewer!;
  stage.draw();
  return (stage as unknown as { renderer: { info: { render: { triangles: number } } } }).renderer.info.render.triangles;
});

const seek = (page: Page, frame: number): Promise<void> => page.evaluate((f) => window.sinew.clock!.seekFrame(f), frame);

test('scrubbing across a break: each frame with its own triangles', async () => {
  const { page, complaints } = await open(pageWith(breakingReport()));
  assert.equal(await drawnTriangles(page), WHOLE);
  for (const [frame, triangles] of [[19, WHOLE], [20, HALVES], [39, HALVES], [0, WHOLE], [25, HALVES]]) {
    await seek(page, frame);
    assert.equal(await drawnTriangles(page), triangles, `frame ${frame}`);
  }
  // What was chosen holds on both sides.
  await page.getByRole('combobox', { name: 'Colour by' }).selectOption('Displacement');
  await page.getByRole('button', { name: 'Wireframe' }).click();
  const ends: Record<number, { drawn: number }> = {};
  for (const frame of [5, 39]) {
    await seek(page, frame);
    ends[frame] = await lookAtCanvas(page);
    const colours = await page.evaluate(() => {
      const { data } = window.sinew.viewer!.stage.pixels();
      const seen = new Set<number>();
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) seen.add((data[i] >> 5) * 64 + (data[i + 1] >> 5) * 8 + (data[i + 2] >> 5));
      return seen.size;
    });
    assert.ok(colours > 10, `${colours} colours in frame ${frame}`);
  }
  assert.ok(ends[5].drawn > 5000 && ends[39].drawn > 5000, JSON.stringify(ends));
  // Geometries that are not shown any more are let go.
  const kept = () => page.evaluate(() => (window.sinew.viewer!.stage as unknown as { renderer: { info: { memory: { geometries: number } } } }).renderer.info.memory.geometries);
  const before = await kept();
  for (let turn = 0; turn < 5; ++turn) {
    for (const frame of [5, 30]) {
      await seek(page, frame);
      await drawnTriangles(page);
    }
  }
  assert.equal(await kept(), before);
  assert.deepEqual(complaints, []);
});

test('playing across a break', async () => {
  const { page, complaints } = await open(pageWith(breakingReport()));
  await seek(page, 17);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => window.sinew.clock!.frame >= 22);
  await page.getByRole('button', { name: 'Pause' }).click();
  await seek(page, 22);
  assert.equal(await drawnTriangles(page), HALVES);
  assert.deepEqual(complaints, []);
});

test('one of two runs breaks: side by side and overlaid', async () => {
  const { page, complaints } = await open(pageWith(halfBrokenReport()));
  // The second run is drawn last.
  assert.equal(await drawnTriangles(page), WHOLE);
  await seek(page, 30);
  assert.equal(await drawnTriangles(page), HALVES);
  const side = await lookAtCanvas(page);
  await page.keyboard.press('o');
  const over = await lookAtCanvas(page);
  assert.ok(side.drawn > 5000 && over.drawn > 5000 && over.changed > 3000, JSON.stringify({ side, over }));
  await seek(page, 10);
  assert.ok((await lookAtCanvas(page)).changed > 1000);
  assert.deepEqual(complaints, []);
});
