// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chapterAt, frameStart, readPositions, unpackAnimation } from '../../src/format/animation';
import { unpack } from '../../src/format/bytes';
import { DataError } from '../../src/format/data_error';
import { decodeField, decodeIndices, decodePositions, joinBytePlanes } from '../../src/format/decode';
import { encodeField, encodePositions, pack, packFrames, packSurface } from '../encode';
import type { PackedRun, Triple } from '../../src/format/packed';
import { barRun } from '../fixtures';

/** Numbers that jump over the whole range, so that differences wrap around both ways. */
function jumpy(length: number, range: number): number[] {
  const values: number[] = [];
  let state = 12345;
  for (let i = 0; i < length; ++i) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    values.push(i % 3 === 0 ? 0 : i % 3 === 1 ? range - 1 : state % range);
  }
  return values;
}

test('positions survive differences modulo 65536 and byte planes', () => {
  const [frames, vertices] = [5, 7];
  const original = Uint16Array.from(jumpy(3 * frames * vertices, 65536));
  assert.deepEqual(decodePositions(encodePositions(original, [{ frames, vertices }]), [{ frames, vertices }]), original);
});

test('fields survive differences modulo 256', () => {
  const [frames, vertices] = [6, 11];
  const original = Uint8Array.from(jumpy(frames * vertices, 256));
  assert.deepEqual(decodeField(encodeField(original, [{ frames, vertices }]), [{ frames, vertices }]), original);
});

test('positions by hand, byte for byte as the format says', () => {
  // One vertex, two frames. x: 1 -> 0 (difference 65535), y: 258 -> 260, z: 65535 -> 1 (difference 2).
  const low = [1, 255, 2, 2, 255, 2];
  const high = [0, 255, 1, 0, 255, 0];
  const decoded = decodePositions(Uint8Array.from([...low, ...high]), [{ frames: 2, vertices: 1 }]);
  assert.deepEqual([...decoded], [1, 0, 258, 260, 65535, 1]);
});

test('byte planes: low bytes first', () => {
  assert.deepEqual([...joinBytePlanes(Uint8Array.from([0x34, 0xcd, 0x12, 0xab]))], [0x1234, 0xabcd]);
});

test('indices are little-endian', () => {
  assert.deepEqual([...decodeIndices(Uint8Array.from([1, 0, 0, 0, 0, 1, 0, 0]))], [1, 256]);
});

test('an animation comes back within half a step of the quantisation', async () => {
  const times = [0, 0.1, 0.2];
  const positions = times.map((t) => [[t, 0, -t], [1 + t, 2, 3], [0.5, -1 + 3 * t, 0]] as [number, number, number][]);
  const fields = [{ name: 'speed', unit: 'm/s', values: [[0, 1, 2], [3, 0, 1], [2, 2, 4]] }];
  const animation = await unpackAnimation([packSurface(3, [0, 1, 2])], packFrames(times, positions, fields));
  const out = new Float32Array(9);
  positions.forEach((frame, i) => {
    readPositions(animation, i, out);
    frame.flat().forEach((value, k) => {
      const axis = k % 3;
      const step = (animation.high[axis] - animation.low[axis]) / 65535;
      assert.ok(Math.abs(out[k] - value) <= 0.51 * step + 1e-6, `frame ${i}, number ${k}`);
    });
  });
  assert.deepEqual([...animation.chapters[0].indices], [0, 1, 2]);
  assert.equal(animation.fields[0].values[3], 191);
  assert.equal(animation.fields[0].high, 4);
});

const unpackRun = ({ surface, frames }: PackedRun) => unpackAnimation([surface!].flat(), frames!);

test('the bar of the fixtures unpacks', async () => {
  const animation = await unpackRun(barRun());
  assert.equal(animation.times.length, 40);
  assert.deepEqual(animation.fields.map((field) => field.name), ['speed', 'displacement', 'von_mises', 'energy_density']);
  assert.deepEqual(animation.problems, []);
});

test('positions of a topology that changes, byte for byte as the format says', () => {
  // One vertex in frames 0 and 1, two vertices in frame 2. x: 5, 7, then 9 and 1; y, z: 0.
  const low = [5, 2, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0];
  const decoded = decodePositions(Uint8Array.from([...low, ...low.map(() => 0)]), [{ frames: 2, vertices: 1 }, { frames: 1, vertices: 2 }]);
  assert.deepEqual([...decoded.slice(0, 4)], [5, 7, 9, 1]);
});

test('every frame of a topology that changes has its own vertices, triangles and values', async () => {
  const times = [0, 0.1, 0.2, 0.3];
  const shape = (t: number, n: number): Triple[] => Array.from({ length: n }, (_, i) => [i + t, 2 * i - t, t]);
  const counts = [3, 3, 4, 3];
  const positions = times.map((t, f) => shape(t, counts[f]));
  const fields = [{ name: 'speed', unit: 'm/s', values: counts.map((n, f) => Array.from({ length: n }, (_, i) => 10 * f + i)) }];
  const surfaces = [packSurface(3, [0, 1, 2], 0), packSurface(4, [0, 1, 2, 1, 2, 3], 2), packSurface(3, [2, 1, 0], 3)];
  const animation = await unpackAnimation(surfaces, packFrames(times, positions, fields, [0, 2, 3]));

  assert.deepEqual([0, 1, 2, 3].map((f) => chapterAt(animation, f).indices.length / 3), [1, 1, 2, 1]);
  assert.deepEqual([...chapterAt(animation, 3).indices], [2, 1, 0]);
  positions.forEach((frame, f) => {
    const chapter = chapterAt(animation, f);
    assert.equal(chapter.vertices, counts[f]);
    const out = new Float32Array(3 * chapter.vertices);
    readPositions(animation, f, out);
    frame.flat().forEach((value, k) => assert.ok(Math.abs(out[k] - value) < 1e-3, `frame ${f}, number ${k}`));
    const values = animation.fields[0].values.slice(frameStart(chapter, f), frameStart(chapter, f) + counts[f]);
    values.forEach((value, i) => assert.ok(Math.abs((32 * value) / 255 - (10 * f + i)) < 0.07, `frame ${f}, value ${i}`));
  });
});

const bytes = Uint8Array.from({ length: 4000 }, (_, i) => (i * i) & 255);

test('damaged BYTES are named, not thrown about', async () => {
  const good = pack(bytes);
  await assert.rejects(unpack('a', 1, 'positions'), (error) => error instanceof DataError && /positions.*base64/.test(error.message));
  await assert.rejects(unpack('###', 1, 'positions'), DataError);
  await assert.rejects(unpack(good.slice(0, 4 * (good.length >> 3)), bytes.length, 'positions'), (error) => error instanceof DataError && /zlib/.test(error.message));
  await assert.rejects(unpack(Buffer.from('not zlib at all').toString('base64'), 10, 'positions'), DataError);
  await assert.rejects(unpack(good, bytes.length + 1, 'positions'), (error) => error instanceof DataError && /4000 bytes where 4001/.test(error.message));
  assert.deepEqual(await unpack(good, bytes.length, 'positions'), bytes);
});

test('a damaged field costs only itself; damaged corners cost the animation', async () => {
  const run = barRun({ frames: 3 });
  assert.ok(run.surface && !Array.isArray(run.surface) && run.frames);
  run.frames.fields[1].data = 'AAAA';
  const animation = await unpackRun(run);
  assert.deepEqual(animation.fields.map((field) => field.name), ['speed', 'von_mises', 'energy_density']);
  assert.match(animation.problems[0], /displacement/);
  await assert.rejects(unpackAnimation([packSurface(run.surface.vertices, [0, 1, run.surface.vertices])], run.frames), DataError);
});
