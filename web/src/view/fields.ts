// SPDX-License-Identifier: Apache-2.0
// Fields that can colour the bodies, with one range for all runs so that colours can be compared. Runs
// that finished set it: what one that blew up reached would leave all others in one colour.
import type { Field } from '../format/animation';
import { unitFor } from '../core/units';
import type { Actor } from './stage';
import type { Range } from './surface_mesh';

export interface FieldChoice {
  name: string;
  title: string;
  unit: string;
  /** From zero where nothing is negative. */
  full: Range;
  /** Without the peaks: a few spikes do not darken the rest. */
  clipped: Range;
  /** Of all runs, also of those that did not finish. */
  smallest: number;
  largest: number;
}

const TITLES: Record<string, string> = {
  speed: 'Speed', displacement: 'Displacement', von_mises: 'Von Mises stress', energy_density: 'Energy density',
  strain: 'Strain', tension: 'Tension', plastic_strain: 'Lasting strain',
};
const ORDER = Object.keys(TITLES);

/** Peaks are the values above the one that this share of vertices and frames stays below ... */
const CLIP_SHARE = 0.99;
/** ... where they stretch the range by more than this. */
const STRETCH = 1.25;

/** Value below which the given share of all values lies, as exact as eight bits allow. */
export function quantile(field: Field, share: number): number {
  const counts = new Uint32Array(256);
  for (const value of field.values) counts[value]++;
  let below = 0;
  let bin = 0;
  while (bin < 255 && below + counts[bin] < share * field.values.length) below += counts[bin++];
  return field.low + ((field.high - field.low) * bin) / 255;
}

interface Source {
  field: Field;
  finished: boolean;
}

function choice(name: string, sources: Source[]): FieldChoice {
  const finished = sources.filter((source) => source.finished);
  const fields = (finished.length > 0 ? finished : sources).map((source) => source.field);
  const smallest = Math.min(...sources.map(({ field }) => field.low));
  const largest = Math.max(...sources.map(({ field }) => field.high));
  const low = Math.min(0, ...fields.map((field) => field.low));
  const high = Math.max(...fields.map((field) => field.high));
  const top = Math.max(...fields.map((field) => quantile(field, CLIP_SHARE)));
  const bottom = Math.min(0, ...fields.map((field) => quantile(field, 1 - CLIP_SHARE)));
  const isStretched = top > bottom && high - low > STRETCH * (top - bottom);
  return {
    name,
    title: TITLES[name] ?? name.replace(/_/g, ' '),
    unit: unitFor(fields[0].unit),
    full: { low, high },
    clipped: isStretched ? { low: bottom, high: top } : { low, high },
    smallest,
    largest,
  };
}

function rank(name: string): number {
  const index = ORDER.indexOf(name);
  return index < 0 ? ORDER.length : index;
}

export function fieldChoices(actors: Actor[]): FieldChoice[] {
  const byName = new Map<string, Source[]>();
  for (const { animation, finished } of actors) {
    for (const field of animation.fields) byName.set(field.name, [...(byName.get(field.name) ?? []), { field, finished }]);
  }
  return [...byName].map(([name, sources]) => choice(name, sources)).sort((a, b) => rank(a.name) - rank(b.name));
}
