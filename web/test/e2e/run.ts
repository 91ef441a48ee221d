// SPDX-License-Identifier: Apache-2.0
// One run in the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv } from '../../src/format/csv';
import { FAILURE, failedReport, runReport } from '../fixtures';
import { pageWith } from '../page';
import { currentFrame, lookAtCanvas, open } from './browser';

test('playback moves the picture and stops', async () => {
  const { page, complaints } = await open(pageWith(runReport()));
  const still = await lookAtCanvas(page);
  assert.ok(still.drawn > 10_000, `${still.drawn} pixels drawn`);
  assert.equal((await lookAtCanvas(page)).changed, 0);

  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => window.sinew.clock!.frame >= 3);
  const moving = await lookAtCanvas(page);
  assert.ok(moving.changed > 3000, `${moving.changed} pixels changed`);
  // Not only what a test asks for is drawn, but also what the reader sees.
  const seen = await page.locator('.stage canvas').screenshot();
  const frame = await currentFrame(page);
  await page.waitForFunction((f) => window.sinew.clock!.frame !== f, frame);
  assert.notDeepEqual(await page.locator('.stage canvas').screenshot(), seen);

  await page.getByRole('button', { name: 'Pause' }).click();
  const stopped = await currentFrame(page);
  await lookAtCanvas(page);
  await page.waitForTimeout(200);
  assert.equal(await currentFrame(page), stopped);
  assert.equal((await lookAtCanvas(page)).changed, 0);
  assert.deepEqual(complaints, []);
});

test('scrubbing, speed, colouring, wireframe and camera', async () => {
  const { page, complaints } = await open(pageWith(runReport()));
  await lookAtCanvas(page);
  await page.getByRole('slider', { name: 'Frame' }).fill('13');
  assert.equal(await currentFrame(page), 13);
  assert.ok((await lookAtCanvas(page)).changed > 3000);

  await page.getByRole('combobox', { name: 'Playback speed' }).selectOption('4×');
  assert.equal(await page.evaluate(() => window.sinew.clock!.speed.value), 4);

  assert.ok(await page.locator('.legend').isHidden());
  for (const field of ['Speed', 'Displacement', 'Von Mises stress', 'Energy density']) {
    await page.getByRole('combobox', { name: 'Colour by' }).selectOption(field);
    assert.ok((await lookAtCanvas(page)).changed > 3000, field);
    assert.match((await page.locator('.legend').textContent()) ?? '', new RegExp(`${field} \\[.+\\]`));
  }
  await page.getByRole('button', { name: 'Wireframe' }).click();
  assert.ok((await lookAtCanvas(page)).changed > 500);
  await page.getByRole('button', { name: 'Ground grid' }).click();
  assert.ok((await lookAtCanvas(page)).changed > 500);

  const canvas = await page.locator('.stage canvas').boundingBox();
  assert.ok(canvas);
  await page.mouse.move(canvas.x + 200, canvas.y + 200);
  await page.mouse.down();
  await page.mouse.move(canvas.x + 300, canvas.y + 220, { steps: 4 });
  await page.mouse.up();
  assert.ok((await lookAtCanvas(page)).changed > 3000, 'orbit');
  const distance = await page.evaluate(() => window.sinew.viewer!.stage.camera.position.length());
  await page.mouse.wheel(0, 300);
  await page.waitForFunction((before) => window.sinew.viewer!.stage.camera.position.length() > before, distance);
  assert.ok((await lookAtCanvas(page)).changed > 3000, 'zoom');
  assert.deepEqual(complaints, []);
});

test('the plots hold the numbers of the tables', async () => {
  const report = runReport({ rejected: 3 });
  const energy = parseCsv(report.runs[0].energy);
  const { page, complaints } = await open(pageWith(report));

  const plotted = await page.evaluate(() => {
    const { plot } = window.sinew.energy!.current()!;
    return { data: plot.plot.data.map((column) => [...column]), labels: plot.plot.series.map((s) => s.label) };
  });
  assert.deepEqual(plotted.data[0], [...energy.numbers('t')]);
  // Gravity is zero at the start here; what is zero throughout is named below the plot only.
  const names = ['kinetic', 'elastic', 'gravity', 'total', 'numerical_loss'];
  names.forEach((name, i) => assert.deepEqual(plotted.data[i + 1], [...energy.numbers(name)], name));
  assert.deepEqual(plotted.labels.slice(1), ['kinetic', 'elastic', 'gravity, change since t = 0', 'total', 'numerical loss']);
  assert.match((await page.locator('#energy .plot-note').textContent()) ?? '', /Zero throughout: contact, external work, damping loss, friction loss, plastic loss\./);
  assert.deepEqual(await page.evaluate(() => window.sinew.energy!.current()!.plot.plot.axes.map((axis) => axis.label)), ['t [s]', 'energy [J]']);
  const isShown = (series: number) => page.evaluate((i) => window.sinew.energy!.current()!.plot.plot.series[i].show, series);
  await page.locator('#energy').getByRole('button', { name: /^kinetic/ }).click();
  assert.equal(await isShown(1), false);
  assert.equal(await isShown(2), true);

  // The line at the playback time, and a click that seeks.
  await page.keyboard.press('End');
  const marked = () => page.evaluate(() => window.sinew.energy!.current()!.plot.markedTime);
  assert.equal(await marked(), 1.3);
  const over = await page.locator('#energy .u-over').boundingBox();
  assert.ok(over);
  await page.mouse.click(over.x + over.width / 2, over.y + over.height / 2);
  assert.ok(Math.abs((await marked())! - 0.65) < 0.02);
  assert.ok(Math.abs((await page.evaluate(() => window.sinew.clock!.time.value)) - 0.65) < 0.02);

  const steps = parseCsv(report.runs[0].steps);
  const accepted = steps.texts('status').filter((status) => status === 'accepted').length;
  const dt = await page.evaluate(() => window.sinew.steps!.current()!.dt.plot.data.map((column) => [...column]));
  assert.equal(dt[1].filter((value) => typeof value === 'number').length, accepted);
  assert.equal(dt[2].filter((value) => value === 0.01).length, 3);
  const newton = await page.evaluate(() => [...window.sinew.steps!.current()!.iterations!.plot.data[1]]);
  assert.deepEqual(newton, [...steps.numbers('newton')].filter((_, i) => steps.texts('status')[i] === 'accepted'));
  const rows = page.locator('.rejected tbody tr');
  assert.equal(await rows.count(), 3);
  assert.match((await rows.first().textContent()) ?? '', /0\.66.*0\.01.*newton-not-converged/);
  assert.deepEqual(complaints, []);
});

test('probes and momenta', async () => {
  const report = runReport();
  const { page, complaints } = await open(pageWith(report));
  const columns = (panel: 'probes' | 'momentum') => page.evaluate((name) => {
    const { plot, chips } = window.sinew[name]!.current()!;
    return { labels: chips.map(({ series }) => series.label), data: plot.plot.data.slice(1).map((column) => [...column]) };
  }, panel);
  const table = parseCsv(report.runs[0].probes!);
  const shown = await columns('probes');
  assert.deepEqual(shown.labels, ['displacement x', 'displacement z', 'displacement, magnitude']);
  assert.deepEqual(shown.data[1], [...table.numbers('tip_z')].map((z) => z - table.numbers('tip_z')[0]));
  await page.locator('#probes').getByRole('combobox', { name: 'Show' }).selectOption('tip: velocity');
  assert.deepEqual((await columns('probes')).data[1], [...table.numbers('tip_vz')]);
  const energy = parseCsv(report.runs[0].energy);
  assert.deepEqual((await columns('momentum')).data[0], [...energy.numbers('pz')]);
  await page.locator('#momentum').getByRole('combobox', { name: 'Show' }).selectOption('Angular momentum');
  assert.deepEqual((await columns('momentum')).data[0], [...energy.numbers('ly')]);
  assert.deepEqual(complaints, []);
});

test('the guard shows its rungs, a claim stands on top, and the manifest says what is up', async () => {
  const report = { ...runReport({ redone: 8, up: [0, 1, 0] }), claim: 'The bar <b>swings</b>.' };
  const { page, complaints } = await open(pageWith(report));
  assert.match((await page.locator('.banner.note').textContent()) ?? '', /Claim tested: The bar <b>swings<\/b>\./);
  assert.match((await page.locator('#guard .rung-head').textContent()) ?? '', /8 projected tangent, 4 be of 130 steps/);
  const rungs = await page.locator('#guard rect title').allTextContents();
  assert.deepEqual(rungs.map((text) => text.split(':')[0]), ['as asked', 'as asked', 'projected tangent', 'be']);
  const up = await page.evaluate(() => window.sinew.viewer!.stage.camera.up.toArray());
  assert.deepEqual(up, [0, 1, 0]);
  await lookAtCanvas(page);
  assert.equal(await page.locator('#guard').count(), 1);
  await open(pageWith(runReport()));
  assert.equal(await page.locator('#guard').count(), 0);
  assert.deepEqual(await page.evaluate(() => window.sinew.viewer!.stage.camera.up.toArray()), [0, 0, 1]);
  assert.deepEqual(complaints, []);
});

test('modes are named as modes, not as times', async () => {
  const report = runReport({ integrator: 'modes', frames: 3 });
  report.runs[0].frames!.times = [1, 2, 2.5];
  report.runs[0].modes = 'mode,kind,frequency,omega,eigenvalue,residual,damping_ratio\n0,rigid,0,0,0,0,0\n1,vibration,0.5,3.14,9.87,1e-9,0.02\n2,vibration,1,6.28,39.5,1e-9,0.01\n';
  const { page, complaints } = await open(pageWith(report));
  assert.deepEqual(await page.locator('#modes tbody th').allTextContents(), ['rigid', 'mode 1', 'mode 2']);
  assert.equal(await page.locator('.readout .now').textContent(), 'mode 1');
  await page.keyboard.press('End');
  await page.keyboard.press('3');
  assert.match((await page.locator('.legend-head').textContent()) ?? '', /mode 2, 50\u202f% of its period/);
  assert.match((await page.locator('#facts').textContent()) ?? '', /Modes3/);
  for (const panel of ['energy', 'momentum', 'steps']) assert.equal(await page.locator(`#${panel}`).count(), 0);
  assert.deepEqual(complaints, []);
});

test('cost, facts, manifest and copying', async () => {
  const { page, complaints } = await open(pageWith(runReport()));
  const cost = (await page.locator('#cost').textContent()) ?? '';
  assert.match(cost, /assemble570\u202fms31\u202f%/);
  assert.match(cost, /factorizations15/);
  assert.match((await page.locator('#facts').textContent()) ?? '', /Wall time1\.84\u202fs/);

  const manifest = page.locator('#manifest');
  assert.ok(await manifest.getByText('"stable-neo-hookean"').isHidden());
  for (const key of ['bodies', '0', 'material']) await manifest.locator('summary', { has: page.getByText(key, { exact: true }) }).last().click();
  await manifest.getByText('"stable-neo-hookean"').waitFor();

  await page.evaluate(() => {
    const clipboard = { writeText: async (text: string) => { document.title = text; } };
    Object.defineProperty(navigator, 'clipboard', { value: clipboard });
  });
  await manifest.getByRole('button', { name: 'Copy scene' }).click();
  await manifest.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = JSON.parse(await page.evaluate(() => document.title));
  assert.deepEqual(copied, runReport().runs[0].manifest.scene);
  assert.deepEqual(complaints, []);
});

test('keys', async () => {
  const { page, complaints } = await open(pageWith(runReport()));
  const { keyboard } = page;
  const state = () => page.evaluate(() => {
    const { clock, viewer } = window.sinew;
    const { field, wireframe, grid } = viewer!.settings;
    return { playing: clock!.playing.value, frame: clock!.frame, field: field.value, wireframe: wireframe.value, grid: grid.value };
  });
  await keyboard.press('Space');
  assert.equal((await state()).playing, true);
  await keyboard.press('Space');
  assert.equal((await state()).playing, false);
  await keyboard.press('Home');
  assert.equal((await state()).frame, 0);
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowLeft');
  assert.equal((await state()).frame, 1);
  await keyboard.press('End');
  assert.equal((await state()).frame, 39);
  await keyboard.press('w');
  await keyboard.press('g');
  assert.deepEqual([(await state()).wireframe, (await state()).grid], [true, false]);
  for (const [key, field] of [['2', 'speed'], ['3', 'displacement'], ['4', 'von_mises'], ['5', 'energy_density'], ['1', null]] as const) {
    await keyboard.press(key);
    assert.equal((await state()).field, field);
  }
  // The camera goes away and comes back.
  await page.evaluate(() => window.sinew.viewer!.stage.camera.position.multiplyScalar(5));
  const far = await page.evaluate(() => window.sinew.viewer!.stage.camera.position.length());
  await keyboard.press('f');
  assert.ok((await page.evaluate(() => window.sinew.viewer!.stage.camera.position.length())) < far / 2);

  const help = page.getByRole('dialog', { name: 'Keys and mouse' });
  await keyboard.press('?');
  assert.ok(await help.isVisible());
  await keyboard.press('ArrowLeft');
  assert.equal((await state()).frame, 39, 'keys rest while the help is open');
  await keyboard.press('?');
  assert.ok(await help.isHidden());
  // Space on a button presses the button, it does not play.
  await page.getByRole('button', { name: 'Ground grid' }).focus();
  await keyboard.press('Space');
  assert.deepEqual([(await state()).playing, (await state()).grid], [false, true]);
  assert.deepEqual(complaints, []);
});

test('a failed run says where and why, and still plays', async () => {
  const { page, complaints } = await open(pageWith(failedReport()));
  const alert = page.getByRole('alert');
  assert.match((await alert.textContent()) ?? '', /verlet failed at t = 0\.87\u202fs of 1\.333\u202fs \(65\u202f%\), after 95 accepted steps/);
  assert.ok(((await alert.textContent()) ?? '').includes(FAILURE));
  await lookAtCanvas(page);
  await page.keyboard.press('End');
  assert.ok((await lookAtCanvas(page)).changed > 3000);
  assert.equal(await page.locator('.rejected tbody tr').count(), 8);
  assert.deepEqual(complaints, []);
});

test('a stopped run, and one without frames', async () => {
  const report = runReport({ status: 'stopped', reason: 'stopped by Ctrl-C', withFrames: false });
  const { page, complaints } = await open(pageWith(report));
  assert.match((await page.locator('.banner').textContent()) ?? '', /was stopped at t = 0\.87.*stopped by Ctrl-C/);
  assert.match((await page.locator('.no-frames').textContent()) ?? '', /No frames in this report/);
  assert.equal(await page.locator('.stage').count(), 0);
  assert.ok(await page.locator('#energy canvas').isVisible());
  assert.ok((await page.evaluate(() => window.sinew.energy!.current()!.plot.plot.data[0].length)) > 80);
  assert.deepEqual(complaints, []);
});

test('light and dark', async () => {
  const { page, complaints } = await open(pageWith(runReport()), { colourScheme: 'dark' });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await lookAtCanvas(page);
  await page.getByRole('button', { name: 'Light colours' }).click();
  assert.notEqual(await background(), dark);
  assert.ok((await lookAtCanvas(page)).changed > 500);
  await page.getByRole('button', { name: 'Dark colours' }).click();
  assert.equal(await background(), dark);
  assert.deepEqual(complaints, []);
});

test('nothing sticks out on a phone', async () => {
  const { page, complaints } = await open(pageWith(runReport({ rejected: 3 })), { width: 360, height: 740 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  const play = await page.getByRole('button', { name: 'Play', exact: true }).boundingBox();
  assert.ok(play && play.y + play.height < 740, 'the play button is on the first screen');
  assert.deepEqual(complaints, []);
});
