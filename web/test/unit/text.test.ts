// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCount, formatNumber, formatPercent, formatQuantity, prettyUnit, scaledUnit } from '../../src/core/number_format';
import { unitFor, useUnits } from '../../src/core/units';
import { axisText, powerText } from '../../src/plots/axis_text';
import { isAllZero, spansManyMagnitudes, toColumn } from '../../src/plots/columns';
import { logAxis, signedLogTicks } from '../../src/plots/log_axis';
import { workPrecisionLines } from '../../src/plots/work_precision';
import { markedPoints } from '../../src/plots/line_marks';
import { firstAlike } from '../../src/plots/same_curves';
import { energyCurves } from '../../src/panels/energy_columns';
import { parseCsv } from '../../src/format/csv';
import { ENERGY_HEADER, errorsFixture } from '../fixtures';

test('numbers', () => {
  const expected: [number | null, string][] = [
    [0, '0'], [1234.5678, '1235'], [-0.5, '−0.5'], [2.5e-7, '2.5·10⁻⁷'], [1e9, '10⁹'], [-3e8, '−3·10⁸'],
    [null, '–'], [NaN, '–'], [Infinity, '∞'], [-Infinity, '−∞'],
  ];
  for (const [value, text] of expected) assert.equal(formatNumber(value), text);
  assert.equal(formatCount(1234567), '1\u2009234\u2009567');
  assert.equal(formatPercent(0.0004), '<0.1\u202f%');
});

test('units', () => {
  assert.equal(formatQuantity(139_000, 'Pa', 3), '139\u202fkPa');
  assert.equal(formatQuantity(0.00092, 's', 3), '920\u202fµs');
  assert.equal(formatQuantity(7200, 's'), '7200\u202fs');
  assert.equal(formatQuantity(0, 'J'), '0\u202fJ');
  assert.equal(formatQuantity(-0.02, 'J'), '−20\u202fmJ');
  assert.equal(formatQuantity(3200, 'm/s'), '3200\u202fm/s');
  assert.equal(prettyUnit('J/m^3'), 'J/m³');
  assert.deepEqual(scaledUnit(5e6, 'J/m^3'), { factor: 1e6, unit: 'MJ/m³' });
});

test('axes have the digits their ticks need', () => {
  assert.deepEqual(axisText([0, 2.5, 5], 2.5), ['0', '2.5', '5.0']);
  assert.deepEqual(axisText([-20, 0, 20], 20), ['−20', '0', '20']);
  assert.deepEqual(axisText([-0.30086, -0.30085], 1e-5), ['−0.30086', '−0.30085']);
  assert.deepEqual(axisText([0, 5e-5, 1e-4], 5e-5), ['0', '5·10⁻⁵', '10⁻⁴']);
});

test('columns', () => {
  assert.deepEqual(toColumn([1, NaN, Infinity, -2]), [1, null, null, -2]);
  assert.ok(isAllZero([0, 0, NaN]));
  assert.ok(!isAllZero([0, 1e-300]));
  assert.ok(spansManyMagnitudes([[1, 2, 3], [1, 2, 1e6]]));
  assert.ok(!spansManyMagnitudes([[0, 0, 1], [1, 2, 100]]));
});

test('no tick is rounded to another number', () => {
  assert.deepEqual(axisText([0, 25_000, 50_000, 125_000], 25_000), ['0', '2.5·10⁴', '5·10⁴', '1.25·10⁵']);
  assert.deepEqual(axisText([0.25, 0.375], 0.125), ['0.250', '0.375']);
  assert.deepEqual(powerText([0, 25, 125]), ['0', '25', '125']);
  const plain = (digits: string): number => Number([...digits].map((c) => ('⁻−'.includes(c) ? '-' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.includes(c) ? '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c) : c)).join(''));
  const read = (text: string): number => {
    const power = /^(?:(.+)·)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/.exec(text);
    return power ? plain(power[1] ?? '1') * 10 ** plain(power[2]) : plain(text);
  };
  for (const increment of [1, 2, 2.5, 5, 1.5]) {
    for (let power = -9; power <= 9; ++power) {
      const step = increment * 10 ** power;
      for (const first of [0, 3, 1004]) {
        const ticks = Array.from({ length: 6 }, (_, i) => (first + i) * step);
        axisText(ticks, step).forEach((text, i) => assert.ok(Math.abs(read(text) - ticks[i]) <= 1e-6 * step, `${ticks[i]} as ${text}`));
      }
    }
  }
});

test('energies are all columns that are neither counters nor momenta', () => {
  const names = energyCurves([parseCsv(`${ENERGY_HEADER},magnetic_loss\n`)]).map((curve) => curve.name);
  assert.deepEqual(names, ['kinetic', 'elastic', 'gravity', 'contact', 'total', 'external_work', 'damping_loss', 'friction_loss',
    'plastic_loss', 'numerical_loss', 'magnetic_loss']);
});

test('a logarithmic axis has ticks inside', () => {
  for (const values of [[1, 2], [1e-6, 10], [3], [1e-12, 1e12], []]) {
    const axis = logAxis(values);
    assert.ok(axis.ticks.length >= 1, String(values));
    for (const tick of axis.ticks) assert.ok(axis.share(tick) >= 0 && axis.share(tick) <= 1);
    for (const value of values) assert.ok(axis.share(value) > 0 && axis.share(value) < 1);
  }
});

test('ticks of the signed logarithm', () => {
  assert.deepEqual(signedLogTicks(-100, 1000, 1), [-10, 0, 10, 1000]);
  assert.deepEqual(signedLogTicks(0, 500, 1), [0, 1, 10, 100]);
  const wide = signedLogTicks(0, 2e102, 500);
  assert.ok(wide.length >= 4 && wide.length <= 8 && wide[0] === 0 && Math.max(...wide) === 1e102);
});

test('marks are spread along a curve, and every curve has one', () => {
  const places = Array.from({ length: 301 }, (_, i) => i);
  assert.deepEqual(markedPoints(places, places, 0, 100), [0, 100, 200, 300]);
  assert.notDeepEqual(markedPoints(places, places, 1, 100), markedPoints(places, places, 2, 100));
  assert.deepEqual(markedPoints([null, 5, 7], [1, null, 3], 1, 100), [2]);
  assert.deepEqual(markedPoints([1, 2], [null, null], 0, 100), []);
});

test('curves that coincide are found, with other steps too', () => {
  const line = (n: number, slope: number) => {
    const times = Array.from({ length: n + 1 }, (_, i) => i / n);
    return { times, values: times.map((t) => slope * t) };
  };
  assert.deepEqual(firstAlike([line(1000, 1), line(1000, 1.001), line(500, 1), line(1000, 1.1)], 1), [0, 0, 0, 3]);
  assert.deepEqual(firstAlike([line(10, 1), { times: [], values: [] }], 1), [0, 1]);
});

test('failed runs are not drawn in the work-precision diagram', () => {
  const { rows } = errorsFixture();
  const lines = workPrecisionLines(rows, rows.map(() => -1), 0, () => true);
  assert.deepEqual(lines.map((line) => [line.integrator, line.points.length]), [['si', 4], ['be', 4], ['sdirk2', 4], ['bdf2', 4], ['rk4', 2]]);
  const dts = lines[0].points.map((point) => point.dt);
  assert.deepEqual(dts, [0.02, 0.01, 0.005, 0.0025]);
});

test('scenes of molecules name their own units, and nothing else changes', () => {
  useUnits('md');
  assert.equal(unitFor('s'), 'ps');
  assert.equal(unitFor('J'), 'kJ/mol');
  assert.equal(formatQuantity(0.002, unitFor('s')), '0.002\u202fps');
  useUnits('si');
  assert.equal(unitFor('s'), 's');
  assert.equal(formatQuantity(0.002, unitFor('s')), '2\u202fms');
});
