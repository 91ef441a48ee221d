// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Box3, Matrix4, Vector3 } from 'three';
import type { Animation, Field } from '../../src/format/animation';
import type { Triple } from '../../src/format/packed';
import { commonBox, runsAway } from '../../src/view/bounds';
import { cellGrid, isSmall, pictureIn } from '../../src/view/cells';
import { viridis, viridisTable } from '../../src/view/colour_map';
import { splitCreases } from '../../src/view/creases';
import { fieldChoices, quantile } from '../../src/view/fields';
import { GroundGrid, roundDown } from '../../src/view/ground_grid';
import { roundTicks } from '../../src/view/legend';
import { computeNormals } from '../../src/view/normals';
import { upFrame, upOf } from '../../src/view/up';
import { boxSurface } from '../fixtures';

/** CIE lightness of an sRGB colour. */
function lightness(rgb: number[]): number {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

test('viridis: known colours, clamped ends', () => {
  assert.deepEqual(viridis(0), [0x44, 0x01, 0x54]);
  assert.deepEqual(viridis(1), [0xfd, 0xe7, 0x25]);
  assert.deepEqual(viridis(-1), viridis(0));
  assert.deepEqual(viridis(2), viridis(1));
  // Entries 64, 100 and 200 of matplotlib's table.
  const table: [number, number[]][] = [[64, [59, 82, 139]], [100, [42, 118, 142]], [200, [112, 207, 87]]];
  for (const [entry, colour] of table) {
    viridis(entry / 255).forEach((c, k) => assert.ok(Math.abs(c - colour[k]) <= 2, `entry ${entry}`));
  }
});

test('viridis: lightness rises evenly', () => {
  const steps = 16;
  const values = Array.from({ length: steps + 1 }, (_, i) => lightness(viridis(i / steps)));
  const mean = (values[steps] - values[0]) / steps;
  for (let i = 0; i < steps; ++i) {
    const rise = values[i + 1] - values[i];
    assert.ok(rise > 0.6 * mean && rise < 1.4 * mean, `step ${i} rises by ${rise}, mean ${mean}`);
  }
});

test('the texture of the colour map', () => {
  const table = viridisTable(256);
  assert.equal(table.length, 1024);
  assert.deepEqual([...table.slice(0, 4)], [0x44, 0x01, 0x54, 255]);
  assert.deepEqual([...table.slice(1020)], [0xfd, 0xe7, 0x25, 255]);
});

test('a box keeps its edges: corners are drawn three times, edges twice, sides once', () => {
  const { points, indices } = boxSurface([1, 1, 1], [2, 2, 2]);
  const positions = Float32Array.from(points.flat());
  const surface = splitCreases(Uint32Array.from(indices), positions, points.length);
  assert.equal(points.length, 26);
  assert.equal(surface.sources.length, 8 * 3 + 12 * 2 + 6);
  // Euler: 26 vertices and 48 triangles have 72 edges.
  assert.equal(surface.edges.length / 2, 72);

  const drawn = Float32Array.from([...surface.sources].flatMap((source) => points[source]));
  const normals = new Float32Array(drawn.length);
  computeNormals(surface.triangles, drawn, normals);
  for (let i = 0; i < normals.length; i += 3) {
    // Every normal is that of a side and points outwards.
    const outwards = normals[i] * (drawn[i] - 0.5) + normals[i + 1] * drawn[i + 1] + normals[i + 2] * drawn[i + 2];
    assert.ok(Math.max(...normals.subarray(i, i + 3).map(Math.abs)) > 0.999);
    assert.ok(outwards > 0.49, `normal ${i / 3}`);
  }
});

test('a smooth surface is not split', () => {
  // Two triangles at 20 degrees.
  const angle = (20 * Math.PI) / 180;
  const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -Math.cos(angle), Math.sin(angle)]);
  const surface = splitCreases(Uint32Array.from([0, 1, 2, 1, 0, 3]), positions, 4);
  assert.deepEqual([...surface.sources], [0, 1, 2, 3]);
  assert.equal(surface.edges.length / 2, 5);
});

test('cells cover the picture without overlap', () => {
  for (const count of [1, 2, 3, 5, 9]) {
    const cells = cellGrid(count, 900, 600);
    assert.equal(cells.length, count);
    for (const cell of cells) {
      assert.ok(cell.left >= 0 && cell.left + cell.width <= 900 + 1e-9);
      assert.ok(cell.top >= 0 && cell.top + cell.height <= 600 + 1e-9);
    }
    assert.equal(new Set(cells.map((cell) => `${cell.left},${cell.top}`)).size, count);
  }
  assert.deepEqual(cellGrid(2, 1200, 500).map((cell) => cell.top), [0, 0]);
  assert.deepEqual(cellGrid(2, 400, 700).map((cell) => cell.left), [0, 0]);
});

test('labels of small cells stand above the picture', () => {
  const large = cellGrid(2, 1200, 500)[0];
  assert.deepEqual([isSmall(large), pictureIn(large)], [false, large]);
  const small = cellGrid(30, 680, 720)[7];
  assert.ok(isSmall(small));
  assert.deepEqual(pictureIn(small), { ...small, top: small.top + 22, height: small.height - 22 });
  assert.equal(pictureIn({ left: 0, top: 0, width: 40, height: 30 }).height, 20);
});

/** Two corners of a unit cube that move to those of a larger one. */
function growing(reach: number): Animation {
  const high: Triple = [reach, reach, reach];
  const unit = Math.round(65535 / reach);
  const positions = Uint16Array.from([0, 1, 2].flatMap(() => [0, unit, 0, 65535]));
  return { chapters: [{ first: 0, start: 0, frames: 2, vertices: 2, indices: new Uint32Array(), bodyTriangles: 0 }], times: [0, 1], low: [0, 0, 0], high, focus: [[0, 0, 0], high], positions, fields: [], vectors: [], problems: [] };
}

test('the camera sees all of a motion, but does not follow a run that blew up', () => {
  assert.deepEqual(commonBox([growing(3), growing(2)]).max.toArray(), [3, 3, 3]);
  const box = commonBox([growing(3), growing(1e9)]);
  assert.deepEqual(box.max.toArray(), [3, 3, 3]);
  assert.deepEqual([runsAway(growing(3), box), runsAway(growing(1e9), box)], [false, true]);
  // Alone, it is shown from where it starts.
  assert.ok(commonBox([growing(1000)]).max.x < 5);
});

test('quantile of a field', () => {
  const values = new Uint8Array(1000).fill(10);
  values.fill(255, 0, 5);
  const field: Field = { name: 'speed', unit: 'm/s', low: 0, high: 255, values };
  assert.equal(quantile(field, 0.99), 10);
  assert.equal(quantile(field, 1), 255);
});

test('round spacings', () => {
  assert.deepEqual([0.034, 0.05, 7, 1, 19].map(roundDown).map((x) => Number(x.toPrecision(6))), [0.02, 0.05, 5, 1, 10]);
});

test('up: z without anything else, and a right-handed frame around any direction', () => {
  for (const manifest of [{}, { up: null }, { up: [0, 0, 0] }, { up: [0, 'y', 0] }, { up: [0, 1] }]) {
    assert.deepEqual(upOf(manifest).toArray(), [0, 0, 1]);
  }
  assert.deepEqual(upOf({ up: [0, 2, 0] }).toArray(), [0, 1, 0]);
  assert.deepEqual(upFrame(new Vector3(0, 0, 1)).elements.map((x) => x + 0), new Matrix4().elements);
  for (const up of [[0, 1, 0], [1, 0, 0], [0, -1, 0], [0.6, 0, 0.8], [0.48, 0.6, 0.64]] as const) {
    const frame = upFrame(new Vector3(...up));
    const [right, forward, top] = [0, 1, 2].map((column) => new Vector3().setFromMatrixColumn(frame, column));
    assert.ok(top.distanceTo(new Vector3(...up)) < 1e-12);
    assert.ok(Math.abs(frame.determinant() - 1) < 1e-12 && Math.abs(right.dot(forward)) < 1e-12);
  }
  // y up, as in glTF: x to the right, z towards the reader.
  const forward = new Vector3().setFromMatrixColumn(upFrame(new Vector3(0, 1, 0)), 1);
  assert.ok(forward.distanceTo(new Vector3(0, 0, -1)) < 1e-12);
});

test('the ground lies below the body, whatever is up', () => {
  const box = new Box3(new Vector3(-1, -2, -3), new Vector3(1, 2, 5));
  for (const [up, lowest] of [[[0, 0, 1], -3], [[0, 1, 0], -2], [[0, -1, 0], -2], [[-1, 0, 0], -1]] as const) {
    const direction = new Vector3(...up);
    const { lines } = new GroundGrid(box, upFrame(direction));
    lines.updateMatrixWorld();
    const points = lines.geometry.getAttribute('position');
    for (let i = 0; i < points.count; ++i) {
      const height = new Vector3().fromBufferAttribute(points, i).applyMatrix4(lines.matrixWorld).dot(direction);
      assert.ok(height < lowest && height > lowest - 0.1, `${String(up)}: ${height}`);
    }
  }
});

test('colours run from zero, and leave out peaks but say so', () => {
  const choiceOf = (values: number[], low: number, high: number) => {
    const field: Field = { name: 'speed', unit: 'm/s', low, high, values: Uint8Array.from(values) };
    const animation = { fields: [field] } as unknown as Animation;
    return fieldChoices([{ run: 0, name: 'be', finished: true, animation }])[0];
  };
  const even = choiceOf(Array.from({ length: 256 }, (_, i) => i), 0.5, 3);
  assert.deepEqual([even.clipped, even.full], [{ low: 0, high: 3 }, { low: 0, high: 3 }]);
  // One in two hundred is ten times as large as the others.
  const peaked = choiceOf(Array.from({ length: 1000 }, (_, i) => (i % 200 === 0 ? 255 : i % 26)), 0, 10);
  assert.ok(Math.abs(peaked.clipped.high - (10 * 25) / 255) < 1e-12);
  assert.deepEqual([peaked.full, peaked.largest], [{ low: 0, high: 10 }, 10]);
  // What can be negative keeps its sign.
  assert.ok(choiceOf(Array.from({ length: 256 }, (_, i) => i), -2, 3).clipped.low < -1.9);
});

test('ticks of the colour bar are round and inside', () => {
  for (const [low, high] of [[0, 2.13], [0, 1], [0, 9.9], [0, 19.9], [0, 5.1], [-2, 3], [0, 0.07], [0, 843]]) {
    const { ticks, step } = roundTicks(low, high);
    assert.ok(ticks.length >= 3 && ticks.length <= 7, `${low}..${high}: ${ticks.join()}`);
    for (const tick of ticks) {
      assert.ok(tick >= low - 1e-9 && tick <= high + 1e-9);
      assert.ok(Math.abs(tick / step - Math.round(tick / step)) < 1e-9);
    }
  }
  assert.deepEqual(roundTicks(0, 0).ticks, [0]);
});
