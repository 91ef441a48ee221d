// SPDX-License-Identifier: Apache-2.0
// The JSON of docs/formats/report.md, as it stands in the page.
import type { JsonObject } from '../core/json';

export const FORMAT = 1;

/** base64 of a zlib stream. */
export type Bytes = string;

export interface PackedSurface {
  /** Number of the first frame with these triangles; only where there are several surfaces. */
  first?: number;
  vertices: number;
  triangles: number;
  /** Triangles from here on belong to obstacles; not given: none does. */
  body_triangles?: number;
  indices: Bytes;
}

export interface PackedField {
  name: string;
  unit: string;
  low: number;
  high: number;
  data: Bytes;
}

/** Forces at vertices of the surface; those that are zero are left out. */
export interface PackedVectors {
  name: string;
  unit: string;
  /** How many there are in each frame. */
  counts: number[];
  data: Bytes;
}

export type Triple = [number, number, number];

export interface PackedFrames {
  times: number[];
  low: Triple;
  high: Triple;
  /** What the camera should show, where that is less than everything: corners of a box. */
  focus?: [Triple, Triple] | undefined;
  positions: Bytes;
  fields: PackedField[];
  /** Not given: none. */
  vectors?: PackedVectors[];
}

/** What a run of a sweep was made with. */
export interface RunParameter {
  /** The place in the scene. */
  name: string;
  value: string;
}

export interface PackedRun {
  name: string;
  manifest: JsonObject;
  energy: string;
  steps: string;
  /** Not given: the scene has no probes. */
  probes?: string;
  /** Of a directory of modes only. */
  modes?: string;
  /** Of a sweep only, in the order of its axes. */
  parameters?: RunParameter[];
  /** A list where the triangles change during the run. */
  surface: PackedSurface | PackedSurface[] | null;
  frames: PackedFrames | null;
}

export interface ErrorRow {
  /** Name of the run; files of 0.1.0 do not say. */
  run?: string | null;
  integrator: string;
  dt: number | null;
  error: number | null;
  /** Wall time [s]. */
  seconds: number | null;
  /** The part of it for files and the ledger; files of 0.1.0 do not say. */
  output?: number | null;
  status: string;
}

export interface Errors {
  reference: string;
  rows: ErrorRow[];
}

export interface PackedReport {
  format: typeof FORMAT;
  title: string;
  mode: 'run' | 'compare';
  /** The statement that the runs test; not given: they test none. */
  claim?: string;
  runs: PackedRun[];
  errors: Errors | null;
}
