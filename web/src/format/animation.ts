// SPDX-License-Identifier: Apache-2.0
// The moving surface of one run, unpacked. Positions stay quantised: a third of the memory of floats.
import { unpack } from './bytes';
import { DataError } from './data_error';
import { decodeField, decodeIndices, decodePositions, type Block } from './decode';
import type { PackedField, PackedFrames, PackedSurface, Triple } from './packed';
import { unpackVectors, type Vectors } from './vectors';

export interface Field {
  name: string;
  unit: string;
  low: number;
  high: number;
  /** Frame by frame, 0 is `low`, 255 is `high`. */
  values: Uint8Array;
}

/** Frames, one after another, that share their triangles. */
export interface Chapter extends Block {
  /** Number of its first frame. */
  first: number;
  /** Place of its first vertex among those of all frames. */
  start: number;
  indices: Uint32Array;
  /** Triangles from here on belong to obstacles. */
  bodyTriangles: number;
}

export interface Animation {
  /** In the order of time; most runs have one. */
  chapters: Chapter[];
  times: number[];
  low: Triple;
  high: Triple;
  /** What the camera should show. */
  focus: [Triple, Triple];
  positions: Uint16Array;
  fields: Field[];
  vectors: Vectors[];
  /** What could not be read and is left out. */
  problems: string[];
}

export function chapterAt({ chapters }: Animation, frame: number): Chapter {
  let chapter = chapters[0];
  for (const later of chapters) if (later.first <= frame) chapter = later;
  return chapter;
}

/** Place of the first vertex of a frame among those of all frames. */
export function frameStart({ first, start, vertices }: Chapter, frame: number): number {
  return start + (frame - first) * vertices;
}

/** Writes x, y, z of every vertex [m]. */
export function readPositions(animation: Animation, frame: number, out: Float32Array): void {
  const { low, high, positions } = animation;
  const chapter = chapterAt(animation, frame);
  for (let axis = 0; axis < 3; ++axis) {
    const base = (axis * positions.length) / 3 + frameStart(chapter, frame);
    const scale = (high[axis] - low[axis]) / 65535;
    for (let v = 0; v < chapter.vertices; ++v) out[3 * v + axis] = low[axis] + scale * positions[base + v];
  }
}

async function unpackField(packed: PackedField, chapters: Chapter[], count: number): Promise<Field> {
  const { name, unit, low, high, data } = packed;
  const bytes = await unpack(data, count, `field ${name}`);
  return { name, unit, low, high, values: decodeField(bytes, chapters) };
}

async function unpackChapters(surfaces: PackedSurface[], frames: number): Promise<Chapter[]> {
  let start = 0;
  return Promise.all(surfaces.map(async ({ first = 0, vertices, triangles, body_triangles, indices }, i): Promise<Chapter> => {
    const chapter = { first, start, vertices, frames: (surfaces[i + 1]?.first ?? frames) - first };
    start += chapter.frames * vertices;
    const corners = decodeIndices(await unpack(indices, 12 * triangles, 'triangles'));
    if (corners.some((index) => index >= vertices)) {
      throw new DataError('triangles: a corner is not among the vertices.');
    }
    return { ...chapter, indices: corners, bodyTriangles: body_triangles ?? triangles };
  }));
}

/** What is damaged costs itself only. */
async function unpackEach<P, T>(packed: P[], unpackOne: (one: P) => Promise<T>, problems: string[]): Promise<T[]> {
  const good: T[] = [];
  for (const one of packed) {
    try {
      good.push(await unpackOne(one));
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      problems.push(error.message);
    }
  }
  return good;
}

export async function unpackAnimation(surfaces: PackedSurface[], packed: PackedFrames): Promise<Animation> {
  const { times, low, high } = packed;
  const chapters = await unpackChapters(surfaces, times.length);
  const count = chapters.reduce((sum, { frames, vertices }) => sum + frames * vertices, 0);
  const positions = decodePositions(await unpack(packed.positions, 6 * count, 'positions'), chapters);

  const problems: string[] = [];
  const fields = await unpackEach(packed.fields, (field) => unpackField(field, chapters, count), problems);
  const vectors = await unpackEach(packed.vectors ?? [], (one) => unpackVectors(one, chapters), problems);
  return { chapters, times, low, high, focus: packed.focus ?? [low, high], positions, fields, vectors, problems };
}
