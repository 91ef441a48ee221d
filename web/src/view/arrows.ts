// SPDX-License-Identifier: Apache-2.0
// Forces on the surface of one run as arrows. They end at their vertex: what pushes into the body stands
// outside of it, where it can be seen.
import {
  DynamicDrawUsage, GreaterDepth, InstancedMesh, LatheGeometry, Matrix4, MeshStandardMaterial, Quaternion, Vector2, Vector3,
  type Color,
} from 'three';
import type { Animation } from '../format/animation';
import { vectorLength } from '../format/vectors';
import { arrowLength, USUAL_LENGTH, type ForceChoice } from './forces';

// An arrow of length 1 along y with its tip at the origin: distance from the axis, place along it. Points
// stand twice where an edge is sharp.
const HEAD = 0.24;
const OUTLINE = [[0, -1], [0.016, -1], [0.016, -1], [0.016, -HEAD], [0.016, -HEAD], [0.05, -HEAD], [0.05, -HEAD], [0, 0]];
const SIDES = 10;
const ALONG = new Vector3(0, 1, 0);

const HIDDEN_OPACITY = 0.6;

function arrowGeometry(): LatheGeometry {
  const geometry = new LatheGeometry(OUTLINE.map(([x, y]) => new Vector2(x, y)), SIDES);
  // Once for each material.
  geometry.addGroup(0, Infinity, 0);
  geometry.addGroup(0, Infinity, 1);
  return geometry;
}

export class Arrows {
  readonly mesh: InstancedMesh;
  // What lies behind a body or in the ground shines through. It is drawn first: no arrow shines through
  // another. Both count as transparent because these are drawn after everything else.
  private readonly hidden = new MeshStandardMaterial({
    roughness: 0.6, transparent: true, opacity: HIDDEN_OPACITY, depthFunc: GreaterDepth, depthWrite: false,
  });
  private readonly visible = new MeshStandardMaterial({ roughness: 0.6, transparent: true });
  private readonly tip = new Vector3();
  private readonly direction = new Vector3();
  private readonly turn = new Quaternion();
  private readonly scale = new Vector3();
  private readonly matrix = new Matrix4();

  /** `size` is that of what the camera shows. */
  constructor(private readonly animation: Animation, private readonly size: number) {
    const counts = animation.vectors.flatMap(({ starts }) => starts.slice(1).map((end, frame) => end - starts[frame]));
    const most = counts.reduce((a, b) => Math.max(a, b), 0);
    this.mesh = new InstancedMesh(arrowGeometry(), [this.hidden, this.visible], most);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
    this.mesh.visible = false;
  }

  setColour(colour: Color): void {
    this.hidden.color.copy(colour);
    this.visible.color.copy(colour);
  }

  /** `positions` of all vertices in this frame; null: no arrows. */
  show(force: ForceChoice | null, frame: number, positions: Float32Array): void {
    const vectors = this.animation.vectors.find(({ name }) => name === force?.name);
    let count = 0;
    if (force && vectors) {
      const { starts, vertices, components } = vectors;
      for (let i = starts[frame]; i < starts[frame + 1]; ++i) {
        const strength = vectorLength(vectors, i);
        if (strength === 0) continue;
        this.tip.fromArray(positions, 3 * vertices[i]);
        this.direction.fromArray(components, 3 * i).divideScalar(strength);
        this.turn.setFromUnitVectors(ALONG, this.direction);
        const length = arrowLength(strength, force, this.size);
        // Short ones are not as thin as they are short: they would vanish.
        const width = Math.sqrt(length * USUAL_LENGTH * this.size);
        this.scale.set(width, length, width);
        this.mesh.setMatrixAt(count++, this.matrix.compose(this.tip, this.turn, this.scale));
      }
    }
    this.mesh.count = count;
    this.mesh.visible = count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
