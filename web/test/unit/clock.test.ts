// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Clock, defaultSpeed, sharedFrames } from '../../src/play/clock';
import { nearestIndex } from '../../src/play/nearest';

const tenths = Array.from({ length: 11 }, (_, i) => i / 10);

function playing(): Clock {
  const clock = new Clock(tenths);
  clock.speed.value = 1;
  clock.toggle();
  return clock;
}

test('nearest index', () => {
  const times = [0, 1, 2, 4];
  const expected: [number, number][] = [[-5, 0], [0, 0], [0.5, 0], [0.51, 1], [1.4, 1], [3, 2], [3.1, 3], [9, 3]];
  for (const [x, index] of expected) assert.equal(nearestIndex(times, x), index, `x = ${x}`);
  assert.equal(nearestIndex([7], 100), 0);
});

test('time goes by with the speed, and only while playing', () => {
  const clock = new Clock(tenths);
  clock.advance(0.3);
  assert.equal(clock.time.value, 0);
  clock.speed.value = 0.5;
  clock.toggle();
  clock.advance(0.4);
  assert.ok(Math.abs(clock.time.value - 0.2) < 1e-12);
  assert.equal(clock.frame, 2);
});

test('the end is shown, then it starts again', () => {
  const clock = playing();
  clock.advance(5);
  assert.equal(clock.time.value, 1);
  clock.advance(0.01);
  assert.equal(clock.time.value, 0);
  assert.ok(clock.playing.value);
});

test('without loop it stops at the end and plays from the start again', () => {
  const clock = playing();
  clock.loop.value = false;
  clock.advance(5);
  assert.equal(clock.time.value, 1);
  assert.equal(clock.playing.value, false);
  clock.toggle();
  assert.equal(clock.time.value, 0);
  assert.ok(clock.playing.value);
});

test('stepping stops playback and stays inside', () => {
  const clock = playing();
  clock.step(1);
  assert.equal(clock.playing.value, false);
  assert.equal(clock.frame, 1);
  clock.step(-5);
  assert.equal(clock.frame, 0);
  clock.step(100);
  assert.equal(clock.frame, 10);
  clock.seek(-3);
  assert.equal(clock.time.value, 0);
});

test('a single frame cannot be played', () => {
  const clock = new Clock([0]);
  clock.toggle();
  assert.equal(clock.playing.value, false);
});

test('short motions start in slow motion', () => {
  assert.equal(defaultSpeed(10), 1);
  assert.equal(defaultSpeed(1), 0.5);
  assert.equal(defaultSpeed(0.1), 0.1);
});

test('runs share the frames of the longest one', () => {
  const short = [0, 0.5], long = [0, 1, 2], dense = [0, 0.5, 1, 1.5, 2];
  assert.equal(sharedFrames([short, long]), long);
  assert.equal(sharedFrames([long, dense, short]), dense);
});
