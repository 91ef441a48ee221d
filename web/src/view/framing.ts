// SPDX-License-Identifier: Apache-2.0
import { Box3, PerspectiveCamera, Vector3 } from 'three';

/** From the front right, a little from above: to the right, forward and up. */
export const DEFAULT_DIRECTION = new Vector3(0.5, -1, 0.42).normalize();

const MARGIN = 1.12;

/** Distance from the centre at which the whole box is seen along `direction` (towards the camera). */
export function fittingDistance(box: Box3, direction: Vector3, camera: PerspectiveCamera): number {
  const centre = box.getCenter(new Vector3());
  const right = new Vector3().crossVectors(camera.up, direction).normalize();
  if (right.lengthSq() === 0) right.set(1, 0, 0);
  const up = new Vector3().crossVectors(direction, right);
  const tanUp = Math.tan((camera.fov * Math.PI) / 360);
  const tanRight = tanUp * camera.aspect;
  let distance = 0;
  for (let i = 0; i < 8; ++i) {
    const corner = new Vector3(
      i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z,
    ).sub(centre);
    const towards = corner.dot(direction);
    distance = Math.max(
      distance,
      towards + (MARGIN * Math.abs(corner.dot(right))) / tanRight,
      towards + (MARGIN * Math.abs(corner.dot(up))) / tanUp,
    );
  }
  return distance;
}
