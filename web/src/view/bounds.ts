// SPDX-License-Identifier: Apache-2.0
// What the camera should see: the box of all frames, but not that of a run that blew up, which would
// shrink everything else to a dot.
import { Box3, Vector3 } from 'three';
import { readPositions, type Animation } from '../format/animation';

const SENSIBLE_GROWTH = 20;
const SURROUNDINGS = 1.5;

function size(box: Box3): number {
  return box.getSize(new Vector3()).length();
}

function focusBox({ focus: [low, high] }: Animation): Box3 {
  return new Box3(new Vector3(...low), new Vector3(...high));
}

function firstFrame(animation: Animation): Box3 {
  const positions = new Float32Array(3 * animation.chapters[0].vertices);
  readPositions(animation, 0, positions);
  return new Box3().setFromArray(positions).intersect(focusBox(animation));
}

function union(boxes: Box3[]): Box3 {
  return boxes.reduce((sum, box) => sum.union(box), new Box3());
}

/** Whether a run leaves the box that the camera shows by far. */
export function runsAway(animation: Animation, shown: Box3): boolean {
  return size(focusBox(animation)) > SENSIBLE_GROWTH * size(shown);
}

export function commonBox(animations: Animation[]): Box3 {
  const all = animations.map(focusBox);
  const first = animations.map(firstFrame);
  // In a huge box the first frame is rounded to a point: no size to go by.
  const sizes = first.map(size).filter((length) => length > 0);
  const usual = sizes.length > 0 ? Math.min(...sizes) : Infinity;
  const sensible = all.filter((box) => size(box) <= SENSIBLE_GROWTH * usual);
  const box = sensible.length > 0 ? union(sensible) : union(first).expandByScalar(SURROUNDINGS * usual).intersect(union(all));
  // A point or a line still needs something to look at.
  if (size(box) === 0) box.expandByScalar(0.5);
  return box;
}
