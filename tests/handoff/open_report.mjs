// SPDX-License-Identifier: Apache-2.0
// Opens the report of a real run in Chromium, as a person would: from disk, without a network. Called
// by ctest with the report and its run directory.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [report, run, web] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(`${web}/package.json`)('playwright-core');

const browser = await chromium.launch({
  timeout: 600_000,
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const problems = [];
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(600_000);  // a busy machine is slow, not wrong
  const address = pathToFileURL(report).href;
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (request.url() !== address && !/^(data|blob):/.test(request.url())) problems.push(request.url());
  });
  await page.goto(address);
  await page.evaluate(() => window.sinew.ready);

  // what the page plots is what the run wrote
  const rows = readFileSync(`${run}/energy.csv`, 'utf8').trim().split('\n');
  const total = rows[0].split(',').indexOf('total');
  const expected = rows.slice(1).map((row) => Number(row.split(',')[total]));
  const shown = await page.evaluate(() => Array.from(window.sinew.report.runs[0].energy.numbers('total')));
  if (shown.length !== expected.length || shown.some((value, k) => value !== expected[k]))
    problems.push(`the energies differ: ${shown.length} shown, ${expected.length} written`);
  const moves = await page.evaluate(() => window.sinew.animations[0] !== null);
  if (!moves) problems.push('the frames were not understood');

  // every frame is drawn with the triangles that its PLY file has
  const files = readdirSync(`${run}/ply`).sort();
  for (const [frame, file] of files.entries()) {
    const faces = Number(/element face (\d+)/.exec(readFileSync(`${run}/ply/${file}`, 'latin1'))[1]);
    const drawn = await page.evaluate((number) => {
      const { clock, viewer } = window.sinew;
      clock.seekFrame(number);
      viewer.stage.draw();
      return viewer.stage.renderer.info.render.triangles;
    }, frame);
    if (drawn !== faces) problems.push(`frame ${frame}: ${drawn} triangles drawn, ${faces} written`);
  }
} finally {
  await browser.close();
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log('the report of a real run opens, plots its numbers, draws its frames and asks for nothing');
