// SPDX-License-Identifier: Apache-2.0
// Curves, bodies and swatches must be told apart, in both themes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { lineStyle, PALETTE_SIZE, runStyle } from '../../src/core/run_colours';
import { parseCsv } from '../../src/format/csv';
import { energyCurves } from '../../src/panels/energy_columns';
import { ENERGY_HEADER } from '../fixtures';

const [LIGHT, DARK] = readFileSync('src/style/tokens.css', 'utf8').split(":root[data-theme='dark']");

function token(theme: string, name: string): [number, number, number] {
  const found = new RegExp(`${name}: #([0-9a-f]{6});`).exec(theme);
  assert.ok(found, `${name} is missing`);
  return [0, 2, 4].map((at) => parseInt(found[1].slice(at, at + 2), 16)) as [number, number, number];
}

const linear = (c: number): number => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);

/** Oklab: equal distances look about equal. */
function oklab(rgb: [number, number, number]): number[] {
  const [r, g, b] = rgb.map(linear);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function luminance(rgb: [number, number, number]): number {
  const [r, g, b] = rgb.map(linear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

for (const [name, theme] of [['light', LIGHT], ['dark', DARK]] as const) {
  test(`32 colours are distinct and stand out from the page, ${name}`, () => {
    const colours = Array.from({ length: PALETTE_SIZE }, (_, i) => token(theme, `--safe-${i}`));
    const labs = colours.map(oklab);
    // Two hundredths is about the smallest difference that can be seen.
    for (let i = 0; i < labs.length; ++i) {
      for (let k = 0; k < i; ++k) assert.ok(Math.hypot(...labs[i].map((x, c) => x - labs[k][c])) > 0.07, `${k} and ${i}`);
    }
    const card = luminance(token(theme, '--card'));
    for (const [i, colour] of colours.entries()) {
      const own = luminance(colour);
      assert.ok((Math.max(own, card) + 0.05) / (Math.min(own, card) + 0.05) > 2.2, `${i} on the page`);
    }
  });
}

test('no two of 32 runs share a colour, no two of 192 lines look alike', () => {
  assert.equal(new Set(Array.from({ length: 32 }, (_, i) => runStyle(i, 32).colour)).size, 32);
  // Without colours, on paper, neighbours differ in their shapes.
  for (let i = 1; i < 32; ++i) assert.notEqual(runStyle(i, 32).shape, runStyle(i - 1, 32).shape);
  for (const [count, style] of [[192, lineStyle], [40, (i: number) => runStyle(i, 40)]] as const) {
    const looks = Array.from({ length: count }, (_, i) => JSON.stringify(style(i)));
    assert.equal(new Set(looks).size, count);
  }
});

test('the terms of the energy look different, unknown ones too', () => {
  const terms = energyCurves([parseCsv(`${ENERGY_HEADER},a_loss,b_loss,c_loss\n`)]).map(({ colour, dash, shape }) => JSON.stringify({ colour, dash, shape }));
  assert.equal(new Set(terms).size, terms.length);
});
