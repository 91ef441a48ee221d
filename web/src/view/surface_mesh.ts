// SPDX-License-Identifier: Apache-2.0
// The moving surface of one run as three.js objects.
import {
  BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, DynamicDrawUsage, FrontSide, Group, LinearFilter,
  LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial, SRGBColorSpace,
} from 'three';
import { chapterAt, frameStart, readPositions, type Animation, type Chapter, type Field } from '../format/animation';
import { nearestIndex } from '../play/nearest';
import { viridisTable } from './colour_map';
import { splitCreases, type DrawnSurface } from './creases';
import { computeNormals } from './normals';

export interface Range {
  low: number;
  high: number;
}

const MAP_SIZE = 256;

// Places of the materials of a mesh.
const BODY = 0;
const OBSTACLE = 1;
const OBSTACLE_COLOUR = 0xa9a9ab;

let sharedMap: DataTexture | null = null;

// Values go through a texture and not through colours of vertices: between two vertices the value is
// interpolated, not the colour.
function viridisTexture(): DataTexture {
  if (!sharedMap) {
    sharedMap = new DataTexture(viridisTable(MAP_SIZE), MAP_SIZE, 1);
    sharedMap.colorSpace = SRGBColorSpace;
    sharedMap.magFilter = sharedMap.minFilter = LinearFilter;
    sharedMap.needsUpdate = true;
  }
  return sharedMap;
}

function dynamic(length: number, size: number): BufferAttribute {
  return new BufferAttribute(new Float32Array(length), size).setUsage(DynamicDrawUsage);
}

/** What is drawn of one chapter. */
class ChapterGeometry {
  readonly surface: DrawnSurface;
  readonly read: Float32Array;
  readonly positions: BufferAttribute;
  readonly normals: BufferAttribute;
  readonly uvs: BufferAttribute;
  readonly triangles = new BufferGeometry();
  readonly edges = new BufferGeometry();

  constructor(animation: Animation, readonly chapter: Chapter) {
    this.read = new Float32Array(3 * chapter.vertices);
    readPositions(animation, chapter.first, this.read);
    this.surface = splitCreases(chapter.indices, this.read, chapter.vertices);
    const count = this.surface.sources.length;
    this.positions = dynamic(3 * count, 3);
    this.normals = dynamic(3 * count, 3);
    this.uvs = dynamic(2 * count, 2);
    this.triangles.setAttribute('position', this.positions);
    this.triangles.setAttribute('normal', this.normals);
    this.triangles.setAttribute('uv', this.uvs);
    this.triangles.setIndex(new BufferAttribute(this.surface.triangles, 1));
    const corners = 3 * chapter.bodyTriangles;
    this.triangles.addGroup(0, corners, BODY);
    this.triangles.addGroup(corners, this.surface.triangles.length - corners, OBSTACLE);
    this.edges.setAttribute('position', this.positions);
    this.edges.setIndex(new BufferAttribute(this.surface.edges, 1));
  }

  dispose(): void {
    this.triangles.dispose();
    this.edges.dispose();
  }
}

export class SurfaceMesh {
  readonly group = new Group();
  private geometry: ChapterGeometry;
  private readonly material = new MeshStandardMaterial({
    side: DoubleSide, roughness: 0.6, metalness: 0, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  });
  private readonly obstacleMaterial = new MeshStandardMaterial({
    color: OBSTACLE_COLOUR, side: FrontSide, roughness: 0.9, metalness: 0, polygonOffset: true, polygonOffsetFactor: 2,
    polygonOffsetUnits: 2,
  });
  private readonly lineMaterial = new LineBasicMaterial({ transparent: true });
  private readonly mesh: Mesh;
  private readonly lines: LineSegments;
  private frame = -1;
  private field: Field | null = null;
  private range: Range = { low: 0, high: 1 };
  private readonly colour = new Color();

  constructor(readonly animation: Animation) {
    this.geometry = new ChapterGeometry(animation, animation.chapters[0]);
    this.mesh = new Mesh(this.geometry.triangles, [this.material, this.obstacleMaterial]);
    this.lines = new LineSegments(this.geometry.edges, this.lineMaterial);
    this.lines.visible = false;

    // Bounds change with every frame; culling by those of the first would lose the body.
    this.mesh.frustumCulled = this.lines.frustumCulled = false;
    this.group.add(this.mesh, this.lines);
    this.showFrame(0);
  }

  get shownFrame(): number {
    return this.frame;
  }

  /** x, y, z of all vertices in the frame shown [m]. */
  get positions(): Float32Array {
    return this.geometry.read;
  }

  /** True where another frame is shown than before. */
  showTime(time: number): boolean {
    return this.showFrame(nearestIndex(this.animation.times, time));
  }

  showFrame(frame: number): boolean {
    if (frame === this.frame) return false;
    this.frame = frame;
    this.showChapter(chapterAt(this.animation, frame));
    const { read, surface: { sources, triangles }, positions, normals } = this.geometry;
    readPositions(this.animation, frame, read);
    const drawn = positions.array as Float32Array;
    for (let i = 0; i < sources.length; ++i) {
      const from = 3 * sources[i];
      drawn[3 * i] = read[from];
      drawn[3 * i + 1] = read[from + 1];
      drawn[3 * i + 2] = read[from + 2];
    }
    computeNormals(triangles, drawn, normals.array as Float32Array);
    positions.needsUpdate = normals.needsUpdate = true;
    this.writeField();
    return true;
  }

  /** Made anew at every change: where each frame has its own triangles, keeping all would fill the memory. */
  private showChapter(chapter: Chapter): void {
    if (chapter === this.geometry.chapter) return;
    this.geometry.dispose();
    this.geometry = new ChapterGeometry(this.animation, chapter);
    this.mesh.geometry = this.geometry.triangles;
    this.lines.geometry = this.geometry.edges;
  }

  setColour(css: string): void {
    this.colour.set(css);
    if (!this.field) this.material.color.copy(this.colour);
  }

  /** Null: the plain colour. `range` is what the ends of the colour map stand for. */
  setField(name: string | null, range: Range): void {
    this.field = this.animation.fields.find((field) => field.name === name) ?? null;
    this.range = range;
    this.material.map = this.field ? viridisTexture() : null;
    this.material.color.copy(this.field ? new Color(0xffffff) : this.colour);
    this.material.needsUpdate = true;
    this.writeField();
  }

  setWireframe(on: boolean, css: string, opacity: number): void {
    this.lines.visible = on;
    this.lineMaterial.color.set(css);
    this.lineMaterial.opacity = opacity;
  }

  private writeField(): void {
    if (!this.field) return;
    const { values, low, high } = this.field;
    const span = this.range.high - this.range.low || 1;
    const scale = (high - low) / 255 / span;
    const offset = (low - this.range.low) / span;
    const { chapter, surface: { sources } } = this.geometry;
    const base = frameStart(chapter, this.frame);
    const uvs = this.geometry.uvs.array as Float32Array;
    for (let i = 0; i < sources.length; ++i) {
      const share = offset + scale * values[base + sources[i]];
      // To the centres of the first and the last texel.
      uvs[2 * i] = (0.5 + share * (MAP_SIZE - 1)) / MAP_SIZE;
    }
    this.geometry.uvs.needsUpdate = true;
  }
}
