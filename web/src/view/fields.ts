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
  full: Range;
  /** Some run goes beyond the full range. */
  exceeded: boolean;
  /** Up to the value that 99 % of vertices and frames stay below: a few spikes do not darken the rest. */
  clipped: Range;
}

const TITLES: Record<string, string> = {
  speed: 'Speed', displacement: 'Displacement', von_mises: 'Von Mises stress', energy_density: 'Energy density',
  strain: 'Strain', tension: 'Tension', plastic_strain: 'Lasting strain',
};
const ORDER = Object.keys(TITLES);

const CLIP_SHARE = 0.99;

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
  const low = Math.min(...fields.map((field) => field.low));
  const high = Math.max(...fields.map((field) => field.high));
  const clip = Math.max(...fields.map((field) => quantile(field, CLIP_SHARE)));
  return {
    name,
    title: TITLES[name] ?? name.replace(/_/g, ' '),
    unit: unitFor(fields[0].unit),
    full: { low, high },
    exceeded: sources.some(({ field }) => field.high > high),
    clipped: { low, high: clip > low ? clip : high },
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
