// SPDX-License-Identifier: Apache-2.0
// Forces that arrows can show, with one scale for all frames and runs so that lengths can be compared.
// As with fields, runs that finished set it.
import { unitFor } from '../core/units';
import { vectorLength, type Vectors } from '../format/vectors';
import type { Actor } from './stage';

export interface ForceChoice {
  name: string;
  title: string;
  unit: string;
  /** The force that has the longest arrow; those of larger ones are no longer. */
  limit: number;
  /** Some force goes beyond the limit. */
  exceeded: boolean;
}

/** Lengths of arrows, as shares of the size of what the camera shows. */
export const USUAL_LENGTH = 0.15;
const LONGEST = 0.25;
/** So many forces have at most the usual length: the peaks of an impact leave the rest visible. */
const USUAL_SHARE = 0.95;

const TITLES: Record<string, string> = { contact_force: 'Contact force', friction_force: 'Friction force' };

/** The value that the given share of the values, in ascending order, does not exceed. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** Length of the arrow of a force, where `size` is that of what the camera shows. */
export function arrowLength(force: number, { limit }: ForceChoice, size: number): number {
  return LONGEST * size * Math.min(1, force / limit);
}

/** In ascending order. */
function lengthsOf(vectors: Vectors): Float64Array {
  return Float64Array.from(vectors.vertices, (_, i) => vectorLength(vectors, i)).filter((length) => length > 0).sort();
}

interface Source {
  vectors: Vectors;
  lengths: Float64Array;
  finished: boolean;
}

function choice(name: string, sources: Source[]): ForceChoice {
  const finished = sources.filter((source) => source.finished);
  const used = finished.length > 0 ? finished : sources;
  const usual = Math.max(...used.map((source) => percentile(source.lengths, USUAL_SHARE)));
  const limit = (usual * LONGEST) / USUAL_LENGTH;
  return {
    name,
    title: TITLES[name] ?? name.replace(/_/g, ' '),
    unit: unitFor(sources[0].vectors.unit),
    limit,
    exceeded: sources.some((source) => percentile(source.lengths, 1) > limit),
  };
}

/** Only what has an arrow in some frame. */
export function forceChoices(actors: Actor[]): ForceChoice[] {
  const byName = new Map<string, Source[]>();
  for (const { animation, finished } of actors) {
    for (const vectors of animation.vectors) {
      const source = { vectors, lengths: lengthsOf(vectors), finished };
      if (source.lengths.length > 0) byName.set(vectors.name, [...(byName.get(vectors.name) ?? []), source]);
    }
  }
  return [...byName].map(([name, sources]) => choice(name, sources));
}
