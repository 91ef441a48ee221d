// SPDX-License-Identifier: Apache-2.0
// A grid below the lowest position, with a round spacing that the caption can name.
import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments, Vector3, type Box3, type Matrix4 } from 'three';
import { boxInFrame } from './up';

/** 1, 2 or 5 times a power of ten, at most `size`. */
export function roundDown(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const digit = size / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

const LINES_ACROSS = 10;

export class GroundGrid {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  /** [m] */
  readonly spacing: number;

  /** `frame`: to the right, forward and up. */
  constructor(inCoordinates: Box3, frame: Matrix4) {
    const box = boxInFrame(inCoordinates, frame);
    const size = box.getSize(new Vector3());
    const centre = box.getCenter(new Vector3());
    this.spacing = roundDown(Math.max(size.x, size.y, 0.3 * size.z) / LINES_ACROSS * 1.6);
    const s = this.spacing;
    const snap = (x: number, away: number): number => s * (away < 0 ? Math.floor(x / s) : Math.ceil(x / s)) + away * s;
    // A thin body still stands on some ground.
    const least = 0.3 * Math.max(size.x, size.y, 0.5 * size.z);
    const halfX = Math.max(size.x / 2, least), halfY = Math.max(size.y / 2, least);
    const x0 = snap(centre.x - halfX, -1), x1 = snap(centre.x + halfX, 1);
    const y0 = snap(centre.y - halfY, -1), y1 = snap(centre.y + halfY, 1);
    const points: number[] = [];
    for (let i = 0, n = Math.round((x1 - x0) / s); i <= n; ++i) points.push(x0 + i * s, y0, 0, x0 + i * s, y1, 0);
    for (let i = 0, n = Math.round((y1 - y0) / s); i <= n; ++i) points.push(x0, y0 + i * s, 0, x1, y0 + i * s, 0);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ transparent: true }));
    // A hair below the body, so that a body that lies there does not flicker.
    this.lines.quaternion.setFromRotationMatrix(frame);
    this.lines.position.setFromMatrixColumn(frame, 2).multiplyScalar(box.min.z - 0.002 * size.length());
  }

  setColour(css: string, opacity: number): void {
    this.lines.material.color.set(css);
    this.lines.material.opacity = opacity;
  }
}
