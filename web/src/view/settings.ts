// SPDX-License-Identifier: Apache-2.0
// What the reader has chosen for the 3D view.
import { Value } from '../core/value';

export type Layout = 'side' | 'overlay';

export class ViewSettings {
  /** Null: plain colour; otherwise the name of a field. */
  readonly field = new Value<string | null>(null);
  /** Colour range: without peaks, or everything. */
  readonly clipped = new Value(true);
  /** Name of the forces that arrows show; null: none. */
  readonly force = new Value<string | null>(null);
  readonly wireframe = new Value(false);
  readonly grid = new Value(true);
  readonly layout = new Value<Layout>('side');
}
