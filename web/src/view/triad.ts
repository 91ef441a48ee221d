// SPDX-License-Identifier: Apache-2.0
// The small axes in the corner.
import { Vector3, type Camera } from 'three';
import { svg } from '../core/dom';

const SIZE = 56;
const LENGTH = 18;

export class Triad {
  readonly element = svg('svg', { class: 'triad', viewBox: `0 0 ${SIZE} ${SIZE}`, 'aria-hidden': 'true' });
  private readonly arms = ['x', 'y', 'z'].map((name) => {
    const line = svg('line', { class: `axis-${name}`, x1: SIZE / 2, y1: SIZE / 2 });
    const text = svg('text', { class: `axis-${name}` }, name);
    this.element.append(line, text);
    return { line, text };
  });
  private readonly direction = new Vector3();

  update(camera: Camera): void {
    for (let axis = 0; axis < 3; ++axis) {
      this.direction.set(0, 0, 0).setComponent(axis, 1).transformDirection(camera.matrixWorldInverse);
      const { line, text } = this.arms[axis];
      const x = this.direction.x, y = -this.direction.y;
      line.setAttribute('x2', String(SIZE / 2 + LENGTH * x));
      line.setAttribute('y2', String(SIZE / 2 + LENGTH * y));
      text.setAttribute('x', String(SIZE / 2 + (LENGTH + 6) * x));
      text.setAttribute('y', String(SIZE / 2 + (LENGTH + 6) * y));
    }
  }
}
