// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv, parseNumber } from '../../src/format/csv';

test('numbers and words', () => {
  const table = parseCsv('step,t,status\n1,0.5,accepted\r\n2,1e-3,not-finite\n');
  assert.deepEqual([...table.names], ['step', 't', 'status']);
  assert.equal(table.rows, 2);
  assert.deepEqual([...table.numbers('t')], [0.5, 0.001]);
  assert.deepEqual(table.texts('status'), ['accepted', 'not-finite']);
  assert.ok(table.has('t') && !table.has('x'));
});

test('numbers as C++ prints them', () => {
  assert.equal(parseNumber('inf'), Infinity);
  assert.equal(parseNumber('-inf'), -Infinity);
  assert.equal(parseNumber('1.0136169882147403e-12'), 1.0136169882147403e-12);
  for (const text of ['nan', '-nan', '', ' ', 'word']) assert.ok(Number.isNaN(parseNumber(text)), text);
});

test('short rows, missing columns, nothing at all', () => {
  const table = parseCsv('a,b\n1\n2,3');
  assert.deepEqual([...table.numbers('b')], [NaN, 3]);
  assert.deepEqual([...table.numbers('c')], [NaN, NaN]);
  assert.equal(parseCsv('').rows, 0);
  assert.deepEqual([...parseCsv('').names], []);
  assert.equal(parseCsv('a,b\n').numbers('a').length, 0);
});
