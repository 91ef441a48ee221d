// SPDX-License-Identifier: Apache-2.0
// Which way is up: the picture and the ground follow it.
import { Box3, Matrix4, Vector3 } from 'three';
import { at, type JsonObject } from '../core/json';

/** `up` of a manifest as a direction; z where there is none that makes sense. */
export function upOf(manifest: JsonObject): Vector3 {
  const up = at(manifest, 'up');
  const given = Array.isArray(up) && up.length === 3 && up.every((x) => typeof x === 'number' && Number.isFinite(x));
  const direction = new Vector3(...(given ? (up as [number, number, number]) : [0, 0, 1] as const));
  return direction.lengthSq() > 0 ? direction.normalize() : new Vector3(0, 0, 1);
}

/**
 * Columns: to the right, forward and up, as a person would stand there; x is to the right unless it
 * is up. For z up these are the axes themselves.
 */
export function upFrame(up: Vector3): Matrix4 {
  const side = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const right = side.addScaledVector(up, -side.dot(up)).normalize();
  return new Matrix4().makeBasis(right, new Vector3().crossVectors(up, right), up);
}

/** The smallest box along the axes of the frame around a box along those of the coordinates. */
export function boxInFrame(box: Box3, frame: Matrix4): Box3 {
  return box.clone().applyMatrix4(frame.clone().transpose());
}
