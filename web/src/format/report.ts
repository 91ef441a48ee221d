// SPDX-License-Identifier: Apache-2.0
// From the text in the page to checked data. What is wrong with the whole is thrown; what is wrong
// with the frames of one run is remembered there, so that everything else can still be shown.
import { at, isObject, numberAt, textAt, type Json, type JsonObject } from '../core/json';
import { parseCsv, type Table } from './csv';
import { DataError } from './data_error';
import {
  FORMAT, type ErrorRow, type Errors, type PackedField, type PackedFrames, type PackedSurface, type PackedVectors, type RunParameter, type Triple,
} from './packed';

export interface Run {
  name: string;
  /** Short, for legends: of a sweep the values, which the name has too. */
  label: string;
  manifest: JsonObject;
  energy: Table;
  steps: Table;
  /** Without rows where there are none. */
  probes: Table;
  modes: Table;
  /** Empty where the runs are no sweep. */
  parameters: RunParameter[];
  /** Null without frames, or with frames that make no sense: see `problems`. */
  motion: { surfaces: PackedSurface[]; frames: PackedFrames } | null;
  /** What is wrong with the frames or with single fields or vectors. */
  problems: string[];
}

export interface Report {
  title: string;
  mode: 'run' | 'compare';
  /** The statement that the runs test. */
  claim: string | null;
  runs: Run[];
  errors: Errors | null;
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function triple(value: Json | undefined, what: string): Triple {
  if (!Array.isArray(value) || value.length !== 3 || !value.every((x) => typeof x === 'number' && Number.isFinite(x))) {
    throw new DataError(`frames: "${what}" is not three finite numbers.`);
  }
  return value as Triple;
}

function readFocus(value: Json | undefined): [Triple, Triple] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length !== 2) throw new DataError('frames: "focus" is not two corners.');
  return [triple(value[0], 'focus'), triple(value[1], 'focus')];
}

function readSurface(value: Json): PackedSurface {
  const vertices = at(value, 'vertices');
  const triangles = at(value, 'triangles');
  const indices = textAt(value, 'indices');
  const first = at(value, 'first') ?? 0;
  if (!isCount(vertices) || !isCount(triangles) || indices === null) {
    throw new DataError('surface: "vertices", "triangles" or "indices" is missing or of the wrong type.');
  }
  if (!isCount(first)) throw new DataError('surface: "first" is not the number of a frame.');
  const bodyTriangles = at(value, 'body_triangles') ?? triangles;
  if (!isCount(bodyTriangles) || bodyTriangles > triangles) {
    throw new DataError('surface: "body_triangles" is not a number of triangles.');
  }
  return { first, vertices, triangles, body_triangles: bodyTriangles, indices };
}

/** Each holds from its first frame to that of the next. */
function readSurfaces(value: Json, frames: number): PackedSurface[] {
  const surfaces = (Array.isArray(value) ? value : [value]).map(readSurface);
  const starts = [...surfaces.map((surface) => surface.first as number), frames];
  if (starts[0] !== 0 || starts.some((start, i) => i > 0 && start <= starts[i - 1])) {
    throw new DataError('surface: the first frames do not ascend from 0 within the frames.');
  }
  return surfaces;
}

function readField(value: Json): PackedField {
  const name = textAt(value, 'name');
  const data = textAt(value, 'data');
  const low = numberAt(value, 'low');
  const high = numberAt(value, 'high');
  if (name === null || data === null || low === null || high === null) {
    throw new DataError(`field ${name ?? 'without a name'}: "low", "high" or "data" is missing or no finite number.`);
  }
  return { name, unit: textAt(value, 'unit') ?? '', low, high, data };
}

function readVectors(value: Json, frames: number): PackedVectors {
  const name = textAt(value, 'name');
  const data = textAt(value, 'data');
  const counts = at(value, 'counts');
  if (name === null || data === null || !Array.isArray(counts) || counts.length !== frames || !counts.every(isCount)) {
    throw new DataError(`vectors ${name ?? 'without a name'}: "data" is missing, or "counts" is not a number for each frame.`);
  }
  return { name, unit: textAt(value, 'unit') ?? '', counts, data };
}

/** A field that makes no sense costs its colouring only, vectors their arrows. */
function readEach<T>(values: Json[], readOne: (value: Json) => T, problems: string[]): T[] {
  return values.flatMap((value) => {
    try {
      return [readOne(value)];
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      problems.push(error.message);
      return [];
    }
  });
}

function readFrames(value: Json, problems: string[]): PackedFrames {
  const times = at(value, 'times');
  const positions = textAt(value, 'positions');
  const fields = at(value, 'fields') ?? [];
  const vectors = at(value, 'vectors') ?? [];
  if (!Array.isArray(times) || !times.every((t) => typeof t === 'number' && Number.isFinite(t))) {
    throw new DataError('frames: "times" is not a list of numbers.');
  }
  if (times.some((t, i) => i > 0 && (t as number) < (times[i - 1] as number))) {
    throw new DataError('frames: "times" does not ascend.');
  }
  if (positions === null) throw new DataError('frames: "positions" is missing.');
  if (!Array.isArray(fields)) throw new DataError('frames: "fields" is not a list.');
  return {
    times: times as number[],
    low: triple(at(value, 'low'), 'low'),
    high: triple(at(value, 'high'), 'high'),
    focus: readFocus(at(value, 'focus')),
    positions,
    fields: readEach(fields, readField, problems),
    // What is no list fails as a single entry.
    vectors: readEach([vectors].flat(), (one) => readVectors(one, times.length), problems),
  };
}

function readMotion(value: JsonObject, problems: string[]): Run['motion'] {
  const { surface, frames } = value;
  if (surface === null || surface === undefined || frames === null || frames === undefined) return null;
  const packed = readFrames(frames, problems);
  if (packed.times.length === 0) return null;
  const surfaces = readSurfaces(surface, packed.times.length);
  return surfaces.every(({ vertices }) => vertices === 0) ? null : { surfaces, frames: packed };
}

function readParameters(value: Json | undefined): RunParameter[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const name = textAt(one, 'name');
    const text = textAt(one, 'value');
    return name === null || text === null ? [] : [{ name, value: text }];
  });
}

function readRun(value: Json, index: number): Run {
  if (!isObject(value)) throw new DataError(`Run ${index + 1} is not an object.`);
  const manifest = value.manifest;
  if (!isObject(manifest)) throw new DataError(`Run ${index + 1} has no manifest.`);
  const name = textAt(value, 'name') ?? textAt(manifest, 'integrator', 'name') ?? `run ${index + 1}`;
  const parameters = readParameters(value.parameters);
  const run: Run = {
    name,
    label: parameters.length > 0 ? parameters.map((parameter) => parameter.value).join(', ') : name,
    manifest,
    energy: parseCsv(textAt(value, 'energy') ?? ''),
    steps: parseCsv(textAt(value, 'steps') ?? ''),
    probes: parseCsv(textAt(value, 'probes') ?? ''),
    modes: parseCsv(textAt(value, 'modes') ?? ''),
    parameters,
    motion: null,
    problems: [],
  };
  try {
    run.motion = readMotion(value, run.problems);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    run.problems.push(error.message);
  }
  return run;
}

function readErrors(value: Json | undefined): Errors | null {
  const rows = at(value, 'rows');
  if (!Array.isArray(rows)) return null;
  return {
    reference: textAt(value, 'reference') ?? 'reference',
    rows: rows.map((row): ErrorRow => ({
      run: textAt(row, 'run'),
      integrator: textAt(row, 'integrator') ?? '?',
      dt: numberAt(row, 'dt'),
      error: numberAt(row, 'error'),
      seconds: numberAt(row, 'seconds'),
      output: numberAt(row, 'output'),
      // Files of 0.1.0 do not say.
      status: textAt(row, 'status') ?? (numberAt(row, 'error') === null ? 'failed' : 'finished'),
    })),
  };
}

/** `text` is the content of the element #sinew-data, null where the element is missing. */
export function readReport(text: string | null): Report {
  if (text === null) throw new DataError('The element "sinew-data" is missing from this page.');
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw new DataError(`The data is not valid JSON: ${(error as Error).message}.`);
  }
  if (value === null) throw new DataError('This page is an empty template: it holds no run yet.');
  if (!isObject(value)) throw new DataError('The data is not a JSON object.');
  if (value.format !== FORMAT) {
    const found = value.format === undefined ? 'none' : JSON.stringify(value.format);
    throw new DataError(`The data has format ${found}; this page reads format ${FORMAT}. It was made by another version of Sinew.`);
  }
  if (!Array.isArray(value.runs) || value.runs.length === 0) throw new DataError('The data holds no runs.');
  return {
    title: textAt(value, 'title') ?? 'Sinew report',
    mode: value.mode === 'compare' ? 'compare' : 'run',
    claim: textAt(value, 'claim') || null,
    runs: value.runs.map(readRun),
    errors: readErrors(value.errors),
  };
}
