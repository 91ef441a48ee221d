// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unpackAnimation, type Animation } from '../../src/format/animation';
import type { PackedVectors, Triple } from '../../src/format/packed';
import { readReport } from '../../src/format/report';
import { vectorLength } from '../../src/format/vectors';
import { Arrows } from '../../src/view/arrows';
import { arrowLength, forceChoices, percentile } from '../../src/view/forces';
import type { Actor } from '../../src/view/stage';
import { pack, packFrames, packSurface, packVectors, type RawVectors } from '../encode';
import { barRun, runReport } from '../fixtures';

const contact = (values: RawVectors['values']): PackedVectors => packVectors({ name: 'contact_force', unit: 'N', values });

/** Three vertices in frames 0 and 1, four in frame 2. */
async function animationWith(...vectors: PackedVectors[]): Promise<Animation> {
  const shape = (n: number): Triple[] => Array.from({ length: n }, (_, i) => [i, 2 * i, 0]);
  const frames = packFrames([0, 0.1, 0.2], [shape(3), shape(3), shape(4)], [], [0, 2]);
  return unpackAnimation([packSurface(3, [0, 1, 2], 0), packSurface(4, [0, 1, 2, 1, 2, 3], 2)], { ...frames, vectors });
}

const actor = (animation: Animation, finished = true): Actor => ({ run: 0, name: 'be', finished, animation });

test('vectors by hand, byte for byte as the format says', async () => {
  // Vertex 2 with (1, -2, 0.5) in frame 1.
  const data = pack(Uint8Array.from([2, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 192, 0, 0, 0, 63]));
  const { vectors: [vectors], problems } = await animationWith({ name: 'contact_force', unit: 'N', counts: [0, 1, 0], data });
  assert.deepEqual(problems, []);
  assert.deepEqual(vectors.starts, [0, 0, 1, 1]);
  assert.deepEqual([...vectors.vertices], [2]);
  assert.deepEqual([...vectors.components], [1, -2, 0.5]);
});

test('what is not finite has no length', async () => {
  const { vectors: [vectors] } = await animationWith(contact([[{ vertex: 0, value: [3, 0, 4] }, { vertex: 1, value: [NaN, 1, 1] }], [{ vertex: 0, value: [0, Infinity, 0] }], []]));
  assert.deepEqual([0, 1, 2].map((i) => vectorLength(vectors, i)), [5, 0, 0]);
});

test('a vertex must be one of the surface of its frame', async () => {
  const at3 = { vertex: 3, value: [0, 0, 1] as Triple };
  assert.deepEqual((await animationWith(contact([[], [], [at3]]))).problems, []);
  const early = await animationWith(contact([[], [at3], []]), contact([[], [], [at3]]));
  assert.equal(early.vectors.length, 1);
  assert.match(early.problems.join(), /vectors contact_force: .*vertex/);
});

test('damaged vectors cost only themselves', async () => {
  const good = contact([[], [{ vertex: 0, value: [1, 0, 0] }], []]);
  for (const damage of [{ data: 'AAAA' }, { counts: [0, 2, 0] }, { counts: [1e15, 0, 0] }]) {
    const animation = await animationWith({ ...good, ...damage, name: 'friction_force' }, good);
    assert.deepEqual(animation.vectors.map(({ name }) => name), ['contact_force']);
    assert.match(animation.problems.join(), /^vectors friction_force/);
  }
});

test('vectors that make no sense cost their arrows only', () => {
  const damages: ((frames: Record<string, unknown>) => void)[] = [
    ({ vectors }) => ((vectors as PackedVectors[])[0].counts = [1]),
    ({ vectors }) => ((vectors as PackedVectors[])[0].counts[3] = -1),
    ({ vectors }) => delete (vectors as Partial<PackedVectors>[])[0].data,
    (frames) => (frames.vectors = 'none'),
  ];
  for (const damage of damages) {
    const report = JSON.parse(JSON.stringify(runReport({ supported: true })));
    damage(report.runs[0].frames);
    const [run] = readReport(JSON.stringify(report)).runs;
    assert.equal(run.motion?.frames.fields.length, 4);
    assert.ok(run.motion.frames.vectors!.every(({ name }) => name === 'friction_force'));
    assert.match(run.problems.join(), /^vectors .*"counts"/);
  }
  const without = JSON.parse(JSON.stringify(runReport()));
  delete without.runs[0].frames.vectors;
  assert.deepEqual(readReport(JSON.stringify(without)).runs[0].problems, []);
});

test('percentiles', () => {
  const hundred = Float64Array.from({ length: 100 }, (_, i) => i + 1);
  assert.deepEqual([0, 0.5, 0.95, 1].map((share) => percentile(hundred, share)), [1, 50, 95, 100]);
  assert.equal(percentile(Float64Array.of(7), 0.95), 7);
});

/** Forces of these strengths, one frame each. */
const strengths = (values: number[]): RawVectors['values'] => [values.map((value) => ({ vertex: 0, value: [0, 0, value] })), [], []];

test('a few peaks do not shorten the other arrows', async () => {
  const animation = await animationWith(contact(strengths([...Array<number>(95).fill(2), ...Array<number>(5).fill(900)])));
  const [force] = forceChoices([actor(animation)]);
  assert.equal(force.title, 'Contact force');
  assert.ok(force.exceeded);
  assert.deepEqual([1, 2, 900].map((value) => Number(arrowLength(value, force, 10).toFixed(9))), [0.75, 1.5, 2.5]);
});

test('runs share a scale, which those that finished set', async () => {
  const [weak, strong] = await Promise.all([1, 1000].map((value) => animationWith(contact(strengths([value])))));
  const limitOf = (...actors: Actor[]): number => forceChoices(actors)[0].limit * 0.6;
  assert.equal(Math.round(limitOf(actor(weak), actor(strong))), 1000);
  assert.equal(Math.round(limitOf(actor(weak), actor(strong, false))), 1);
  assert.equal(Math.round(limitOf(actor(strong, false))), 1000);
});

test('without any arrow there is nothing to choose', async () => {
  const nothing = await animationWith(contact([[], [], []]), contact(strengths([0, NaN])));
  assert.deepEqual(nothing.problems, []);
  assert.deepEqual(forceChoices([actor(nothing)]), []);
  const { surface, frames } = barRun({ supported: true });
  const bar = await unpackAnimation([surface!].flat(), frames!);
  assert.deepEqual(forceChoices([actor(bar)]).map(({ name }) => name), ['contact_force', 'friction_force']);
});

test('arrows end at their vertices', async () => {
  const animation = await animationWith(contact([[], [{ vertex: 2, value: [0, 0, 3] }, { vertex: 1, value: [NaN, 0, 0] }], []]));
  const [force] = forceChoices([actor(animation)]);
  const arrows = new Arrows(animation, 10);
  const positions = Float32Array.from([0, 0, 0, 1, 2, 0, 2, 4, 0]);
  arrows.show(force, 1, positions);
  assert.equal(arrows.mesh.count, 1);
  const matrix = arrows.mesh.matrix.clone();
  arrows.mesh.getMatrixAt(0, matrix);
  const [tip, tail] = [[0, 0, 0], [0, -1, 0]].map((place) => arrows.mesh.position.clone().fromArray(place).applyMatrix4(matrix).toArray());
  [2, 4, 0].forEach((value, axis) => assert.ok(Math.abs(tip[axis] - value) < 1e-5));
  [2, 4, -1.5].forEach((value, axis) => assert.ok(Math.abs(tail[axis] - value) < 1e-5));
  arrows.show(force, 0, positions);
  assert.equal(arrows.mesh.visible, false);
  arrows.show(null, 1, positions);
  assert.equal(arrows.mesh.visible, false);
});
